"""A person does a task on a website, and what was done becomes a task folder that its own replay passes."""

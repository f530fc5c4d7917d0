"""A folder a paper: its tables, tasks, prompts, agents and training, as far as they are that paper's alone."""

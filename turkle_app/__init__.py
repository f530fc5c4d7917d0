"""The task server: pages for people who browse a task set, and bare pages for agents who work on it."""

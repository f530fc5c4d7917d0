"""Pages on which a person records a task on a website."""

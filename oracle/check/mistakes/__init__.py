"""Where the page of a task and its labels do not fit: mistakes of its author's, each with what to do about it."""

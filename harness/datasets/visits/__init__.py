"""The first page of each task, as a browser shows it: what is on it, and a picture."""

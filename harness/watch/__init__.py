"""What people are shown of runs, before it is a page: nothing here knows of HTTP."""

"""One browser for the pages of several workers: who shares it, and the switchboard between them and the browser."""

"""Pages about runs: reading run directories, and writing nothing into them."""

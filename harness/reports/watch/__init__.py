"""What people see of runs: which there are, how far they are, and an index that finds episodes in milliseconds."""

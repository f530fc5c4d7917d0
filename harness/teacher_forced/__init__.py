"""Teacher-forced evaluation: each step of a demonstration asked on its own, with the steps before it as they were done."""

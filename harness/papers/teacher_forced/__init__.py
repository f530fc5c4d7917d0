"""Teacher-forced evaluation: each step of a demonstration is asked on its own, the steps before it being as done."""

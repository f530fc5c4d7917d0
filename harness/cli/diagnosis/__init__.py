"""What is there of all that the harness needs on a machine, and what to do about what is not."""

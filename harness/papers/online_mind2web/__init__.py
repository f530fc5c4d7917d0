"""Online-Mind2Web: its tasks, and its tables of judges."""

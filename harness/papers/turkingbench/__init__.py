"""The TurkingBench paper: its tables, its rows as commands, and what its original code scores."""

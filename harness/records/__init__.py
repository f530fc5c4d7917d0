"""What is written to a run directory and read from it: episodes, turns, texts, pictures, provenance."""

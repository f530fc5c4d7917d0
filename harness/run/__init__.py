"""A run: its instances, its workers, what keeps it going, and its directory."""

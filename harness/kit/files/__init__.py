"""Files written whole, names in paths and addresses, and where the project's own files are."""

"""What knows nothing of this project."""

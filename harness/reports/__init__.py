"""What people read: the report of runs as one HTML file, its tables, and the leaderboard."""

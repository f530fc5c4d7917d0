"""A community board: forums, threads, votes, letters, moderation, applications and a shelf of texts."""

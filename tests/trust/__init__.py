"""What ``docs/notes/claims.md`` claims, a test or more for each claim."""

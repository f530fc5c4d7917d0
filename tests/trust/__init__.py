"""What ``docs/reference/claims.md`` claims, a test or more for each claim."""

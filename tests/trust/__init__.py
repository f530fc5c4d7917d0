"""What ``docs/explanation/trust.md`` claims, a test or more for each claim."""

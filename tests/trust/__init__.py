"""What docs/trust.md claims, claim by claim."""

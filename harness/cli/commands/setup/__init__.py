"""Commands about what this machine has."""

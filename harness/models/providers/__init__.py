"""One client a provider, and what they share."""

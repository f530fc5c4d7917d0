"""Commands about what runs become elsewhere."""

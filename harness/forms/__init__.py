"""Tasks that are forms: one page whose fields are scored."""

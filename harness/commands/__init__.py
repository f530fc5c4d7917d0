"""Commands: each parses its arguments, calls the library, and prints."""

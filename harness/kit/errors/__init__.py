"""Errors that are the user's to mend, whichever part of the project meets them."""

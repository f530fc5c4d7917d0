"""Browsers that somebody else has started: attached to over DevTools, or lent by a Selenium Grid."""

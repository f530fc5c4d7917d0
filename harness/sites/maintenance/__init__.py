"""Reference traces replayed on the sites of today: what has changed, the nearest elements, accepted repairs."""

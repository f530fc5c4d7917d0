"""A person's review of drawn fields, blind to the metric: the draw, the page, the verdicts, and what they come to."""

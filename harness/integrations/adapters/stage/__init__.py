"""A process that plays episodes for somebody outside, who says what to do next."""

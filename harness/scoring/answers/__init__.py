"""Which column belongs to which field, which fields are scored and why not, and the baselines of each."""

"""Whether an agent is good enough to do what workers did: field by field, with what it costs and how wrong it is."""

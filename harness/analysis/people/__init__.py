"""What the workers of an instance say to each other: the level of people on the same items, and how sure it is."""

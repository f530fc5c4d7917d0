"""Speed measurements; never part of the tests, since absolute times drift with the machine."""

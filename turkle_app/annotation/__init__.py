"""Tasks done by hand: accounts, projects, claims and answers, in a database. Only imported where it is switched on."""

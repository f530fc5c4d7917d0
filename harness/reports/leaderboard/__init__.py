"""A leaderboard: a folder of small records, one for each run, and the page that is made of them."""

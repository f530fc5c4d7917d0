"""What a user can choose, as typed records: help, arguments, checks and files derive from them."""

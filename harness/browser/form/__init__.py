"""What a page holds and sends: its fields, what its form submits, and what the reference pass found."""

"""The travel portal: flights and hotels are looked for, booked, changed and given back."""

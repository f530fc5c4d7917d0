"""What people handed in: results files in the columns of AMT and Turkle, the instances they belong to, help given."""

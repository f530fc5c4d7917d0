"""The report as one HTML file: its parts, plots and templates."""

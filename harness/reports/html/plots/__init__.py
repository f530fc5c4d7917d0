"""The figures of a report, drawn by matplotlib and put into the page as SVG."""

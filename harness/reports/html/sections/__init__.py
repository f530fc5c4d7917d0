"""The sections of a report: the numbers of results, as blocks of tables, figures and words."""

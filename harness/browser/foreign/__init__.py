"""Pages that somebody else drives with Selenium or Playwright, looked at and worked as those of a run are."""

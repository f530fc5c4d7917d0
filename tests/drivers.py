"""Whether tests of input over WebDriver can be done here."""

from __future__ import annotations

import pytest

from harness.box import bubblewrap
from harness.browser.webdriver.driver_process import find_driver

MISSING = "chromedriver and bubblewrap" if find_driver() is None or bubblewrap.why_not() else ""
needs_driver = pytest.mark.skipif(bool(MISSING), reason=f"needs {MISSING}")

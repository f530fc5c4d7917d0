"""Where the data of Online-Mind2Web are, on machines that have them."""

from pathlib import Path

import pytest

DATA = Path("/work/shared/peers/online-mind2web")
needs_data = pytest.mark.skipif(not DATA.exists(), reason="the data of Online-Mind2Web are not on this machine")

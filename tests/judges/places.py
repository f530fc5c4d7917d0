"""Where the data of Online-Mind2Web are, on machines that have them."""

import pytest

from tests.checkout import PEERS

DATA = PEERS / "online-mind2web"
needs_data = pytest.mark.skipif(not DATA.exists(), reason="the data of Online-Mind2Web are not on this machine")

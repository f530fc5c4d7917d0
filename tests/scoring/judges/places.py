"""Where the data of Online-Mind2Web are, on machines that have them."""

from tests.checkout import PEERS
from tests.needs import needs, peers

DATA = PEERS / "online-mind2web"
needs_data = needs(peers("online-mind2web"))

"""The folder that the pages of MiniWoB++ are in, and an episode's state, of which the server knows nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.datasets.tasksets import DATASETS, DatasetError, Manifest
from turkle_app.sites.site import SiteMissing

PAGES = "miniwob"
"""The folder of the pages, in ``pages_folder``."""


class PagesState:
    """The state of an episode: nothing that the server knows of."""

    def told(self) -> dict[str, Any]:
        """See ``SiteState``."""
        return {}


def pages_folder() -> Path:
    """Return the folder of the fetched task set's pages, and of what they share."""
    return DATASETS["miniwob"].folder / "html"


def make_state(seed: int, variant: str) -> PagesState:
    """Return the state of a new episode; what a page shows is drawn by the seed in its address.

    Args:
        seed: Of the site, which has nothing to be drawn.
        variant: Of its layout, of which there is one.

    Raises:
        SiteMissing: The pages have not been fetched.
    """
    del seed, variant
    try:
        Manifest.read(DATASETS["miniwob"])
    except DatasetError as error:
        raise SiteMissing(str(error)) from error
    return PagesState()

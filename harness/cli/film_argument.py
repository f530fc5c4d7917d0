"""The argument that says how the pictures of films are coded."""

from __future__ import annotations

import argparse
from typing import get_args

from harness.browser.camera.picture_format import QUALITY, PictureFormat


def add_film_pictures(parse: argparse._ActionsContainer) -> None:
    """Add it."""
    losing = " or ".join(f"{kind} of quality {quality}" for kind, quality in QUALITY.items())
    parse.add_argument(
        "--film-pictures",
        choices=get_args(PictureFormat),
        default="webp",
        help=f"how its pictures are coded: {losing}, or png, which loses nothing (default: %(default)s)",
    )

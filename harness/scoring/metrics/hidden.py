"""Import a library without the optional libraries that it would draw in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import cast


@contextmanager
def hidden(*names: str) -> Iterator[None]:
    """Let the packages ``names`` look as if they were not installed, to what is imported in the block.

    A library that does without them then does without them. Packages that are imported already stay as they are.

    Args:
        names: Packages, e.g. ``scipy``.
    """
    absent = [name for name in names if name not in sys.modules]
    # Python's own way to make an import fail (https://docs.python.org/3/reference/import.html#the-module-cache).
    sys.modules.update(dict.fromkeys(absent, cast("ModuleType", None)))
    try:
        yield
    finally:
        for name in absent:
            sys.modules.pop(name, None)

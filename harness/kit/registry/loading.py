"""Things that a user names by where they are: ``package.module:Name`` or ``path/to/file.py:Name``."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.kit.errors.user import UserError


def load(place: str) -> Any:
    """What stands at a place.

    Args:
        place: ``package.module:Name`` or ``path/to/file.py:Name``.

    Raises:
        Exception: whatever its module raises while it is loaded; ``failure_text`` puts it in words.
    """
    module_name, _, attribute = place.rpartition(":")
    module = _load_file(Path(module_name)) if module_name.endswith(".py") else importlib.import_module(module_name)
    return getattr(module, attribute)


def failure_text(error: Exception) -> str:
    """Why something could not be loaded, in words."""
    return str(error) if isinstance(error, UserError) else f"{type(error).__name__}: {error}"


def _load_file(file: Path) -> ModuleType:
    """The module in a file that is on no import path; modules beside it can be imported by it."""
    file = file.resolve()
    if not file.is_file():
        raise FileNotFoundError(f"there is no file {file}")
    name = f"{file.stem}_{hashlib.sha256(str(file).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is no Python file")
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module

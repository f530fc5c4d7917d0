"""Tests of web agents by crowdsourcing forms and websites, from Python.

    import turkbench

    run = turkbench.evaluate("oracle", split="test", max_instances=2)
    print(run.score, run.scores.groupby("task").score.mean())

What is public stands in ``harness/__init__.py``; each name is imported when it is first asked for. An installed copy
holds everything else of the project under this name, as ``turkbench.harness`` and so on; in a checkout, where these
packages stand at the top, the same names lead to the same modules.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING

import harness as _harness

if TYPE_CHECKING:
    from harness import *  # noqa: F403 - the same names

    __version__: str

_OF_VERIFIERS = ["PageEnv", "PageHarness", "PageTaskset"]
"""What verifiers looks for under the name of this package: ``vf-eval turkbench`` (docs/how-to/other-frameworks.md)."""

__all__ = ["__version__"]
__all__ += _harness.__all__
if find_spec("verifiers"):
    __all__.extend(_OF_VERIFIERS)


def __getattr__(name: str) -> object:
    if name == "__version__":
        found: object = import_module(f"{_harness.__name__}.kit.files.installation").version()
    elif name in _OF_VERIFIERS:
        found = getattr(import_module(f"{_harness.__name__}.integrations.adapters.verifiers.page_env"), name)
    elif name == "main":
        found = import_module(f"{_harness.__name__}.cli.turkbench").main
    elif name in _harness.__all__:
        found = getattr(_harness, name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


class _OfCheckout(MetaPathFinder, Loader):
    """Finds ``turkbench.harness.kit`` in a checkout: the module ``harness.kit`` itself, not a second copy of it."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG002
        package, _, rest = name.partition(".")
        ours = package == __name__ and rest.partition(".")[0] in {"harness", "oracle", "turkle_app"}
        return ModuleSpec(name, self, is_package=True) if ours else None

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__
        sys.modules[name] = import_module(name.partition(".")[2])


if "__path__" not in globals():
    __path__: list[str] = []
    # First, since others would load such a module once more, from the folder of its package.
    sys.meta_path.insert(0, _OfCheckout())

if __name__ == "__main__":
    from harness.cli.turkbench import main
    from harness.kit.files.installation import CALLERS

    sys.exit(main(caller=CALLERS[1]))

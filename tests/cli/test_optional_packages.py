"""Every command is there without the packages of extras: these are imported where they are used."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import packages_distributions

from harness.kit.files.installation import declared

_TRIES = """
import sys
from importlib import import_module

class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in LACKING:
            raise ModuleNotFoundError(f"no {name}", name=name)

sys.meta_path.insert(0, Lacking())
from harness.cli.command_table import COMMANDS

def modules(commands):
    for command in commands:
        yield from filter(None, [command.module])
        yield from modules(command.parts.values())

for module in [*modules(COMMANDS.values()), "harness.solvers.models.model"]:
    try:
        import_module(module)
    except ImportError as error:
        print(module, error)
"""


def _names(requirements: list[str]) -> set[str]:
    return {re.split(r"[^\w.-]", each)[0].lower().replace("_", "-") for each in requirements}


def test_every_command_is_imported_without_the_packages_of_extras() -> None:
    given = declared()
    extra = set().union(*(_names(lines) for name, lines in given.items() if name)) - _names(given[""])
    of_extras = {
        name
        for name, owners in packages_distributions().items()
        if {each.lower().replace("_", "-") for each in owners} <= extra
    }
    assert "openai" in of_extras
    program = _TRIES.replace("LACKING:", f"{sorted(of_extras)!r}:")
    # A process of its own: one that is forked has imported much already.
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr

"""The command line of a command: what is wrong with it is told in a line, and its help can begin with a few options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from harness.cli.boundary import WRONG_USE, print_out
from harness.kit.text import did_you_mean

_UNKNOWN = "unrecognized arguments: "
"""How argparse begins to tell of them."""
_REQUIRED = "the following arguments are required: "


class CommandLine(argparse.ArgumentParser):
    """A parser whose errors are one line, with the name that was meant if one is near."""

    def __init__(self, *args: Any, **about: Any) -> None:
        """Begin a command line; the arguments are those of ``argparse.ArgumentParser``."""
        super().__init__(*args, **about)
        # A module's docstring has two where a terminal shows one.
        self.description = self.description and self.description.replace("``", "`")
        self._first: tuple[str, ...] = ()
        self._examples: tuple[str, ...] = ()
        self._moved: dict[str, str] = {}

    def begin_with(self, first: Sequence[str], examples: Sequence[str]) -> None:
        """Show a few options in the help; ``--help-all`` shows all of them.

        Args:
            first: The arguments that are shown.
            examples: Command lines to begin with.
        """
        self._first, self._examples = tuple(first), tuple(examples)
        self.add_argument("--help-all", action=_HelpAll, help="show all options, by group")

    def renamed(self, old: str, new: str) -> None:
        """Have an argument of earlier versions refused with the one that took its place."""
        self._moved[old] = new

    # What argparse calls these has to stay.
    def format_help(self) -> str:  # noqa: D102
        return self._first_help() if self._first else super().format_help()

    def format_all(self) -> str:
        """The whole help."""
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        """Print one line, and end with the exit code of wrong use."""
        rest = message.removeprefix(_UNKNOWN)
        told = self._why_required(message) if rest == message else f"{rest}: {self._why_unknown(rest.split())}"
        self.exit(WRONG_USE, f"error: {told} ({self.prog} --help tells what there is)\n")

    def _why_required(self, message: str) -> str:
        """The message; where it wants an argument that was called otherwise before, that is told."""
        wanted = message.removeprefix(_REQUIRED).split(", ") if message.startswith(_REQUIRED) else []
        before = [f"{old} is called {new} now" for old, new in self._moved.items() if new in wanted]
        return "; ".join([message, *before])

    def _why_unknown(self, rest: Sequence[str]) -> str:
        name = next((word.partition("=")[0] for word in rest if word.startswith("--")), "")
        if new := self._moved.get(name):
            return f"it is called {new} now"
        near = did_you_mean(name, self._option_string_actions) if name else ""
        return f"there is no such argument{near and f'.{near}'}"

    def _first_help(self) -> str:
        formatter = self._get_formatter()
        shown = [action for action in self._actions if set(action.option_strings) & {*self._first, "--help-all"}]
        formatter.add_usage("%(prog)s --solver NAME [OPTION ...]", [], [])
        formatter.add_text(self.description)
        formatter.start_section("options")
        formatter.add_arguments(shown)
        formatter.end_section()
        examples = "\n".join(f"  {each}" for each in self._examples)
        return f"{formatter.format_help()}\nexamples:\n{examples}\n\n{self.epilog or ''}\n"


class _HelpAll(argparse.Action):
    def __init__(self, option_strings: Sequence[str], **about: Any) -> None:
        super().__init__(option_strings, nargs=0, default=argparse.SUPPRESS, **about)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        assert isinstance(parser, CommandLine)  # noqa: S101 - it alone has this action
        print_out(parser.format_all().rstrip("\n"))
        sys.exit(0)

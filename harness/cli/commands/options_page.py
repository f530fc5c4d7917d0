"""The reference of the options of runs and solvers, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from harness.cli.commands.evaluate import named_options
from harness.kit.options import NamedOption, OnResume

_AGAIN: Mapping[OnResume, str] = {
    "as begun": "",
    "agree": "the same, which agrees to it",
    "raise": "more",
    "free": "another",
}
_HEAD = """# Options

The options of `turkbench evaluate`. Each is an argument, a key of a file for `--config` (with underscores or
dashes; `RUN/config.toml` makes a run again), and, of solvers, a key of `options` in `run.json`. The last column is what
may be given when a run is [gone on with](run-directory.md#going-on-with-a-run); without a word nothing may.
"""


def document() -> str:
    """The page."""
    groups: dict[str, list[NamedOption]] = {}
    for each in named_options():
        if each.about.argument:
            groups.setdefault(each.about.group, []).append(each)
    return "\n".join([_HEAD, *("\n".join(_table(title, members)) for title, members in groups.items())])


def _table(title: str, members: Iterable[NamedOption]) -> Iterable[str]:
    yield f"## {title[:1].upper()}{title[1:]}\n"
    yield "| option | what it is | with `--resume` |"
    yield "| --- | --- | --- |"
    for each in members:
        yield f"| {_argument(each)} | {_words(each)} | {_AGAIN[each.about.on_resume]} |"
    yield ""


def _argument(each: NamedOption) -> str:
    if each.kind is bool:
        return f"`{each.flag}`" if each.default is False else f"`{each.flag}`, `--no-{each.flag[2:]}`"
    if each.choices and not each.about.metavar:
        return f"`{each.flag}` {', '.join(f'`{choice}`' for choice in each.choices)}"
    return f"`{each.flag} {each.about.metavar or ''}`".replace(" `", "`")


def _words(each: NamedOption) -> str:
    help_text = each.about.help.replace("%(default)s", str(each.default)).replace("|", "\\|")
    return f"{help_text[:1].upper()}{help_text[1:]}."

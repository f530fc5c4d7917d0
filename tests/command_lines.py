"""The command lines of the documentation: what stands in its blocks to be pasted into a shell.

It needs the standard library alone, since .ci/paste-readme reads with it, too.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = frozenset(
    {
        "chromium", "coproc", "cube", "docker", "echo", "export", "inspect", "litellm", "llama-server", "make", "npm",
        "ollama", "pip", "python", "python3", "ray", "read", "sglang", "source", "turkbench", "vllm",
    }
)  # fmt: skip
"""What begins a command line, beside a path of a program of the project."""
_SET = re.compile(r"[A-Z_]+=\S* ")
_INDENT = "    "
_FOLDERS = (".ci/", ".clients/", ".venv/", "examples/", "~/")


@dataclass(frozen=True)
class CommandLine:
    """A command line.

    Attributes:
        page: The page that it stands on.
        number: Of its first line in there.
        text: What is pasted, as one line.
    """

    page: Path
    number: int
    text: str

    def __str__(self) -> str:
        return f"{self.page.name}:{self.number}: {self.text}"

    @property
    def words(self) -> list[str]:
        """As a shell reads it, without a comment and without variables that it sets.

        Raises:
            ValueError: a shell would wait for the end of a quotation.
        """
        text = self.text
        while found := _SET.match(text):
            text = text[found.end() :]
        return shlex.split(text, comments=True)


def is_command(line: str) -> bool:
    """Whether a line begins as one that is to be pasted does."""
    while found := _SET.match(line):
        line = line[found.end() :]
    first, _, rest = line.partition(" ")
    return first in PROGRAMS or (first.startswith(_FOLDERS) and (rest[:1] != " " or rest.lstrip()[:1] == "#"))


def blocks(page: Path) -> Iterator[list[CommandLine]]:
    """The indented blocks of a page of Markdown in which a line is a command; continued lines are one.

    All lines of such a block are given, whether they are commands or not.
    """
    block: list[CommandLine] = []
    fenced, after_blank = False, True
    for number, line in enumerate([*page.read_text(encoding="utf-8").splitlines(), "end"], start=1):
        fenced ^= line.startswith("```")
        if line.startswith(_INDENT) and not fenced and (block or after_blank):
            text = line.removeprefix(_INDENT)
            if block and block[-1].text.endswith("\\"):
                last = block.pop()
                block.append(CommandLine(page, last.number, f"{last.text[:-1].rstrip()} {text.strip()}"))
            else:
                block.append(CommandLine(page, number, text))
        elif line.strip():
            if any(is_command(each.text) for each in block):
                yield block
            block = []
        after_blank = not line.strip()


def command_lines(page: Path) -> Iterator[CommandLine]:
    """The lines of a page that are to be pasted, in their order; not those that are a comment as a whole."""
    for block in blocks(page):
        yield from (each for each in block if not each.text.startswith("#"))

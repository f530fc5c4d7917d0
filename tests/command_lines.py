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
        "ollama", "pip", "python", "python3", "ray", "read", "sglang", "source", "turkbench", "vf-eval", "vllm",
    }
)  # fmt: skip
"""What begins a command line, beside a path of a program of the project."""
_SET = re.compile(r"[A-Z_]+=\S* ")
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
    """The blocks of a page that are to be pasted, those of the language ``shell``; continued lines are one."""
    block: list[CommandLine] | None = None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        text = line.strip()
        if block is None:
            block = [] if text == "```shell" else None
        elif text == "```":
            yield block
            block = None
        elif block and block[-1].text.endswith("\\"):
            last = block.pop()
            block.append(CommandLine(page, last.number, f"{last.text[:-1].rstrip()} {text}"))
        else:
            block.append(CommandLine(page, number, text))


def command_lines(page: Path) -> Iterator[CommandLine]:
    """The lines of a page that are to be pasted, in their order; not those that are a comment as a whole."""
    for block in blocks(page):
        yield from (each for each in block if not each.text.startswith("#"))

"""What a user chooses of a program from outside: which, what it is handed, and how it is shut in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from harness.kit.arguments import absolute
from harness.kit.options import option

Mode = Literal["none", "box", "container"]
MODES: tuple[Mode, ...] = get_args(Mode)
AnyMode = Literal["none", "box", "container", "masked", "strict"]
"""With what boxes were called in runs of earlier versions."""


@dataclass(frozen=True, kw_only=True)
class Passed:
    """What such a program is handed of the environment; names of variables, never their values."""

    GROUP: ClassVar[str] = "programs from outside (docs/how-to/run-a-program.md)"

    pass_env: tuple[str, ...] | None = option(
        metavar="NAME",
        help="an environment variable, such as a key, that the program gets; may be repeated",
        on_resume="agree",
        consent="hand it the variables",
        private=True,
    )
    pass_secret: tuple[str, ...] | None = option(
        metavar="NAME",
        help="like --pass-env, for a secret: its value is removed from all records",
        on_resume="agree",
        consent="hand it the secret variables",
        private=True,
    )


@dataclass(frozen=True, kw_only=True)
class Command:
    """A program that works on pages itself."""

    GROUP: ClassVar[str] = Passed.GROUP

    command: str | None = option(
        metavar="TEXT",
        help="the program that --solver command or --solver mcp runs",
        on_resume="agree",
        consent="run the program",
    )


@dataclass(frozen=True, kw_only=True)
class McpServer:
    """A program that gives a model its tools."""

    GROUP: ClassVar[str] = Passed.GROUP

    mcp_server: str | None = option(
        metavar="TEXT",
        help="with --solver mcp and --preset: use this MCP server in place of the page's own",
        on_resume="agree",
        consent="run the program",
    )


@dataclass(frozen=True, kw_only=True)
class Programs(Command, McpServer):
    """The programs from outside that a solver can start."""

    @property
    def any(self) -> bool:
        """Whether there is one."""
        return bool(self.command or self.mcp_server)


@dataclass(frozen=True, kw_only=True)
class BoxOptions:
    """How such a program is shut in."""

    GROUP: ClassVar[str] = "isolation of programs from outside"

    isolate: AnyMode | None = option(
        metavar=f"{{{','.join(MODES)}}}",
        help="how the program is shut in: box gives it what it needs and an empty home folder "
        "(default where bubblewrap works); container runs it in an image; none does not shut it "
        "in",
        on_resume="agree",
    )
    isolate_image: str | None = option(
        metavar="IMAGE",
        help="the image of the container, for docker or podman",
        on_resume="agree",
        consent="run it in the image",
    )
    isolate_read: tuple[str, ...] | None = option(
        takes=absolute,
        metavar="PATH",
        help="a further path that the program can read; may be repeated",
        on_resume="agree",
        consent="let it read",
        private=True,
    )
    isolate_write: tuple[str, ...] | None = option(
        takes=absolute,
        metavar="DIR",
        help="a further folder that the program can write; may be repeated",
        on_resume="agree",
        consent="let it write to",
        private=True,
    )
    allow_host: tuple[str, ...] | None = option(
        metavar="HOST[:PORT]",
        help="a further host that the program can reach (default port: 443); may be repeated",
        on_resume="agree",
        consent="let it reach",
    )

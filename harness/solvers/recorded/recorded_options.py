"""The options of solvers that enter what others have done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from harness.kit.options.argument_types import existing
from harness.kit.options.option import kept, option


@dataclass(frozen=True, kw_only=True)
class OfflineOptions:
    """What can be chosen for ``--solver offline``."""

    GROUP: ClassVar[str] = "what others have done"

    predictions: str | None = option(
        takes=existing,
        metavar="FILE",
        help="recorded outputs, for --solver offline",
        on_resume="agree",
        consent="take answers from the file",
    )
    predictions_sha256: str | None = kept()


@dataclass(frozen=True, kw_only=True)
class HumanOptions:
    """What can be chosen for ``--solver human``."""

    GROUP: ClassVar[str] = OfflineOptions.GROUP

    answers: str | None = option(
        takes=existing,
        metavar="FILE",
        help="people's answers, for --solver human",
        on_resume="agree",
        consent="take people's answers from the file",
    )
    annotator: str | None = option(metavar="NAME", help="whose answers, for --solver human")
    answers_sha256: str | None = kept()

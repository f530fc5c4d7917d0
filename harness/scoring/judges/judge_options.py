"""What a user chooses of a judge of trajectories beside who it is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from harness.kit.arguments import positive
from harness.kit.options import option
from harness.models.call_options import AskedPreset, CallOptions


@dataclass(frozen=True, kw_only=True)
class JudgeOptions(CallOptions, AskedPreset):
    """What can be chosen."""

    GROUP: ClassVar[str] = ""

    failure_kinds: bool = option(False, help="ask of each failure of which kind it is: one question more")
    limit: int | None = option(takes=positive, metavar="N", help="only the first N trajectories")
    out: Path | None = option(metavar="DIR", help="where verdicts are kept (default: RUN_judges)")
    no_vision: bool = option(False, help="leave pictures out, for a model that takes none", group=AskedPreset.GROUP)
    max_output_tokens: int | None = option(
        takes=positive, metavar="N", help="of a reply (default: 4096)", group=AskedPreset.GROUP
    )
    delta: int | None = option(
        takes=positive, metavar="N", help="WebJudge keeps pictures from this score on", group=AskedPreset.GROUP
    )

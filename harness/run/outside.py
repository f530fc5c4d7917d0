"""What the pages of a run ask the outside world for, and what of it is not there."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from harness.catalog.task import Instance, Task
from harness.mirror import Mirror
from harness.template.assets import Reference, Rewriter, references
from harness.template.instantiation import instantiate
from harness.template.references import MEDIA_KINDS

Network = Literal["mirror", "live", "none"]


@dataclass(frozen=True)
class Missing:
    """What one page asks for in vain, as addresses, each once, in page order.

    Attributes:
        media: Pictures, videos, sounds and frames: a placeholder stands for them, or nothing.
        assets: Scripts, styles and fonts.
    """

    media: tuple[str, ...] = ()
    assets: tuple[str, ...] = ()


class Outside:
    """The outside world as the pages of a run see it."""

    def __init__(self, network: Network, media: Path | None) -> None:
        """See it as a run with this network and this folder of local media does.

        Raises:
            harness.mirror.store.MirrorError: the mirror cannot be read.
        """
        self._network = network
        self._mirror = Mirror.load() if network == "mirror" else None
        self._rewriter = Rewriter(self._mirror, media) if self._mirror else None
        self._plain: tuple[Task, Missing] | None = None

    def template_hash(self, task: Task) -> str:
        """A hash that differs whenever the pages of a task get other files for the same addresses.

        It is made from the template with its addresses replaced, so that a new mirror changes only what it concerns.
        """
        text = self._rewriter(task.template) if self._rewriter else task.template
        return hashlib.sha256(f"{self._network}\n{text}".encode("utf-8", "backslashreplace")).hexdigest()

    def missing(self, task: Task, instance: Instance) -> Missing:
        """What the page of an instance asks for in vain; with the live network nobody can know."""
        if self._network == "live":
            return Missing()
        if any("//" in value or r"\/" in value for value in instance.inputs.values()):
            return self._missing(instantiate(task.template, instance.inputs))
        # Nearly all pages of a task ask for the same, and looking at a page costs milliseconds.
        if self._plain is None or self._plain[0] is not task:
            self._plain = (task, self._missing(task.template))
        missing = self._plain[1]
        if any("${" in address for address in (*missing.media, *missing.assets)):
            return self._missing(instantiate(task.template, instance.inputs))
        return missing

    def _missing(self, html: str) -> Missing:
        found = self._rewriter.unserved(html) if self._rewriter else references(html)
        return Missing(
            media=_addresses(each for each in found if each.kind in MEDIA_KINDS),
            assets=_addresses(each for each in found if each.kind not in MEDIA_KINDS),
        )

    def fingerprint(self) -> str:
        """A hash of what can be had from here."""
        return f"{self._network} {self._mirror.fingerprint() if self._mirror else ''}".strip()


def _addresses(found: Iterable[Reference]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.url for each in found))

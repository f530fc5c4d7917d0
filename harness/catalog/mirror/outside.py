"""What the pages of a run ask the outside world for, and what of it is not there."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from harness.catalog.mirror import Mirror
from harness.catalog.mirror.references import MEDIA_KINDS
from harness.catalog.mirror.rewriting import Reference, Rewriter, references
from harness.catalog.mirror.store import building
from harness.catalog.task import Instance, Task
from harness.catalog.template.instantiation import instantiate

Network = Literal["mirror", "live", "none"]
"""Local files in their place, the network itself, or nothing."""


@dataclass(frozen=True)
class MissingAddresses:
    """What one page asks for in vain, as addresses, each once, in page order.

    Attributes:
        media: Pictures, videos, sounds and frames of this instance: a placeholder stands for them, or nothing. What
            stands in the template itself, such as an icon or the picture of an example, is not among them.
        assets: Scripts, styles and fonts.
    """

    media: tuple[str, ...] = ()
    assets: tuple[str, ...] = ()


class Outside:
    """The outside world as the pages of a run see it."""

    def __init__(self, network: Network, media: Path | None) -> None:
        """See it as a run with this network and this folder of local media does.

        Raises:
            harness.catalog.mirror.store.MirrorError: the mirror cannot be read.
        """
        self._network = network
        self._mirror = Mirror.load() if network == "mirror" else None
        self._rewriter = Rewriter(self._mirror, media) if self._mirror else None
        self._plain: tuple[Task, MissingAddresses] | None = None

    def template_hash(self, task: Task) -> str:
        """A hash that differs whenever the pages of a task get other files for the same addresses.

        It is made from the template with its addresses replaced, so that a new mirror changes only what it concerns.
        """
        text = self._rewriter(task.template) if self._rewriter else task.template
        return hashlib.sha256(f"{self._network}\n{text}".encode("utf-8", "backslashreplace")).hexdigest()

    def missing(self, task: Task, instance: Instance) -> MissingAddresses:
        """What the page of an instance asks for in vain; with the live network nobody can know."""
        if self._network == "live":
            return MissingAddresses()
        fixed = self._of_template(task)
        own = any("//" in value or r"\/" in value for value in instance.inputs.values())
        if not own and not any("${" in address for address in (*fixed.media, *fixed.assets)):
            return MissingAddresses(assets=fixed.assets)
        found = self._missing(instantiate(task.template, instance.inputs))
        return MissingAddresses(tuple(url for url in found.media if url not in fixed.media), found.assets)

    def advice(self, task: Task) -> str:
        """What to do about files that pages of a task ask for, where no mirror was ever built; empty if nothing."""
        if self._mirror is None or self._mirror.built or not (assets := self._of_template(task).assets):
            return ""
        return (
            f"pages ask for scripts, styles or fonts that are not here, e.g. {assets[0]}, since no mirror was built; "
            f"they may look and work otherwise than they should: {building(task.folder.parent)}"
        )

    def fixed_media(self, task: Task) -> tuple[str, ...]:
        """Media that the template itself shows, the same for all instances, and that are not there."""
        return () if self._network == "live" else tuple(url for url in self._of_template(task).media if "${" not in url)

    def assets(self, task: Task) -> tuple[str, ...]:
        """Scripts, styles and fonts that the template itself asks for, whether or not they are there."""
        found = (each for each in references(task.template) if each.place in {"attribute", "style"})
        return _addresses(each for each in found if each.kind not in MEDIA_KINDS and "${" not in each.url)

    def _of_template(self, task: Task) -> MissingAddresses:
        # Nearly all pages of a task ask for the same, and looking at a page costs milliseconds.
        if self._plain is None or self._plain[0] is not task:
            self._plain = (task, self._missing(task.template))
        return self._plain[1]

    def _missing(self, html: str) -> MissingAddresses:
        found = self._rewriter.unserved(html) if self._rewriter else references(html)
        return MissingAddresses(
            media=_addresses(each for each in found if each.kind in MEDIA_KINDS),
            assets=_addresses(each for each in found if each.kind not in MEDIA_KINDS),
        )

    def fingerprint(self) -> str:
        """A hash of what can be had from here."""
        return f"{self._network} {self._mirror.fingerprint() if self._mirror else ''}".strip()


def _addresses(found: Iterable[Reference]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.url for each in found))

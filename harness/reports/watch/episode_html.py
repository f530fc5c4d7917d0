"""The page of an episode as HTML: the part that the server's page and the single file share, and that file."""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from pathlib import Path

from django.template import Context, Engine
from django.utils.safestring import SafeString, mark_safe

from harness.kit.cut_texts import cut_text
from harness.records.record_file import NotARun
from harness.reports.watch.episode_files import MEDIA_TYPES, EpisodeFiles
from harness.reports.watch.episode_view import EpisodeView
from harness.reports.watch.scene_view import TurnView
from harness.reports.watch.shown_text import with_signs

_PAGE = Path(__file__).parent / "page"
EPISODE_SCRIPTS = _PAGE
"""The folder of the scripts of the page."""
_JSON_FOR_HTML = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&"}


def episode_html(page: EpisodeView) -> SafeString:
    """What stands between header and footer of the page; all that comes from the run is escaped."""
    return with_signs(_render("episode.html", page=page))


def turn_html(turn: TurnView) -> SafeString:
    """What came back in one turn, escaped as all of ``episode_html`` is."""
    return with_signs(_render("turn.html", turn=turn))


def episode_css() -> SafeString:
    """The styles of that part, beside those of the page around it."""
    return mark_safe(_source("episode.css"))  # noqa: S308 - a file of ours


def episode_script() -> str:
    """The scripts of that part."""
    return _source("copy.js") + _source("episode.js")


class EmbeddedAddresses:
    """Pictures and texts within one file: each picture once, where it is named first."""

    thumbnails = False

    def __init__(self, run: EpisodeFiles) -> None:
        """Begin.

        Args:
            run: Where they are.
        """
        self._run = run
        self._embedded: set[str] = set()
        self._texts: dict[str, str] = {}

    def step_picture(self, name: str) -> str:
        """See ``EpisodeAddresses``."""
        return self._picture(name, f"{name}.png", film=False)

    def film_picture(self, name: str) -> str:
        """See ``EpisodeAddresses``."""
        return self._picture(name, name, film=True)

    def film_page(self, name: str) -> str:
        """See ``EpisodeAddresses``: the file is without them, which would make it many times as large."""
        del name
        return ""

    def text(self, name: str) -> str:
        """See ``EpisodeAddresses``."""
        if name not in self._texts:
            try:
                self._texts[name] = cut_text(as_text(self._run.whole_text(name)))
            except NotARun as error:
                self._texts[name] = str(error)
        return f"#text-{name}"

    @property
    def texts(self) -> tuple[tuple[str, SafeString], ...]:
        """The texts that were asked for: name, and JSON that can stand in HTML."""
        coded = ((name, json.dumps(text).translate(_JSON_FOR_HTML)) for name, text in self._texts.items())
        return tuple((name, mark_safe(text)) for name, text in coded)  # noqa: S308 - no sign of HTML is left

    def _picture(self, name: str, file: str, *, film: bool) -> str:
        if name in self._embedded:
            return ""
        try:
            data = self._run.film_picture(file) if film else self._run.step_picture(file)
        except NotARun:
            return ""
        self._embedded.add(name)
        kind = MEDIA_TYPES[file.rpartition(".")[2]]
        return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def episode_file(page: EpisodeView, addresses: EmbeddedAddresses) -> str:
    """The page as one HTML file that needs nothing else.

    Args:
        page: The page.
        addresses: With which it was made.
    """
    script = episode_script()
    return _render(
        "file.html",
        page=page,
        body=episode_html(page),
        texts=addresses.texts,
        css=_source("episode.css"),
        base_css=_source("file.css"),
        script=script,
        hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )


def as_text(value: object) -> str:
    """A JSON value as people read it: a text as it is, anything else indented."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)


def _render(name: str, **values: object) -> SafeString:
    return _engine().get_template(name).render(Context(values, use_l10n=False))


@cache
def _engine() -> Engine:
    return Engine(dirs=[str(_PAGE)])


def _source(name: str) -> str:
    return (_PAGE / name).read_text(encoding="utf-8")

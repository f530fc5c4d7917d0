"""Pages with our stand-ins, wrapped as the task server wraps them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from harness.catalog.mirror.standins import PARTS, source
from harness.catalog.template.wrapping import wrap
from tests.conftest import Show
from tests.site import PAGES, Shown, Site

ShowCrowd = Callable[..., Shown]
ELEMENTS = '<script src="/standin/crowd-html-elements.js"></script>'
PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">'
    '<rect width="200" height="100" fill="#cde"/><circle cx="50" cy="50" r="20" fill="#e86"/></svg>'
)
# Keeps what goes wrong in the page's scripts, for `errors`.
WATCH = "<script>var errors = []; addEventListener('error', (event) => errors.push(event.message));</script>"


@pytest.fixture(scope="session", autouse=True)
def stand_ins(site: Site) -> None:
    for name in PARTS:
        site.put(source(name).decode(), f"/standin/{name}", kind="text/javascript; charset=utf-8")
    site.put(PICTURE, "/picture.svg", kind="image/svg+xml")


@pytest.fixture
def crowd(show: Show) -> ShowCrowd:
    """``crowd(body)`` opens a page that has ``body`` in a crowd-form; ``crowd(file="inputs")`` one of
    ``tests/pages/crowd``; ``crowd(whole=html)`` a page as it is, but wrapped."""

    def open_page(body: str = "", *, file: str = "", whole: str = "") -> Shown:
        if file:
            body = (PAGES / "crowd" / f"{file}.html").read_text(encoding="utf-8")
        html = whole or f'{ELEMENTS}<crowd-form answer-format="flatten-objects">{body}</crowd-form>'
        shown = show(whole=wrap(WATCH + html))
        assert shown.page("errors") == []
        return shown

    return open_page

"""A page on which a field is framed."""

from __future__ import annotations

import json

from tests.conftest import Show
from turkle_app.marking import marked

FRAME = """(() => { const frame = [...document.documentElement.children].at(-1);
 if (frame.localName !== 'div') return null; const box = frame.getBoundingClientRect();
 return [box.left, box.top, box.right, box.bottom].map(Math.round); })()"""


def test_the_controls_of_a_field_are_framed_and_in_sight(show: Show) -> None:
    page = "<div style='height: 3000px'></div><input type=radio name=a style='margin: 0; width: 20px; height: 20px'>"
    shown = show(whole=marked(f"<!DOCTYPE html><body style='margin: 50px'>{page}", "a"))
    left, top, right, bottom = shown.page(FRAME)
    assert (left, right, bottom - top) == (44, 76, 32)
    assert 0 <= top < bottom <= shown.page("innerHeight")


def test_a_control_that_the_page_hides_is_framed_by_its_label(show: Show) -> None:
    page = "<label style='display: block; width: 300px'><input type=radio name=a style='display: none'>One</label>"
    left, _, right, _ = show(whole=marked(f"<!DOCTYPE html><body style='margin: 50px'>{page}", "a")).page(FRAME)
    assert (left, right) == (44, 356)


def test_where_nothing_can_be_seen_nothing_is_framed_until_it_can(show: Show) -> None:
    shown = show(whole=marked("<!DOCTYPE html><div id=late style='display: none'><input name=a></div>", "a"))
    assert shown.page(FRAME) is None
    shown.page("document.getElementById('late').style.display = 'block'; 1")
    assert shown.page(
        f"(async () => {{ while (!{FRAME}) await new Promise(requestAnimationFrame); return {FRAME}; }})()"
    )


def test_any_name_is_a_text_and_no_script() -> None:
    html = marked("<p>", "</script><script>alert(1)</script>")
    assert html.count("</script>") == 1
    assert json.dumps("\u2028") in marked("<p>", "\u2028")

"""What a closer look learns of the elements that a page listens on."""

from __future__ import annotations

from oracle.page_input import look
from tests.conftest import Show
from tests.site import Shown

BODY = "<p id=one>One</p><p id=two>Two</p><script>one.addEventListener('click', () => 0)</script>"


def listening(shown: Shown) -> list[str]:
    shown.probe.find_listeners(("click",))
    return [thing["id"] for thing in look(shown.probe, "pressables") if thing["listens"]]


def test_listeners_that_come_and_go_are_told_of(show: Show):
    shown = show(BODY)
    assert listening(shown) == ["one"]
    shown.page("two.addEventListener('click', () => 0)")
    assert listening(shown) == ["one", "two"]
    shown.page("one.remove()")
    assert listening(shown) == ["two"]


def test_another_page_begins_with_none_of_them(show: Show):
    assert listening(show(BODY)) == ["one"]
    shown = show(BODY.replace("one.add", "two.add"))
    assert listening(shown) == ["two"]


def test_an_element_is_fetched_once(show: Show):
    shown = show(BODY)
    listening(shown)
    before = shown.browser.channel.messages
    listening(shown)
    again = shown.browser.channel.messages - before
    shown.page("two.addEventListener('click', () => 0)")
    before = shown.browser.channel.messages
    listening(shown)
    assert shown.browser.channel.messages - before == again + 1

"""On the same page the same calls do the same, and say the same, with a driver of one's own as in a run."""

from __future__ import annotations

import pytest

from harness import ActionLibrary
from harness.actions.call import ActionCall
from harness.actions.parser import parse
from harness.actions.result import ActionResult
from harness.episode.library import ACTIONS, Actions
from tests.conftest import Show
from tests.site import in_page
from tests.solvers.outside.action_library.drivers import Driven

CALLS = {
    "text": """
        modify_text('person', 'Ada "the" Countess 🦊')
        modify_text('filled', '')
        modify_text('filled', '')
        modify_text('short', 'too long for it')
        modify_text('fixed', 'x')
        modify_text('off', 'x')
        modify_text('unseen', 'x')
        modify_text('nobody', 'x')
        modify_radio('person', 'x')
        get_html('person')
        get_html('nobody')
        click_element(99)
        press('NoSuchKey')
        capture_screen('element')
    """,
    "textarea": r"modify_text('story', 'two\nlines, naïve')",
    "radio": """
        modify_radio('mood', 'It is bad')
        modify_radio('mood', '3.0')
        modify_radio('mood', 'nothing of these')
        modify_radio('chosen', 'yes')
        modify_radio('partly', 'off')
        modify_radio('twins', 'same')
    """,
    "checkbox": """
        modify_checkbox('topics', ['sports', 'The weather'])
        modify_checkbox('topics', 'a|b|weather')
        modify_checkbox('topics', 'nonsense')
        modify_checkbox('consent', True)
        modify_checkbox('ticked', False)
    """,
    "select": """
        modify_select('country', 'Germany')
        modify_select('country', 'France')
        modify_select('odd', 'b')
        modify_select('odd', 'f')
        modify_select('list', '5')
        modify_select('many', ['red', 'pink'])
        modify_select('country', ['NL', 'DE'])
    """,
    "range": """
        modify_range('plain', 73)
        modify_range('half', 7.5)
        modify_range('negative', -15)
        modify_range('negative', -14)
        modify_range('plain', 101)
        modify_range('plain', 'much')
        modify_range('large', 51234)
    """,
    "typed": """
        modify_text('number', '12.5')
        modify_text('number', 'twelve')
        modify_text('date', '2024-02-29')
        modify_text('time', '13:45')
        modify_text('datetime', '2024-02-29T13:45')
        modify_text('email', 'ada@example.org')
        modify_text('color', '#a1b2c3')
        modify_text('file', 'x')
    """,
}
"""Page of ``tests/pages`` -> what is done on it."""
SENT = "Array.from(new FormData(document.forms[0]), ([name, value]) => [name, String(value)])"


def _calls(text: str) -> list[ActionCall]:
    return [each for each in parse(f"```python\n{text}\n```", ACTIONS) if isinstance(each, ActionCall)]


def _done(act: Actions, text: str) -> list[tuple[str, bool, str, object]]:
    results: list[tuple[ActionCall, ActionResult]] = [(call, act.call(call)) for call in _calls(text)]
    return [(str(call), result.ok, result.message, result.code) for call, result in results]


@pytest.mark.parametrize("page", CALLS)
def test_results_codes_words_and_what_the_form_holds_are_those_of_a_run(
    show: Show, driven: Driven, act: ActionLibrary, page: str
) -> None:
    shown = show(file=page)
    in_run = _done(shown.actions, CALLS[page])
    driven.go(shown.url)
    assert _done(act, CALLS[page]) == in_run
    assert driven.value(SENT) == in_page(shown.browser, SENT)

"""Keys as WebDriver names them, and texts cut into what is pressed and what is inserted."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from selenium.webdriver.common.keys import Keys

from harness.browser.chord import NAMED, Chord
from harness.browser.input import key_for
from harness.browser.webdriver.gestures import VALUES, events_of, pieces


def test_every_named_key_has_a_value_that_is_its_own():
    values = [VALUES.get(key.key, key.key) for key in NAMED.values()]
    assert len(set(values)) == len(NAMED)
    assert all(len(value) == 1 for value in values)


def test_what_a_key_needs_held_down_is_pressed_before_it_and_let_go_after():
    chord = Chord.parse("Control+Shift+ArrowLeft").key
    assert events_of([chord]) == [
        (True, Keys.CONTROL), (True, Keys.SHIFT), (True, Keys.ARROW_LEFT), (False, Keys.ARROW_LEFT),
        (False, Keys.CONTROL), (False, Keys.SHIFT),
    ]  # fmt: skip


def test_shift_stays_down_over_a_run_of_capitals():
    events = events_of([key for each in "aBC" if (key := key_for(each))])
    assert [value for down, value in events if down] == ["a", Keys.SHIFT, "B", "C"]
    assert events[-1] == (False, Keys.SHIFT)


@given(st.text(alphabet=st.sampled_from("aZ 1!é🦊\n\r\t\ue007\ue009")), st.sampled_from(["", "\r\n\t"]))
def test_the_pieces_of_a_text_are_the_text_and_no_character_of_it_is_taken_for_a_key_of_the_driver(text, pressed):
    joined, inserted = "", ""
    for piece in pieces(text, pressed=pressed):
        if isinstance(piece, str):
            inserted += piece
            joined += piece
        else:
            joined += "".join({"Enter": "\n", "Tab": "\t"}.get(key.key, key.key) for key in piece)
    assert joined == (text.replace("\r", "\n") if pressed else text)
    assert set(text) & set("é🦊\ue007\ue009") <= set(inserted)
    assert pressed or set(text) & set("\n\r\t") <= set(inserted)

"""The floor for websites: what is done to which element."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from harness.observe.snapshot import ELEMENT, TEXT, Control, Node, Snapshot
from oracle.random_choice import MOST_STEPS, WORDS, walk


class Acts:
    """Takes down what is done to one page."""

    def __init__(self, *nodes: Node, steps: int = 40) -> None:
        self.observation = SimpleNamespace(snapshot=lambda: Snapshot("", (9, 9, 0, 0, 9, 9), nodes))
        self.trajectory = SimpleNamespace(steps_left=lambda: steps)
        self.finished = False
        self.done: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Any:
        return lambda *given: self.done.append((name, *given))


def walked(*nodes: Node, most: int = MOST_STEPS, **more: int) -> list[tuple[Any, ...]]:
    acts = Acts(*nodes, **more)
    walk(SimpleNamespace(seed=3), acts, most)  # type: ignore[arg-type]
    return acts.done


def element(tag: str, parent: int = -1, ref: int = 0, kind: str | None = None, **attributes: str) -> Node:
    control = None if kind is None else Control("f", kind, None, ())
    return Node(ELEMENT, parent, tag, tuple(attributes.items()), "block", ref, control=control)


def test_an_option_is_chosen_by_its_words_wherever_it_stands_in_the_list() -> None:
    done = walked(
        element("select", ref=1, kind="select"),
        element("option", 0),
        Node(TEXT, 1, " red "),
        element("optgroup", 0),
        element("option", 3),
        Node(TEXT, 4, "blue"),
        Node(TEXT, 3, "no option"),
    )
    assert set(done) == {("select_option", 1, "red"), ("select_option", 1, "blue")}


def test_a_list_without_options_is_asked_for_nothing() -> None:
    assert set(walked(element("select", ref=1))) == {("select_option", 1, "")}


def test_a_text_field_is_written_into_with_and_without_sending_it() -> None:
    done = walked(element("input", ref=2, kind="text"))
    assert {name for name, *_ in done} == {"fill", "fill_search"}
    assert {word for *_, word in done} <= set(WORDS)


@pytest.mark.parametrize("type_", ["button", "SUBMIT", "reset", "image"])
def test_a_button_is_pressed_though_its_kind_is_that_of_a_text(type_: str) -> None:
    assert set(walked(element("input", ref=2, kind="text", type=type_))) == {("click_element", 2)}


def test_a_page_on_which_nothing_can_be_pressed_is_left_and_no_step_is_spent_beyond_those_there_are() -> None:
    assert walked(element("p"), steps=3) == [("go_back",)] * 3
    assert walked(element("p"), most=2) == [("go_back",)] * 2

from __future__ import annotations

from harness.episode.library import ACTIONS
from harness.models.messages import Message, Text
from harness.solvers.models.history import History, PastTurn
from harness.solvers.models.prompting import Prompter
from harness.solvers.models.recipe import Recipe
from harness.solvers.models.view import PageView

LEFT_OUT_PAGE = "The page as it was then is left out here."


def count(messages) -> int:
    return sum(len(message.text.split()) for message in messages)


def page(number: int, words: int) -> tuple[Text, ...]:
    return (Text(" ".join([f"page{number}", *["word"] * (words - 1)])),)


def history_of(*sizes: int) -> History:
    history = History(Prompter(Recipe("m", protocol="form"), ACTIONS), ["a", "b"], count)
    for number, size in enumerate(sizes):
        reply = Message("assistant", (Text(f"reply{number}"),))
        history.add(PastTurn(page(number, size), size, (reply,), f"results{number}"))
    return history


def show(budget: int) -> PageView:
    size = min(budget, 100)
    return PageView(page(9, size), size, ("a bit",) if budget < 100 else (), "digest")


def text(composed) -> str:
    return "\n".join(message.text for message in composed.messages)


def test_what_fits_is_kept_whole():
    composed = history_of(50, 50).compose(1_000, show)
    assert [message.role for message in composed.messages] == ["user", "assistant", "user", "assistant", "user"]
    assert all(each in text(composed) for each in ("page0", "page1", "page9", "reply0", "results0", "results1"))
    assert composed.left_out == ""


def test_the_oldest_pages_go_first_and_a_note_stands_in_their_place():
    composed = history_of(50, 50, 50).compose(280, show)
    assert "page0" not in text(composed)
    assert "page2" in text(composed)
    assert LEFT_OUT_PAGE in composed.messages[0].text
    assert "1 earlier page left out" in composed.left_out
    assert all(f"reply{number}" in text(composed) for number in range(3))


def test_a_page_is_not_kept_while_a_later_one_is_left_out():
    composed = history_of(10, 500, 10).compose(300, show)
    assert ["page0" in text(composed), "page1" in text(composed), "page2" in text(composed)] == [False, False, True]


def test_then_turns_go_but_the_first_tells_the_fields():
    composed = history_of(*[10] * 30).compose(400, show)
    assert "reply0" in text(composed)
    assert "reply1\n" not in text(composed)
    assert "reply29" in text(composed)
    assert "'a'\n'b'" in composed.messages[0].text
    assert "Earlier turns are left out here: " in composed.messages[2].text
    assert "earlier turns left out" in composed.left_out


def test_the_page_as_it_is_now_shrinks_last_and_never_goes():
    composed = history_of(50).compose(100, show)
    assert "page9" in text(composed)
    assert "left out of the page: a bit" in composed.left_out


def test_messages_of_user_and_model_take_turns_whatever_is_left_out():
    for budget in range(50, 900, 50):
        roles = [message.role for message in history_of(*[60] * 8).compose(budget, show).messages]
        assert roles == ["user", "assistant"] * (len(roles) // 2) + ["user"]


def test_the_budget_is_kept():
    for budget in range(250, 900, 50):
        assert count(history_of(*[60] * 8).compose(budget, show).messages) <= budget

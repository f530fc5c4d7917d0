"""Items and bins: what is taken for an item, and when a drag is not tried again."""

from __future__ import annotations

from harness.scoring.answers.columns import SCORED, Answer, LabelSource
from harness.scoring.metrics import PROFILES
from oracle.field_goal import FieldGoal
from oracle.form import Form
from oracle.widgets import bins
from tests.conftest import Show

STYLE = "<style>ul { float: left; width: 200px; min-height: 100px; margin: 20px; background: #ddd }</style>"


def goal(name: str, label: str) -> FieldGoal:
    answer = Answer(name, "hidden", (), (label,), SCORED, told=True, source=LabelSource("csv", f"Answer.{name}"))
    return FieldGoal(answer, PROFILES["standard"])


def test_a_bin_that_can_be_dragged_itself_is_no_item(show: Show):
    shown = show(
        f"{STYLE}<ul id=left class=ui-draggable><li>apple</li></ul><ul id=right class=ui-draggable><li>pear</li></ul>"
    )
    found = bins.items_of(Form(shown.actions, shown.probe, ()), {"apple", "left", "pear", "right"})
    assert [item.name for item in found] == ["apple", "pear"]


def test_a_card_around_its_own_word_is_an_item(show: Show):
    shown = show(f"{STYLE}<ul><li draggable=true><span class=word>apple</span></li></ul>")
    found = bins.items_of(Form(shown.actions, shown.probe, ()), {"apple"})
    assert len(found) == 2


def test_of_things_that_stay_where_they_are_one_is_dragged(show: Show):
    items = "".join(f"<li class=fast>{name}</li>" for name in ("apple", "pear", "plum"))
    shown = show(
        f"{STYLE}<input type=hidden name=left><input type=hidden name=right>"
        f"<ul id=left></ul><ul id=right>{items}<li class=other>fig</li></ul>"
    )
    form = Form(shown.actions, shown.probe, [goal("left", "apple|pear|plum"), goal("right", "fig|nut")])
    form.look()
    assert bins.Bins().work(form)
    drags = [step.action for step in shown.actions.trajectory.steps if step.action.startswith("drag")]
    assert len(drags) == len(bins.DROPS)

"""Pages that refuse the answers of their own workers: the check says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.cli.boundary import COMPLETE, FINDINGS, INCOMPLETE
from oracle.check.__main__ import main
from tests.task_folders import csv_text, make_task

PLATE = """<p>${t}</p><input name="code" pattern="[A-Z]{2}[0-9]{3}" required>
<input type="number" name="seats" min="1" max="9">"""
TYPED = """<p>${t}</p><input type="date" name="day"><input type="time" name="at">
<input type="number" name="price" step="0.01"><input type="number" name="count"><input type="color" name="colour">
<input name="code" maxlength="5" pattern="[A-Z]{2}[0-9]{3}"><input type="email" name="mail">"""
LANGUAGES = """<p>${t}</p>
<label><input type="checkbox" name="langs" value="en" required>en</label>
<label><input type="checkbox" name="langs" value="fr" required>fr</label>"""
UNSEEN = '<p>${t}</p><input name="a"><input name="token" required style="display: none">'
CONSENT = '<p>${t}</p><input name="a"><label><input type="checkbox" name="agreed" required>I agree</label>'
BY_SCRIPT = """<form onsubmit="if (a.value.length > 3) { alert('At most 3 letters!'); return false }">
<p>${t}</p><input name="a" id="a"></form>"""
TASKS = {
    "Plates": (PLATE, ["code", "seats"], (["ab123", "12"], ["KL900", "4"])),
    "Typed": (
        TYPED,
        ["day", "at", "price", "count", "colour", "code", "mail"],
        (
            ["3/14/2021", "7:30 PM", "12,50", "2.5", "red", "ab123", "ann(at)example.org"],
            ["2021-03-15", "19:30", "3.20", "4", "#ff0000", "AB123456", "bo@example.org"],
        ),
    ),
    "Languages": (LANGUAGES, ["langs"], (["en"], ["en|fr"])),
    "Unseen": (UNSEEN, ["a"], (["x"], ["y"])),
    "Consent": (CONSENT, ["a"], (["x"], ["y"])),
    "By script": (BY_SCRIPT, ["a"], (["long"], ["words"])),
    "By script at times": (BY_SCRIPT, ["a"], (["ok"], ["words"])),
    "Accepting": ('<p>${t}</p><input name="a" required>', ["a"], (["x"],)),
}


EACH = [
    ("day", "3/14/2021", "Write '2021-03-14' in Answer.day"),
    ("at", "7:30 PM", "Write '19:30' in Answer.at"),
    ("price", "12,50", "Write '12.50' in Answer.price"),
    ("count", "2.5", "the page's own validation refuses the label: "),
    ("colour", "red", "Write '#ff0000' in Answer.colour"),
    ("code", "ab123", "the page's own validation refuses the label: "),
    ("mail", "ann(at)example.org", "the page's own validation refuses the label: "),
    ("code", "AB123456", "it takes at most 5 characters"),
]
"""Field of "Typed", label, and what is said of it."""


def check(tasks: Path, *names: str) -> int:
    for name in names:
        template, columns, rows = TASKS[name]
        header = ["t", *(f"Answer.{column}" for column in columns)]
        table = csv_text(header, *([str(number), *row] for number, row in enumerate(rows)))
        make_task(tasks / "tasks", name, template=template, table=table)
    return main(["--tasks-dir", str(tasks / "tasks"), "--out", str(tasks / "check"), "--workers", "1"])


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_what_a_page_refuses_is_told_by_row_and_field_with_the_words_of_the_browser(tmp_path, capsys):
    assert check(tmp_path, "Plates", "Languages", "Unseen", "By script", "By script at times") == FINDINGS
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("mistake")]
    assert told == [
        "mistake: By script: its page took none of the submissions of 2 instances with the workers' answers: submit "
        "handler of the page, and the page says 'At most 3 letters!'. Work the page by hand with the answers of a row, "
        "and mend what keeps them.",
        "mistake: By script at times, batch.csv row 3: the page does not let these answers through: submit handler of "
        "the page, and the page says 'At most 3 letters!'. Correct the labels, or what the page's script asks for.",
        "mistake: Languages, batch.csv row 2, field 'langs': the page's own validation refuses the label: Please check "
        "this box if you want to proceed: wanted 'en'. Correct the label in Answer.langs, or what the control asks "
        "for.",
        "mistake: Plates, batch.csv row 2, field 'code': the page's own validation refuses the label: Please match the "
        "requested format: wanted 'ab123'. Correct the label in Answer.code, or what the control asks for.",
        "mistake: Plates, batch.csv row 2, field 'seats': the page's own validation refuses the label: Value must be "
        "less than or equal to 9: wanted '12'. Correct the label in Answer.seats, or what the control asks for.",
        "mistake: Unseen: its page took none of the submissions of 2 instances with the workers' answers: HTML "
        "validation: token. Work the page by hand with the answers of a row, and mend what keeps them.",
        "mistake: Unseen, batch.csv rows 2, 3, field 'token': the page asks for it, and nobody can fill in what cannot "
        "be seen: Please fill out this field. Take `required` and the like away from the control, or show it.",
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_each_label_that_an_input_of_its_type_does_not_take_is_told_with_what_is_possible(tmp_path, capsys):
    assert check(tmp_path, "Typed") == INCOMPLETE  # a field misses its ceiling
    out = capsys.readouterr().out
    for field, wanted, said in EACH:
        (line,) = [line for line in out.splitlines() if f"field {field!r}: " in line and f"wanted {wanted!r}" in line]
        assert said in line
    assert out.count("mistake: Typed, batch.csv row 2, field ") == len(EACH) - 1
    assert "9 of 14 scored fields at their ceiling" in out


@pytest.mark.usefixtures("own_cache")
def test_what_a_page_asks_for_and_nobody_labels_is_a_note(tmp_path, capsys):
    assert check(tmp_path, "Consent", "Accepting") == COMPLETE
    told = [line.partition(": ")[2] for line in capsys.readouterr().out.splitlines() if line.startswith("note")]
    assert any(line.startswith("Consent: its page took none of the submissions") for line in told)
    assert any("field 'agreed': the page asks for it, and no column labels it" in line for line in told)
    assert not any("Accepting" in line for line in told)

"""The oracle on widgets as the libraries make them that most pages take them from, in a real browser."""

from __future__ import annotations

import re

import pytest

from tests.checkout import PROJECT
from tests.needs import WIDGET_LIBRARIES, require
from tests.runs import Stage, sent, stage
from tests.site import PAGES
from tests.task_folders import csv_text, make_task

require(WIDGET_LIBRARIES)

LIBRARIES: dict[str, dict[str, str]] = {
    "nouislider": {"sure": "36.93", "long": "12.50", "from": "31.00", "to": "64.00", "loud": "7.00"},
    "jquery-slider": {"good": "317", "prices": "$120 - $410"},
    "jquery-datepicker": {"when": "03/14/2021", "born": "2 Aug 1984", "ends": "2021-09-30"},
    "flatpickr": {
        "when": "14.03.2021",
        "born": "1984-08-02",
        "span": "2021-06-28 to 2021-07-03",
        "days": "2021-06-01, 2021-08-30",
        "leaves": "2021-05-31 17:35",
    },
    "select2": {"city": "rom", "languages": "en|it"},
    "chosen": {"city": "rom", "languages": "en|it"},
}
"""Page -> field -> label."""

_LINK = re.compile(r'<link rel="stylesheet" href="(node_modules/[^"]*)">')
_SCRIPT = re.compile(r'<script src="(node_modules/[^"]*)"></script>')


def page_with_libraries(name: str) -> str:
    """A page with the texts of its libraries in it, since runs load nothing from elsewhere."""

    def text(found: re.Match[str]) -> str:
        return (PROJECT / found[1]).read_text(encoding="utf-8")

    page = (PAGES / "widgets" / "libraries" / f"{name}.html").read_text(encoding="utf-8")
    page = _LINK.sub(lambda found: f"<style>{text(found)}</style>", page)
    return _SCRIPT.sub(lambda found: f"<script>{text(found)}</script>", page)


@pytest.fixture(scope="module")
def at(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tasks")
    for name, labels in LIBRARIES.items():
        table = csv_text([f"Answer.{column}" for column in labels], list(labels.values()))
        make_task(folder, name, template=page_with_libraries(name), table=table)
    with stage(folder) as made:
        yield made


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_labelled_answer_is_what_the_form_sends(at: Stage, library):
    made = at.play(library)
    found = sent(made)
    labels = LIBRARIES[library]
    assert {name: "|".join(found.get(name, ())) for name in labels} == labels
    assert made.outcome == "scored"

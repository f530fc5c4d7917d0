"""The oracle on AMT's own elements, as the mirror's stand-in makes them, in a real browser."""

from __future__ import annotations

import base64
from collections.abc import Iterator

import pytest

from tests.runs import Stage, stage
from tests.task_folders import csv_text, make_task

SCRIPT = '<script src="https://assets.crowd.aws/crowd-html-elements.js"></script>'
PICTURE = base64.b64encode(
    b'<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><circle r="90" fill="#cde"/></svg>'
).decode()
FORM = f"""{SCRIPT}<crowd-form answer-format="flatten-objects">
<crowd-classifier name="sentiment" categories="['Positive', 'Negative', 'Neutral']" header="What does it say?">
<classification-target>${{text}}</classification-target><short-instructions>Choose one.</short-instructions>
</crowd-classifier><crowd-input name="why" label="why" required></crowd-input>
<crowd-checkbox name="sure">I am sure</crowd-checkbox><crowd-slider name="degree" min="0" max="10"></crowd-slider>
</crowd-form>"""
BOX = f"""{SCRIPT}<crowd-form answer-format="flatten-objects">
<crowd-bounding-box name="seen" src="data:image/svg+xml;base64,{PICTURE}" labels="['Cat', 'Dog']" header="${{text}}">
</crowd-bounding-box></crowd-form>"""
BOXES = [
    '[{"height":80,"label":"Dog","left":20,"top":30,"width":100}]',
    '[{"height":80,"label":"Cat","left":20,"top":30,"width":100},{"height":60,"label":"Dog","left":200,"top":120,'
    '"width":150}]',
]
TASKS = {
    "Form": (
        FORM,
        ["sentiment.label", "why", "sure.on", "degree"],
        [["Positive", "love", "true", "8"], ["Negative", "hate", "false", "9"]],
    ),
    "Box": (BOX, ["seen.boundingBoxes"], [[box] for box in BOXES]),
}


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("tasks")
    for name, (template, columns, rows) in TASKS.items():
        header = ["text", *(f"Answer.{column}" for column in columns)]
        table = csv_text(header, *([f"item {at}", *row] for at, row in enumerate(rows)))
        make_task(folder, name, template=template, table=table)
    with stage(folder) as made:
        yield made


@pytest.mark.parametrize(("task", "index"), [("Form", 0), ("Form", 1), ("Box", 0), ("Box", 1)])
def test_the_labels_that_amt_wrote_are_entered_into_its_elements(at: Stage, task: str, index: int) -> None:
    score = at.score(task, index=index)
    assert score.episode.submission is not None
    assert score.episode.submission.accepted
    assert [field.score.score for field in score.fields] == [1.0] * len(TASKS[task][1])

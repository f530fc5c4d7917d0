"""The oracle in real editors of formatted text, whose content goes into fields as text or as HTML."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from tests.needs import Need, require
from tests.runs import Stage, sent, stage
from tests.task_folders import csv_text, make_task

QUILL = Path(__file__).parent / "editors" / "node_modules" / "quill" / "dist"
require(Need("quill", ".ci/real-clients", (QUILL / "quill.js").is_file))

HTML = "<p>Could you close the <strong>door</strong>, please?</p><p>Thank <em>you</em>.</p>"
TEXT = "Could you close the door, please?\nThank you."
PAGE = """<div id="editor" style="height: 120px"></div>
<input type="hidden" name="html"><input type="hidden" name="text">
<script>
const quill = new Quill("#editor", { theme: "snow" });
const write = () => {
  document.querySelector("[name=html]").value = quill.root.innerHTML;
  document.querySelector("[name=text]").value = quill.getText().trim();
};
</script>
"""
WHEN = {
    "at once": "<script>quill.on('text-change', write)</script>",
    "at the end": "<script>document.querySelector('form').addEventListener('submit', write)</script>",
}


def _encoded(file: str) -> str:
    return base64.b64encode((QUILL / file).read_bytes()).decode()


@pytest.fixture(scope="module")
def at(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tasks")
    head = (
        f'<link rel="stylesheet" href="data:text/css;base64,{_encoded("quill.snow.css")}">'
        f'<script src="data:text/javascript;base64,{_encoded("quill.js")}"></script>'
    )
    for when, script in WHEN.items():
        make_task(
            folder, when, template=head + PAGE + script, table=csv_text(["Answer.html", "Answer.text"], [HTML, TEXT])
        )
    with stage(folder) as made:
        yield made


@pytest.mark.parametrize("when", WHEN)
def test_what_was_written_in_quill_is_what_the_form_sends(at: Stage, when):
    found = sent(at.play(when))
    assert (found["html"], found["text"]) == ((HTML,), (TEXT,))

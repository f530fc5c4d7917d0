"""Answers that no control holds: of custom elements, of listeners for the form's data, of scripts at the last press."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harness.browser.input_back_end import BrowserSession, DevtoolsInput
from harness.forms.form_replaying import replay_episode
from harness.run.replaying import calls_of
from oracle.floors import DoNothing
from tests.runs import Stage, sent, stage
from tests.task_folders import csv_text, make_task

STARS = """<script>customElements.define("star-rating", class extends HTMLElement {
  static formAssociated = true;
  constructor() {
    super();
    const internals = this.attachInternals(), root = this.attachShadow({ mode: "open" });
    for (let n = 1; n <= 5; n++) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "\\u2605".repeat(n);
      button.onclick = () => { this.value = String(n); };
      root.append(button);
    }
    this.internals = internals;
  }
  get name() { return this.getAttribute("name"); }
  get value() { return this.given || ""; }
  set value(given) { this.given = given; this.internals.setFormValue(given); }
});</script>"""
NOTE = """<script>customElements.define("free-note", class extends HTMLElement {
  static formAssociated = true;
  constructor() {
    super();
    const internals = this.attachInternals();
    this.attachShadow({ mode: "open" }).innerHTML = "<input>";
    this.shadowRoot.firstChild.oninput = (event) => internals.setFormValue(event.target.value);
  }
});</script>"""
LISTENER = """<button type="button" onclick="picked = 'left'">Left</button>
<button type="button" onclick="picked = 'right'">Right</button>
<script>let picked = ""; addEventListener("formdata", (event) => event.formData.set("side", picked));</script>"""
APPENDED = """<div id="words"></div><script>
const picked = new Set();
for (const word of "the red fox".split(" ")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = word;
  button.onclick = () => picked.has(word) ? picked.delete(word) : picked.add(word);
  words.append(button);
}
addEventListener("DOMContentLoaded", () => document.querySelector("[type=submit]").addEventListener("click", () => {
  const out = JSON.stringify([...picked]).replace(/"/g, "&quot;");
  const input = '<input type="hidden" name="out" value="' + out + '">';
  document.getElementById("mturk_form").insertAdjacentHTML("beforeend", input);
}));</script>"""
TASKS = {
    "Stars": (
        STARS + '<star-rating name="a"></star-rating><label>Why? <input name="why"></label>'
        '<star-rating name="b"></star-rating>',
        {"a": "4", "why": "too short", "b": "2"},
    ),
    "Note": (NOTE + '<free-note name="note"></free-note>', {"note": "as it is"}),
    "Listener": (LISTENER, {"side": "left"}),
    "Appended": (APPENDED, {"out": '["red","fox"]'}),
}


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("tasks")
    for name, (template, labels) in TASKS.items():
        table = csv_text([f"Answer.{column}" for column in labels], list(labels.values()))
        make_task(folder, name, template=template, table=table)
    with stage(folder) as made:
        yield made


@pytest.mark.parametrize("task", TASKS)
def test_what_no_control_holds_is_found_worked_read_back_and_done_again(at: Stage, task: str) -> None:
    score = at.score(task)
    assert sent(score.episode) == {name: (label,) for name, label in TASKS[task][1].items()}
    assert [field.score.score for field in score.fields] == [1.0] * len(TASKS[task][1])
    assert score.episode.submission is not None
    session = BrowserSession(at.browser, DevtoolsInput(at.browser))
    again = replay_episode(session, at.url(task), calls_of(score.episode), score.episode.steps)
    assert again == score.episode.submission.values


@pytest.mark.parametrize("task", TASKS)
def test_doing_nothing_earns_nothing_there(at: Stage, task: str) -> None:
    assert at.score(task, DoNothing()).score == 0

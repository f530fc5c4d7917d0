"""Kinds of page that requesters make and that need no more than what is there: the oracle gets every label in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest

from tests.runs import Stage, stage
from tests.task_folders import csv_text, make_task

CHOICE = """<p>${text}</p>
<label><input type=radio name=q value=1> 1</label><label><input type=radio name=q value=2> 2</label>"""
WORDS = f"{CHOICE}<textarea name=second>\n</textarea>"
SUBMIT = "<input type=submit>"
NAMES = (
    *("submit", "action", "method", "elements", "id", "name", "length", "children", "querySelectorAll"),
    *("getAttribute", "addEventListener", "tagName", "parentNode", "__proto__", "constructor", "attributes"),
)
CHOSEN = ("dispatchEvent", "requestSubmit", "innerHTML", "style", "hasOwnProperty", "toString")
SHADOWING = (
    "<form id=study><p>${text}</p>"
    + "".join(f"<input name={name}>" for name in NAMES)
    + "".join(f"<input type=radio name={name} value=y><input type=radio name={name} value=n>" for name in CHOSEN)
    + "<input type=submit></form>"
)
OLD_LIBRARY = f"""<script>
Array.prototype.toJSON = function () {{ return "[" + this.map(function (x) {{ return JSON.stringify(x); }}) + "]"; }};
String.prototype.toJSON = function () {{ return '"' + this + '"'; }};
Array.from = function (x) {{ return x ? [].concat(x) : []; }};
Element.prototype.remove = function () {{ this.parentNode.removeChild(this); return this; }};
Element.prototype.select = function (css) {{ return this.querySelectorAll(css); }};
Function.prototype.bind = function (that) {{
  var f = this; return function () {{ return f.apply(that, arguments); }}; }};
</script>{CHOICE}<input type=checkbox name=about value=a><input type=checkbox name=about value=b>"""
BASE = f"""<!DOCTYPE html><html><head><base href="https://study.example.edu/v2/" target=_blank></head><body>{CHOICE}
<a href="#more" onclick="document.getElementById('more').style.display = 'block'">Show the second question</a>
<div id=more style="display:none"><input name=second></div></body></html>"""
POLICY = f"""<!DOCTYPE html><html><head><meta http-equiv="Content-Security-Policy"
content="default-src 'self'; script-src 'nonce-abc'; form-action https://www.mturk.com"></head><body>{CHOICE}
<button type=button id=go>Next</button><div id=more hidden><textarea name=second></textarea></div>
<script nonce=abc>document.getElementById("go").onclick = function () {{ more.hidden = false; }};</script>
</body></html>"""
GATE = f"""<form><input type=hidden id=assignmentId name=assignmentId value="">
<div id=work style="display:none">{CHOICE}</div>{SUBMIT}</form>
<script>
var asked = new URLSearchParams(location.search), id = asked.get("assignmentId");
if (id && id !== "ASSIGNMENT_ID_NOT_AVAILABLE" &&
    ["workerId", "hitId", "turkSubmitTo"].every((name) => asked.get(name)))
  document.getElementById("work").style.display = "block";
</script>"""
COLUMN_PER_OPTION = """<p>${text}</p><input type=radio name=mood value=Positive><input type=radio name=mood value=N/A>
<input type=checkbox name=topic value="U.S. politics"><input type=checkbox name=topic value="Other (say)">"""
DRAFT = f"""{CHOICE}<textarea name=second></textarea><input type=hidden name=visits>
<script>
var draft = localStorage.getItem("draft") || "", n = Number(localStorage.getItem("n") || 0) + 1;
localStorage.setItem("n", n); document.cookie = "seen=" + n; window.name += "x";
document.querySelector("[name=visits]").value = n + "/" + window.name.length + "/" + document.cookie;
document.querySelector("[name=second]").value = draft;
document.querySelector("[name=second]").onchange = function () {{ localStorage.setItem("draft", this.value); }};
</script>"""
BY_FETCH = f"""<form id=f action="https://www.mturk.com/mturk/externalSubmit" method=post>{CHOICE}
<button type=button id=send>Send my answer</button></form>
<script>document.getElementById("send").onclick = async function () {{
  if (!document.querySelector("[name=q]:checked")) {{ alert("Choose one."); return; }}
  await fetch("https://study.example.org/save", {{ method: "POST", body: "a" }}).catch(function () {{}});
  document.getElementById("f").submit();
}};</script>"""
TWO_FORMS = f"""<form id=search><input name=query><button>Search</button></form>
<form id=answers>{CHOICE}<input type=reset><button type=submit>Send</button></form>
<input name=remark form=answers><input type=checkbox name=flag form=answers value=bad>"""
TIME_LIMIT = f"""<meta http-equiv=refresh content="20;url=https://example.org/timeout">{CHOICE}
<script>window.onbeforeunload = function () {{ return "Leave?"; }};</script>"""


@dataclass(frozen=True)
class Kind:
    """A kind of page: its template, and rows of labels, the first of which are their columns."""

    template: str
    labels: Sequence[Sequence[str]] = (("q",), ("1",))

    @property
    def table(self) -> str:
        """Its batch.csv."""
        header, *rows = self.labels
        return csv_text(
            ["text", *(f"Answer.{name}" for name in header)], *([f"#NAME? {at}", *row] for at, row in enumerate(rows))
        )


BOTH = (("q", "second"), ("2", "a word"))
KINDS = {
    "a control has the name of a property of forms": Kind(
        SHADOWING,
        ((*NAMES, *CHOSEN), tuple(f"w{at}" for at in range(len(NAMES))) + ("y", "n") * 3),
    ),
    "an old library has changed the browser's own functions": Kind(OLD_LIBRARY, (("q", "about"), ("2", "a|b"))),
    "addresses have another base, and another window": Kind(BASE, BOTH),
    "a policy names the scripts and the place of the form": Kind(POLICY, BOTH),
    "the form waits for an accepted assignment in the address": Kind(GATE),
    "labels have a column for each option": Kind(
        COLUMN_PER_OPTION,
        (
            ("mood.Positive", "mood.N/A", "topic.U.S. politics", "topic.Other (say)"),
            ("FALSE", "TRUE", "TRUE", "TRUE"),
            ("TRUE", "FALSE", "TRUE", "FALSE"),
        ),
    ),
    "a draft is kept in the browser": Kind(
        DRAFT, (("q", "second", "visits"), ("1", "kept", "1/1/seen=1"), ("2", "another", "1/1/seen=1"))
    ),
    "a script asks another server and then sends the form": Kind(BY_FETCH),
    "cells and labels are a spreadsheet's errors and formulas": Kind(WORDS, (("q", "second"), ("1", "=A2"))),
    "cells and labels have several lines": Kind(WORDS, (("q", "second"), ("1", "one\r\ntwo"))),
    "there is a second form, and controls outside of theirs": Kind(
        TWO_FORMS, (("q", "remark", "flag"), ("1", "none", "bad"), ("2", "some", ""))
    ),
    "the page leaves by itself and asks whoever leaves": Kind(TIME_LIMIT),
    "the form goes to another window": Kind(
        f"<form target=_blank method=post action=//a.example>{WORDS}{SUBMIT}</form>", BOTH
    ),
    "the button sends the form elsewhere": Kind(
        f"<form>{WORDS}<button formaction=//a.example formmethod=get formtarget=_top formenctype=text/plain>Go</button>"
        "</form>",
        BOTH,
    ),
    "the form is sent as text": Kind(f"<form method=post enctype=text/plain>{WORDS}{SUBMIT}</form>", BOTH),
    "the form closes a dialog": Kind(f"<form method=dialog>{WORDS}{SUBMIT}</form>", BOTH),
}


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    tasks = tmp_path_factory.mktemp("tasks")
    for name, kind in KINDS.items():
        make_task(tasks, name, template=kind.template, table=kind.table)
    with stage(tasks) as at:
        yield at


@pytest.mark.parametrize("name", KINDS)
def test_the_oracle_gets_all_labels_into_a_page_that_can_be_worked(at: Stage, name: str) -> None:
    header, *rows = KINDS[name].labels
    asked = {column.partition(".")[0] for column in header}
    for index in range(len(rows)):
        score = at.score(name, index=index)
        assert score.episode.submission is not None
        assert {field.record.name for field in score.fields} == asked
        assert [field.record.name for field in score.fields if field.score.score < field.score.ceiling] == []

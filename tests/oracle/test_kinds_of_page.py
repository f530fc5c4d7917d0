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
    *("checkValidity", "ownerDocument", "contains", "closest"),
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
BASE = f"""<!DOCTYPE html><html><head><base %s></head><body>{CHOICE}
<a href="#more" onclick="document.getElementById('more').style.display = 'block'">Show the second question</a>
<div id=more style="display:none"><input name=second></div></body></html>"""
ELSEWHERE = 'href="https://study.example.edu/v2/"'
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
<input type=checkbox name=topic value="U.S. politics"><input type=checkbox name=topic value="Other (say)">
<input type=checkbox name=adult value=adult>"""
FILLED = """<input name=text size=60 value="${text}"><input name=second value=${text}>"""
BRACKETS = """<p>${text}</p>
<select name="hobbies[]" multiple><option>climbing</option><option>running</option><option> reading   books </option>
</select><label><input type=radio name="age[0][band]" value=18-25>18-25</label>
<label><input type=radio name="age[0][band]" value=26-99>26-99</label>
<input name="scores[math]"><input name="scores[art]">"""
TYPED = """<p>${text}</p><input type=date name=day><input type=time name=at><input type=number name=price step=0.01>
<input type=number name=count><input type=color name=colour><input type=email name=mail>
<input name=code maxlength=5 pattern="[A-Z]{2}[0-9]{3}">"""
CALENDAR = """<p>${text}</p><input name=date id=date readonly><div id=days style="display: none; width: 16em"></div>
<script>
const shown = new Date(2021, 2, 1), days = document.getElementById("days"), input = document.getElementById("date");
const two = (n) => String(n).padStart(2, "0");
function draw() {
  const last = new Date(shown.getFullYear(), shown.getMonth() + 1, 0).getDate();
  days.innerHTML = "<a href=# class=back>&laquo;</a> " + two(shown.getMonth() + 1) + "/" + shown.getFullYear() +
    " <a href=# class=on>&raquo;</a><br>" +
    Array.from({ length: last }, (_, at) => "<a href=# class=day>" + (at + 1) + "</a>").join(" ");
}
input.onfocus = input.onclick = () => { draw(); days.style.display = "block"; };
days.onclick = (event) => {
  event.preventDefault();
  const pressed = event.target, move = { back: -1, on: 1 }[pressed.className];
  if (move) { shown.setMonth(shown.getMonth() + move); draw(); }
  if (pressed.className !== "day") return;
  input.value = two(shown.getMonth() + 1) + "/" + two(pressed.textContent) + "/" + shown.getFullYear();
  days.style.display = "none";
};
</script>"""
LIST = """<p>${text}</p><select name=city id=city style="display: none"><option value=""></option>
<option value=lon>London</option><option value=rom>Rome</option></select>
<div id=box style="width: 12em; cursor: pointer">Choose a city</div><ul id=list style="display: none"></ul>
<script>
const [city, box, list] = ["city", "box", "list"].map((id) => document.getElementById(id));
box.onclick = () => {
  list.innerHTML = "";
  for (const option of [...city.options].slice(1)) {
    const item = document.createElement("li");
    item.textContent = option.text;
    item.onclick = () => { city.value = option.value; box.textContent = option.text; list.style.display = "none"; };
    list.append(item);
  }
  list.style.display = "block";
};
</script>"""
SPANS = """<input type=hidden name=spans id=spans value="[]"><div id=snippet>Great view, nice staff. ${text}</div>
<script>
const box = document.getElementById("snippet"), plain = box.textContent, spans = [];
function offset(node, at) {
  const range = document.createRange();
  range.selectNodeContents(box);
  range.setEnd(node, at);
  return range.toString().length;
}
box.onmouseup = () => {
  if (getSelection().isCollapsed) return;
  const range = getSelection().getRangeAt(0);
  spans.push([offset(range.startContainer, range.startOffset), offset(range.endContainer, range.endOffset)]);
  getSelection().removeAllRanges();
  let html = "", at = 0;
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    html += plain.slice(at, from) + "<b>" + plain.slice(from, to) + "</b>";
    at = to;
  }
  box.innerHTML = html + plain.slice(at);
  document.getElementById("spans").value = JSON.stringify(spans);
};
</script>"""
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
    "addresses have another base": Kind(BASE % ELSEWHERE, BOTH),
    "links open another window": Kind(BASE % "target=_blank", BOTH),
    "addresses have another base, and another window": Kind(BASE % f"{ELSEWHERE} target=_blank", BOTH),
    "a policy names the scripts and the place of the form": Kind(POLICY, BOTH),
    "the form waits for an accepted assignment in the address": Kind(GATE),
    "labels have a column for each option": Kind(
        COLUMN_PER_OPTION,
        (
            ("mood.Positive", "mood.N/A", "topic.U.S. politics", "topic.Other (say)", "adult.adult"),
            ("FALSE", "TRUE", "TRUE", "TRUE", "TRUE"),
            ("TRUE", "FALSE", "TRUE", "FALSE", "FALSE"),
        ),
    ),
    "boxes are filled beforehand by the column of their name": Kind(
        FILLED, (("text", "second"), ('He said "no" twice', "blackbird"))
    ),
    "names have brackets, and an option has blanks": Kind(
        BRACKETS,
        (
            ("hobbies[]", "age[0][band]", "scores[math]", "scores[art]"),
            ("climbing|running", "18-25", "3", "4"),
            ("reading books", "26-99", "5", "1"),
        ),
    ),
    "inputs are of all types": Kind(
        TYPED,
        (
            ("day", "at", "price", "count", "colour", "mail", "code"),
            ("2021-03-15", "19:30", "3.20", "4", "#ff0000", "bo@example.org", "AB123"),
        ),
    ),
    "a calendar fills an input that cannot be typed into": Kind(
        CALENDAR, (("date",), ("03/14/2021",), ("05/02/2021",), ("01/30/2021",))
    ),
    "a list of divs sets a hidden one": Kind(LIST, (("city",), ("lon",), ("rom",))),
    "selected text is written as offsets, and drawn anew": Kind(
        SPANS, (("spans",), ("[[0,10], [12,22]]",), ("[[12,16]]",))
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

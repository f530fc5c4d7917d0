from __future__ import annotations

import json
import re

import pytest

from harness.observe import ENCODINGS, Encoded, NoSuchField, encode
from harness.observe.outline import with_outline
from harness.observe.snapshot import Snapshot, take
from tests.conftest import Show

QUESTIONS = "".join(
    f"""<div class="question"><h3>Question {number}</h3><p>{"A long story about nothing. " * 20}</p>
    <div><div><label><input type="radio" name="q{number}" value="1"> first of {number}</label></div>
    <div><label><input type="radio" name="q{number}" value="2"> second of {number}</label></div></div></div>"""
    for number in range(12)
)
SURVEY = """
<style>p { color: red }</style><script>var secret_code = 1;</script><!-- a comment -->
<h1>Survey</h1><div><div><section><p>Read <b>this</b>
text.</p></section></div></div>
<table><tr><th>Name</th><th>Age</th></tr>
<tr><td>Ann</td><td><input type="number" name="age" min="0" max="99"></td></tr></table>
<label><input type="checkbox" name="topics" value="a" checked> Topic A</label>
<select name="country"><option value="NL">Netherlands</option><option selected>Belgium</option></select>
<textarea name="why">so so</textarea><input type="range" name="level" min="1" max="5" value="3">
<a href="#more">More</a> <a href="/elsewhere">Leave</a> <div onclick="void 0">Open</div>
<img src="/x.png" alt="a red house"> <button type="button" disabled>Wait</button>
"""


def whole(show: Show, body: str) -> Snapshot:
    browser, _ = show(body)
    return with_outline(browser, take(browser))


def test_simplified_keeps_what_can_be_operated_or_read(show: Show) -> None:
    encoded = encode("simplified", whole(show, SURVEY), count=len)
    for line in (
        "<h1>Survey</h1>",
        "Read this text.",
        '<tr><td>Ann</td><td><input id=1 type="number" name="age" min="0" max="99"></td></tr>',
        '<input id=2 type="checkbox" name="topics" value="a" checked> Topic A '
        '<select id=3 name="country"><option value="NL">Netherlands<option selected>Belgium</select>'
        '<textarea id=4 name="why">so so</textarea> <input id=5 type="range" name="level" value="3" min="1" max="5">'
        " <a id=6>More</a> Leave",
        "<div id=7>Open</div>",
        '<img alt="a red house"> <button disabled>Wait</button>',
        "<button id=8>Submit</button>",
    ):
        assert line.replace("</select><", "</select> <") in [row.strip() for row in encoded.text.splitlines()], line
    assert encoded.refs == {
        "1": "age",
        "2": "topics",
        "3": "country",
        "4": "why",
        "5": "level",
        "6": None,
        "7": None,
        "8": None,
    }


def test_text_is_what_a_person_reads_with_marks(show: Show) -> None:
    lines = encode("text", whole(show, SURVEY), count=len).text.splitlines()
    assert "Read this text." in lines
    assert 'Ann | [1 text "age" = "" (0 to 99)]' in lines
    assert any('[2 checkbox "topics" = "a" chosen] Topic A' in line for line in lines)
    assert any('[3 select "country": "NL" Netherlands; "Belgium" (chosen)]' in line for line in lines)
    assert not any("secret_code" in line or "comment" in line for line in lines)


def test_axtree_tells_roles_names_states_and_fields(show: Show) -> None:
    lines = [line.strip() for line in encode("axtree", whole(show, SURVEY), count=len).text.splitlines()]
    assert 'heading "Survey" level 1' in lines
    assert '[2] checkbox "Topic A" field="topics" value="a" checked' in lines
    assert '[8] button "Submit"' in lines
    assert 'image "a red house"' in lines
    assert any(line.startswith('[1] spinbutton field="age"') for line in lines)


def test_a_control_that_the_accessibility_tree_lacks_stands_at_its_end(show: Show) -> None:
    body = '<label><input type="radio" name="drawn" value="1" style="display:none"><i>Drawn one</i></label>'
    lines = encode("axtree", whole(show, body), count=len).text.splitlines()
    assert lines[-2:] == [
        "Not in the accessibility tree:",
        ' [1] radio "Drawn one" field="drawn" value="1"',
    ]


def test_axtree_asks_for_a_snapshot_with_the_outline(show: Show) -> None:
    browser, actions = show(SURVEY)
    with pytest.raises(ValueError, match="outline"):
        encode("axtree", take(browser), count=len)
    assert "heading" in encode("axtree", actions.observation.snapshot("axtree"), count=len).text


@pytest.mark.parametrize("file", ["radio", "checkbox", "select", "text", "names", "broken-labels", "button-group"])
def test_relevant_is_what_get_html_gives_around_a_field(show: Show, file: str) -> None:
    browser, actions = show(file=file)
    snapshot = take(browser)
    assert snapshot.controls
    for name in snapshot.controls:
        assert encode("relevant", snapshot, field=name, count=len).text == actions.get_html(name).text


def test_relevant_writes_overlapping_surroundings_once(show: Show) -> None:
    text = encode("relevant", whole(show, "<p><input name='a'> and <input name='b'></p>"), count=len).text
    assert text.count('name="a"') == 1
    assert text.count('name="b"') == 1


# ---- relevant-5-10: what was sent, with what follows from how it was cut ------------------------------------------


def sent(show: Show, body: str, field: str, budget: int | None = None) -> list[str]:
    """The pieces, as lines."""
    return encode("relevant-5-10", whole(show, body), field=field, budget=budget, count=len).text.split("\n")


PIECES = "".join(f"<b>{number}</b>" for number in range(20))


def test_five_pieces_stand_before_a_tag_that_is_found_and_nine_behind_it(show: Show) -> None:
    lines = sent(show, f'<div><p>{PIECES}<input name="a">{PIECES}</p></div>', "a")
    assert lines[:6] == ["17</b>", "<b>", "18</b>", "<b>", "19</b>", '<input name="a">']
    assert lines[6:] == ["<b>", "0</b>", "<b>", "1</b>", "<b>", "2</b>", "<b>", "3</b>", "<b>"]


CUT_BY_THE_BROWSER = """(name => {
    const first = document.getElementsByName(name)[0];
    const pieces = first.parentElement.parentElement.outerHTML.split(">").map(piece => piece + ">");
    const here = pieces.lastIndexOf(first.outerHTML);
    return pieces.slice(Math.max(0, here - 5), here + 10).join("\\n");
})"""


@pytest.mark.parametrize("file", ["radio", "checkbox", "select", "text", "textarea", "names", "broken-labels", "range"])
def test_what_was_sent_is_what_the_browser_itself_cuts(show: Show, file: str) -> None:
    shown = show(file=file)
    snapshot = take(shown.browser)
    assert snapshot.controls
    for name in snapshot.controls:
        cut = shown.page(f"{CUT_BY_THE_BROWSER}({json.dumps(name)})")
        assert encode("relevant-5-10", snapshot, field=name, count=len).text == cut, name


@pytest.mark.parametrize(
    "control",
    [' <input name="a">', '<textarea name="a"></textarea>', '<select name="a"><option>1</option></select>'],
    ids=["a blank before it", "a text with an end", "a list with options"],
)
def test_where_the_tag_is_not_found_the_first_nine_pieces_are_sent(show: Show, control: str) -> None:
    lines = sent(show, f"<div><p>{PIECES}{control}{PIECES}</p></div>", "a")
    assert lines == ["<div>", "<p>", *(f"{piece}" for number in range(3) for piece in ("<b>", f"{number}</b>")), "<b>"]


def test_the_first_element_of_the_name_counts_and_of_equal_tags_the_last(show: Show) -> None:
    body = f'<div><p><input type="hidden" name="a">{PIECES}<input type="hidden" name="a"></p></div><input name="a">'
    lines = sent(show, body, "a")
    assert lines[5:] == ['<input type="hidden" name="a">', "</p>", "</div>", ">"]


def test_only_two_levels_around_the_element_are_looked_at(show: Show) -> None:
    lines = sent(show, '<main><div><p>one<input name="a"></p></div></main>', "a")
    assert lines == ["<div>", "<p>", 'one<input name="a">', "</p>", "</div>", ">"]
    assert sent(show, '<main><div><p><input name="a"></p></div></main>', "a")[2] == '<input name="a">'


def test_what_was_sent_takes_fewer_pieces_within_a_budget(show: Show) -> None:
    body = f'<div><p>{PIECES}<input name="a">{PIECES}</p></div>'
    assert sent(show, body, "a", 40) == ["<b>", "19</b>", '<input name="a">', "<b>", "0</b>"]
    encoded = encode("relevant-5-10", whole(show, body), field="a", budget=40, count=len)
    assert encoded.shrunk == ("kept 2 pieces before the field and 3 from it on",)


def shows(name: str, encoded: Encoded, field: str) -> bool:
    """Whether a page in an encoding has a field."""
    if name == "autowebglm":  # the paper's white list has no names
        return field in encoded.refs.values()
    return bool(re.search(rf"name={field}\b|{field}\"", encoded.text))


# ---- budgets ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(ENCODINGS))
def test_a_budget_is_kept_with_the_field_in_it(show: Show, name: str) -> None:
    snapshot = whole(show, QUESTIONS)
    everything = encode(name, snapshot, field="q7", count=len)
    assert everything.shrunk == ()
    sizes = []
    for budget in (4000, 1500, 700):
        encoded = encode(name, snapshot, field="q7", budget=budget, count=len)
        assert encoded.tokens == len(encoded.text) <= budget
        assert shows(name, encoded, "q7")
        assert bool(encoded.shrunk) == (everything.tokens > budget)
        sizes.append(encoded.tokens)
    assert sizes == sorted(sizes, reverse=True)
    if not name.startswith("relevant"):
        assert "second of 7" in encode(name, snapshot, field="q7", budget=1500, count=len).text


@pytest.mark.parametrize("name", list(ENCODINGS))
def test_without_a_field_all_are_kept_as_long_as_they_fit(show: Show, name: str) -> None:
    snapshot = whole(show, QUESTIONS)
    fields = snapshot.visible_fields
    roomy = encode(name, snapshot, budget=6000, count=len)
    assert all(shows(name, roomy, field) for field in fields)
    tight = encode(name, snapshot, budget=300, count=len)
    assert tight.tokens <= 300
    told = next(note for note in tight.shrunk if note.startswith("left out fields: "))
    gone = told.removeprefix("left out fields: ").split(", ")
    assert [field for field in fields if not shows(name, tight, field)] == gone


def test_a_field_larger_than_the_budget_is_kept_and_exceeds_it(show: Show) -> None:
    encoded = encode("simplified", whole(show, QUESTIONS), field="q3", budget=10, count=len)
    assert 'name="q3"' in encoded.text
    assert encoded.tokens > 10
    assert encoded.shrunk


def test_long_lists_keep_their_first_and_their_chosen_options(show: Show) -> None:
    options = "".join(f"<option value='{n}'{' selected' if n == 240 else ''}>Option {n}</option>" for n in range(250))
    snapshot = whole(show, f"<input name='other'><select name='long'>{options}</select>")
    encoded = encode("simplified", snapshot, field="other", budget=2000, count=len)
    assert "Option 0" in encoded.text
    assert "Option 240" in encoded.text
    assert "Option 249" not in encoded.text
    assert "more -->" in encoded.text


def test_a_field_that_nobody_sees_is_shown_when_it_is_asked_for(show: Show) -> None:
    snapshot = whole(show, "<input name='seen'><div hidden><input name='later'></div>")
    for name in set(ENCODINGS) - {"autowebglm"}:  # which has no names, and a field without a letter has nothing else
        assert "later" in encode(name, snapshot, field="later", count=len).text
    assert "later" not in encode("text", snapshot, count=len).text


def test_an_unknown_field_is_refused_with_those_that_there_are(show: Show) -> None:
    with pytest.raises(NoSuchField, match=r"no field 'nope' is on the page now; there are 'a'"):
        encode("text", whole(show, "<input name='a'>"), field="nope", count=len)


def test_an_unknown_encoding_is_refused_with_those_that_there_are(show: Show) -> None:
    with pytest.raises(ValueError, match="unknown encoding 'png'; there are full, relevant"):
        encode("png", whole(show, ""), count=len)


def test_a_page_without_fields_is_encoded_and_shrinks(show: Show) -> None:
    snapshot = whole(show, f"<p>{'many words ' * 2000}</p>")
    for name in set(ENCODINGS) - {"relevant", "relevant-5-10"}:
        encoded = encode(name, snapshot, budget=1000, count=len)
        assert encoded.tokens <= 1000, name
        assert "Submit" in encoded.text

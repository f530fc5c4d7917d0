"""Where pages and labels do not fit: pure functions over a task, the fields of its pages, and its labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.browser.form.fields import Field, Option
from harness.catalog import Catalog, Task
from harness.catalog.mirror.outside import MissingAddresses
from harness.catalog.mirror.store import BUILD
from oracle.check.mistakes.mistake import Mistake
from oracle.check.mistakes.outside import OutsideWorld
from oracle.check.mistakes.survey import other_columns, see, task_mistakes
from tests.task_folders import csv_text, make_task

NOTHING = OutsideWorld(
    missing=lambda _task, _instance: MissingAddresses(),
    fixed_media=lambda _task: (),
    can_be_built=lambda _url: False,
    assets=lambda _task: (),
)
SCRIPT, STYLE = "https://x.example/a.js", "https://x.example/a.css"


def field(name: str, kind: str = "text", *options: str | tuple[str, str], **values: Any) -> Field:
    """A visible field; an option is its value, or its value and what it shows."""
    pairs = [(option, option) if isinstance(option, str) else option for option in options]
    made = tuple(Option(value, text, visible=True) for value, text in pairs)
    given = {"visible": kind != "hidden", "disabled": False, "multiple": False, "scale": None, "initial": ()}
    return Field(name=name, kind=kind, type=kind, options=made, **{**given, **values})  # type: ignore[arg-type]


def a_task(folder: Path, labels: Sequence[dict[str, str]], template: str = "<p>", **facts: Any) -> Task:
    """A task of one page, with one row for each worker's labels; other columns have a name with a star before it."""
    columns = list(dict.fromkeys(name for each in labels for name in each))
    header = [name.removeprefix("*") if name.startswith("*") else f"Answer.{name}" for name in columns]
    rows = [[each.get(name, "") for name in columns] for each in labels]
    make_task(folder, "T", template=template, table=csv_text(header, *rows), facts=facts)
    return Catalog(folder).task("T")


def look(task: Task, *fields: Field, world: OutsideWorld = NOTHING) -> list[Mistake]:
    return task_mistakes(task, see(task, {0: fields} if fields else {0: ()}), other_columns(task), world)


def only(found: Sequence[Mistake]) -> Mistake:
    (mistake,) = found
    return mistake


def typed(type_: str) -> Field:
    """A field for text whose input has a type of its own."""
    return replace(field("a"), type=type_)


RADIO = field("a", "radio", ("g", "good"), ("b", "bad"))
OR_OTHER = replace(RADIO, open=True)
BOXES = field("a", "checkbox", ("1", "one"), ("2", "two"), ("3", "three"))
LIST = field("a", "select", ("", "Please choose"), "red", "blue")
LISTS = field("a", "select", "red", "blue", multiple=True)
BOX = field("a", "checkbox", "yes")
SLIDER = field("a", "range", scale=(0, 10, 0.5))


@pytest.mark.parametrize(
    ("page", "label", "kind", "said"),
    [
        (RADIO, "x", "no option", "the radio group has no such option: wanted 'x'; possible 'g', 'b'"),
        (RADIO, "good", "shown text", "not its value: wanted 'good'; possible 'g', 'b'. Write 'g' in Answer.a."),
        (RADIO, "g|b", "joined otherwise", "the label is several values, and a radio group takes one"),
        (OR_OTHER, "g|b", "joined otherwise", "the label is several values, and a radio group takes one"),
        (OR_OTHER, "good", "shown text", "Write 'g' in Answer.a"),
        (LIST, "rot", "no option", "the list has no such option: wanted 'rot'; possible 'red', 'blue'"),
        (LIST, "bleu", "no option", "Correct the label in Answer.a (perhaps 'blue' is meant)"),
        (LISTS, "red, blue", "joined otherwise", "Write 'red|blue' in Answer.a"),
        (
            BOXES,
            "1,3",
            "joined otherwise",
            "than by a bar: wanted '1,3'; possible '1', '2', '3'. Write '1|3' in Answer.a.",
        ),
        (BOXES, "one; three", "joined otherwise", "Write '1|3' in Answer.a"),
        (BOXES, "two", "shown text", "Write '2' in Answer.a"),
        (BOXES, "1|9", "no option", "the group of checkboxes has no such option: wanted '1|9'"),
        (BOX, "maybe", "no option", "the checkbox has no such option: wanted 'maybe'; possible 'yes', 'on', 'True', "),
        (SLIDER, "10.5", "beyond the range", "wanted '10.5'; possible '0 to 10 in steps of 0.5'"),
        (SLIDER, "much", "beyond the range", "the label of a slider has to be a number"),
    ],
)
def test_a_label_that_its_field_cannot_hold(tmp_path, page, label, kind, said):
    found = only(look(a_task(tmp_path, [{"a": label}]), page))
    assert (found.kind, found.field, found.rows, found.wanted) == (kind, "a", (2,), label)
    assert str(found).startswith("T, batch.csv row 2, field 'a': ")
    assert said in str(found)


@pytest.mark.parametrize(
    ("page", "labels"),
    [
        (RADIO, ["g", "b", "", "{}", "G"]),
        (OR_OTHER, ["g", "b|", "b|neither", "neither"]),
        (LIST, ["red", " blue"]),
        (BOXES, ["1|3", "2", "", "False"]),
        (BOX, ["yes", "on", "True", "off", "False", ""]),
        (SLIDER, ["0", "10", "10.0", "2.5", ""]),
        (field("a"), ["anything, at all"]),
        (field("a", "select", ""), ["an option that a script adds"]),
        (field("a", "hidden"), ["what a script writes"]),
    ],
)
def test_labels_that_fit_are_no_mistake(tmp_path, page, labels):
    assert look(a_task(tmp_path, [{"a": label} for label in labels]), page) == []


@pytest.mark.parametrize(
    ("page", "label", "said"),
    [
        (typed("date"), "3/14/2021", "a date as 2021-03-14, and the label is written otherwise: wanted '3/14/2021'. "
         "Write '2021-03-14' in Answer.a, and keep the column as text in the spreadsheet."),
        (typed("date"), "3/4/2021", "Write '2021-03-04' or '2021-04-03', whichever is meant, in Answer.a"),
        (typed("time"), "7:30 PM", "Write '19:30' in Answer.a"),
        (typed("number"), "12,50", "Write '12.50' in Answer.a"),
        (typed("number"), "many", "Correct the label in Answer.a, or make the field one for any text."),
        (typed("color"), "red", "Write '#ff0000' in Answer.a"),
        (field("a", "radio", "1-2", "3-4"), "1-Feb", "written the label anew: wanted '1-Feb'; possible '1-2'"),
        (field("a", "select", "0.5", "1.5"), "1,5", "Write '1.5' in Answer.a"),
        (field("a", "checkbox", "1-2", "3-4"), "03-Apr", "Write '3-4' in Answer.a"),
    ],
)  # fmt: skip
def test_a_label_that_a_spreadsheet_or_a_locale_wrote_anew_is_told_with_what_to_write(tmp_path, page, label, said):
    found = only(look(a_task(tmp_path, [{"a": label}]), page))
    assert (found.kind, found.rows, found.counts) == ("other notation", (2,), True)
    assert said in str(found)


def test_what_a_spreadsheet_wrote_for_a_slider_is_told_as_a_number(tmp_path):
    found = only(look(a_task(tmp_path, [{"a": "2,5"}]), field("a", "range", scale=(0, 10, 0.5))))
    assert "Write '2.5' in Answer.a." in str(found)


def test_columns_of_options_are_not_homeless_where_the_field_has_a_column_of_its_own(tmp_path):
    said = {"a": "1", "a.1": "True", "a.2": "4"}
    assert look(a_task(tmp_path, [said, {**said, "a.1": "8"}]), field("a", "radio", "1", "2")) == []


def test_a_second_column_that_a_tool_renamed_is_told(tmp_path):
    task = a_task(tmp_path, [{"a": "g", "a.1": "True"}, {"a": "b", "a.1": "False"}])
    found = only(look(task, RADIO))
    assert (found.kind, found.field, found.rows) == ("no field", "a.1", (2, 3))
    assert "If it is a second column 'Answer.a', as pandas renames it, remove it; else give a field" in str(found)


def test_cells_and_variables_of_the_whole_table_are_told_beside_the_pages_that_were_looked_at(tmp_path):
    template = '<input name=a value="${*text}">'.replace("*", "")
    task = a_task(tmp_path, [{"*text": "x", "a": "1"}, {"*text": 'say "hi"', "a": "#REF!"}], template)
    assert {each.kind: each.rows for each in look(task, field("a"))} == {"cut cell": (3,), "damaged text": (3,)}


def test_equal_labels_are_one_mistake_with_all_their_rows(tmp_path):
    found = look(a_task(tmp_path, [{"a": label} for label in ("x", "g", "x", "y")]), RADIO)
    assert [(each.wanted, each.rows) for each in found] == [("x", (2, 4)), ("y", (5,))]


def test_what_the_facts_explain_is_kept_and_does_not_count(tmp_path):
    found = only(look(a_task(tmp_path, [{"a": "x"}], unreachable={"a*": "the page lost it"}), RADIO))
    assert (found.counts, found.is_note) == (False, False)
    assert str(found).endswith("Known: the page lost it.")


def test_a_column_whose_name_is_nearly_that_of_a_field(tmp_path):
    found, _ = look(a_task(tmp_path, [{"comand": "x"}]), field("comment"), field("command"))
    assert (found.kind, found.wanted, found.possible) == ("almost a field", "Answer.command", ("Answer.comand",))
    assert "call the column Answer.command, or the field comand" in found.remedy


def test_names_that_differ_in_their_numbers_are_not_taken_for_each_other(tmp_path):
    found = look(a_task(tmp_path, [{"question_1": "x", "question_2": "y"}]), field("question_1"), field("question_3"))
    assert [each.kind for each in found] == ["no field", "no column"]


def test_a_column_without_a_field_is_told_with_the_rows_that_it_labels(tmp_path):
    task = a_task(tmp_path, [{"a": "g", "old": ""}, {"a": "b", "old": "x"}])
    found = only(look(task, RADIO))
    assert (found.kind, found.field, found.rows, found.counts) == ("no field", "old", (3,), True)


@pytest.mark.parametrize("facts", [{"not_answers": {"old": "a clock"}}, {"kinds": {"old": "text"}}])
def test_a_column_of_which_the_facts_say_more_is_no_mistake(tmp_path, facts):
    assert look(a_task(tmp_path, [{"a": "g", "old": "x"}], **facts), RADIO) == []


def test_a_column_that_says_that_the_page_had_no_such_field_is_no_mistake(tmp_path):
    assert look(a_task(tmp_path, [{"a": "g", "old": "None"}]), RADIO) == []


def test_a_field_without_a_column_is_a_note(tmp_path):
    found = only(look(a_task(tmp_path, [{"a": "g"}]), RADIO, field("comment"), field("id", "hidden")))
    assert (found.kind, found.field, found.is_note) == ("no column", "comment", True)


@pytest.mark.parametrize("column", ["comment", "answer.comment", "Answer_comment"])
def test_a_column_that_lacks_answer_before_the_name_of_a_field(tmp_path, column):
    found = only(look(a_task(tmp_path, [{"a": "g", f"*{column}": "fine"}]), RADIO, field("comment")))
    assert (found.kind, found.wanted, found.possible) == ("no column", "Answer.comment", (column,))
    assert found.counts


def test_a_page_without_fields_is_one_mistake(tmp_path):
    found = only(look(a_task(tmp_path, [{"a": "g", "b": "x"}])))
    assert (found.kind, found.wanted) == ("no fields at all", "a, b")


CROWD = "<crowd-form>\n<crowd-classifier name=mood></crowd-classifier><crowd-input name=why></crowd-input></crowd-form>"


@pytest.mark.parametrize(
    ("template", "line", "said", "remedy"),
    [
        (
            CROWD,
            2,
            "<crowd-classifier> makes its field by a script",
            'Write <script src="https://assets.crowd.aws/crowd',
        ),
        ('<script src="//a.example/crowd-html-elements.js"></script>' + CROWD, 2, "which is not here", "at `mirror`"),
        ("<star-rating name=why></star-rating>", 1, "<star-rating> makes", "the script that defines <star-rating>"),
    ],
)
def test_a_page_whose_fields_a_missing_script_would_make_is_told_so(tmp_path, template, line, said, remedy):
    found = only(look(a_task(tmp_path, [{"mood.label": "g", "why": "x"}], template)))
    assert (found.kind, found.line, found.wanted) == ("no fields at all", line, "mood.label, why")
    assert (said in found.what, remedy in found.remedy) == (True, True)


def test_a_field_that_a_missing_script_would_make_is_told_beside_those_that_are_there(tmp_path):
    task = a_task(tmp_path, [{"a": "g", "mood.label": "g"}], CROWD)
    found = [each for each in look(task, RADIO) if each.kind == "no field"]
    assert [(each.field, each.rows, "by a script, which is not here" in each.what) for each in found] == [
        ("mood.label", (2,), True)
    ]
    (other,) = [each for each in look(task, RADIO, field("why")) if each.kind == "no field"]
    assert "by a script" not in other.what


def test_a_control_of_a_form_that_is_not_there_is_told_since_it_is_not_sent(tmp_path):
    template = "<form id=f></form><select name=out form=g><option>x</select><input name=in form=f>"
    found = only(look(a_task(tmp_path, [{"a": "g", "out": "x"}], template), RADIO))
    assert (found.kind, found.field, found.rows, found.line) == ("no field", "out", (2,), 1)
    assert "its control is of the form 'g', and no form has this id, so that it is not sent" in found.what
    assert 'form="g"' in found.remedy


def test_radio_buttons_without_a_value_are_told_with_what_the_labels_say(tmp_path):
    buttons = '\n<input type="radio" name="a">yes\n<input type="radio" name="a">no'
    found = only(look(a_task(tmp_path, [{"a": "yes"}, {"a": "no"}], buttons), field("a", "radio", "on", "on")))
    assert (found.kind, found.line, found.wanted) == ("no value", 2, "no, yes")


def test_radio_buttons_of_an_example_may_have_no_value(tmp_path):
    example = '<input type="radio" name="example" disabled><input type="radio" name="example" checked>'
    assert look(a_task(tmp_path, [{"a": "g"}], example), RADIO) == []


@pytest.mark.parametrize(
    "markup", ["<textarea></textarea>", "<input>", '<input type="text" name="">', "<select></select>"]
)
def test_a_control_without_a_name_is_a_mistake(tmp_path, markup):
    found = only(look(a_task(tmp_path, [{"a": "g"}], f"\n\n{markup}"), RADIO))
    assert (found.kind, found.line, found.counts) == ("no name", 3, True)
    assert "name=" in found.remedy


@pytest.mark.parametrize(
    "markup",
    [
        "<input disabled>",
        "<input type=hidden>",
        "<input type=submit>",
        "<textarea readonly></textarea>",
        "<input type=file>",
    ],
)
def test_a_control_that_nobody_fills_in_needs_no_name(tmp_path, markup):
    assert look(a_task(tmp_path, [{"a": "g"}], markup), RADIO) == []


def test_a_control_whose_id_is_the_name_of_a_column_wants_it_as_a_name_even_if_there_is_a_script(tmp_path):
    task = a_task(tmp_path, [{"a": "g", "words": "x"}], '<input id="words"><script>start()</script>')
    homeless, nameless = look(task, RADIO)
    assert (homeless.kind, nameless.kind, nameless.wanted, nameless.counts) == ("no field", "no name", "words", True)
    assert nameless.remedy == 'Write name="words" into it'


def test_a_control_without_a_name_that_a_script_may_read_is_a_note(tmp_path):
    task = a_task(tmp_path, [{"a": "g"}], '<input id="search"><script>find(search.value)</script>')
    assert only(look(task, RADIO)).is_note


@pytest.mark.parametrize(
    ("template", "line", "wanted", "fields"),
    [
        ('\n<input type="text" name="a>\n<input type="text" name="b">', 2, 'name="a"', "ab"),
        ("<input name='a>\n<textarea name='b'></textarea>", 1, "name='a'", "ab"),
        ('<input name="a>\n<p>the end', 1, 'name="a"', "a"),
        ('<input type="radio" name="a value="g"> <input type="radio" name="a" value="b">', 1, 'name="a"', "a"),
        ('<div class="x>\n<select name="b"><option>1</select>', 1, 'class="x"', "b"),
    ],
)
def test_a_quote_that_is_never_closed_is_told_with_what_it_swallows(tmp_path, template, line, wanted, fields):
    found = only(look(a_task(tmp_path, [dict.fromkeys(fields, "x")], template)))
    assert (found.kind, found.line, found.wanted) == ("open quote", line, wanted)
    assert all(f"field {name!r}" in str(found) for name in fields)


@pytest.mark.parametrize(
    "template",
    [
        """<input name="a" onclick="go('<input>')">""",
        """<input name="a" title='"<b>" is bold'>""",
        """<div id="x""><input name="a"></div>""",
        """<input name="a" data-markup="<input name=b>">""",
    ],
)
def test_markup_inside_attributes_is_no_open_quote(tmp_path, template):
    assert look(a_task(tmp_path, [{"a": "g"}], template), RADIO) == []


def test_a_picture_that_is_expected_beside_the_page_is_a_note_where_it_is_not_in_the_folder_media(tmp_path):
    template = "<img src=${text}><img src=media/there.png><img src=data:,><img src=//a.example/x.png><input name=a>"
    task = a_task(tmp_path, [{"*text": "images/0.png", "a": "x"}], template)
    (task.folder / "media").mkdir()
    (task.folder / "media" / "there.png").write_bytes(b"")
    (note,) = [each for each in look(task) if "beside it" in each.what]
    assert (note.wanted, note.rows, note.is_note) == ("images/0.png", task.instances[0].rows, True)
    assert "folder media" in note.remedy


FORM = "<form><p>${text}</p><input name=a><input name=b></form>"


@pytest.mark.parametrize("template", [FORM, "<p>${text}</p><input name=a><input name=b>"])
def test_a_cell_that_ends_the_form_is_told_with_its_row_and_the_fields_that_are_not_sent(tmp_path, template):
    task = a_task(tmp_path, [{"*text": "see </div></form> there", "a": "x"}], template)
    found = [each for each in look(task) if each.kind == "closed form"]
    assert [(each.field, each.rows) for each in found] == [(name, task.instances[0].rows) for name in "ab"]
    assert "the cell of text holds </form>" in found[0].what
    assert "Write &lt;" in found[0].remedy


def test_a_tag_of_a_form_that_is_text_of_the_page_is_no_mistake(tmp_path):
    task = a_task(tmp_path, [{"*text": "</form>", "a": "x"}], "<form><textarea>${text}</textarea><input name=a></form>")
    assert "closed form" not in [each.kind for each in look(task)]


def test_what_pages_ask_for_from_elsewhere_is_told_by_line_and_by_column(tmp_path):
    template = '\n<script src="https://x.example/a.js"></script><img src="https://x.example/b.png"><img src="${url}">'
    make_task(tmp_path, "T", template=template, table="url,Answer.a\nhttps://x.example/c.png,g\n")
    world = replace(
        NOTHING,
        missing=lambda _task, instance: MissingAddresses((instance.inputs["url"],), (SCRIPT,)),
        fixed_media=lambda _task: ("https://x.example/b.png",),
    )
    script, picture, cell = look(Catalog(tmp_path).task("T"), RADIO, world=world)
    assert [each.kind for each in (script, picture, cell)] == ["outside"] * 3
    assert [(each.line, each.rows) for each in (script, picture, cell)] == [(2, ()), (2, ()), (None, (2,))]
    assert "column url" in cell.remedy


def test_scripts_that_the_mirror_would_have_are_one_mistake(tmp_path):
    missing = MissingAddresses((), (SCRIPT, STYLE))
    world = replace(NOTHING, missing=lambda _task, _instance: missing, can_be_built=lambda _url: True)
    found = only(look(a_task(tmp_path, [{"a": "g"}]), RADIO, world=world))
    assert (found.counts, found.wanted, f"`{BUILD}` gets them" in found.remedy) == (
        True,
        SCRIPT,
        True,
    )


def test_scripts_that_the_mirror_serves_are_a_note(tmp_path):
    world = replace(NOTHING, assets=lambda _task: (SCRIPT, STYLE))
    found = only(look(a_task(tmp_path, [{"a": "g"}]), RADIO, world=world))
    assert (found.is_note, found.what.endswith("where the mirror was built (2)")) == (True, True)


def test_what_the_table_alone_tells_is_a_note(tmp_path):
    template, header = "${t}", ["t", "Answer.a", "Answer.b", "Answer.c"]
    rows = [["1", "g", "", "same"], ["2", "b", "", "same"], ["3", "", "", ""]]
    make_task(tmp_path, "T", template=template, table=csv_text(header, *rows))
    found = look(Catalog(tmp_path).task("T"), RADIO, field("b"), field("c"))
    assert all(each.is_note for each in found)
    assert [each.what for each in found] == [
        "nobody labelled 1 of its 3 instances, which runs leave out",
        "1 of its columns of labels is empty in every row and not scored: Answer.b",
        "1 of its columns of labels says the same in every row: who knows it needs no page: Answer.c",
    ]


def test_a_line_is_one_line_and_names_no_more_rows_and_values_than_a_reader_takes_in():
    mistake = Mistake(
        "T", "no option", "what", "Do", "a", tuple(range(1, 9)), wanted="x\ny" * 99, possible=tuple("abcdefghij")
    )
    line = str(mistake)
    assert "rows 1, 2, 3, 4, 5 and more" in line
    assert "'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h' and more" in line
    assert "\n" not in line
    assert len(line) < 320

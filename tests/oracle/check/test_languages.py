"""What the check says of variables of other template languages, and of columns that no page shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.catalog import Catalog
from oracle.check.mistakes.languages import language_mistakes
from oracle.check.mistakes.mistake import Mistake
from oracle.check.mistakes.survey import other_columns
from tests.task_folders import make_task

FIELD = "\n<input name=q>"


def mistakes(folder: Path, template: str, table: str = "text,Answer.q\nHello,1\nBye,2\n") -> list[Mistake]:
    make_task(folder, "T", template=template + FIELD, table=table)
    task = Catalog(folder).task("T")
    return list(language_mistakes(task, other_columns(task)))


@pytest.mark.parametrize(
    ("written", "language"),
    [
        ("${ text }", "FreeMarker, JSP or Qualtrics"),
        ("${text|e}", "FreeMarker, JSP or Qualtrics"),
        ("${text?html}", "FreeMarker"),
        ("${e://Field/text}", "Qualtrics"),
        ("{{ task.input.text }}", "SageMaker Ground Truth"),
        ("{{ task.input.text | skip_autoescape }}", "SageMaker Ground Truth"),
        ("{{text}}", "Jinja, Liquid or Mustache"),
        ("{{ row.text|safe }}", "Jinja, Liquid or Mustache"),
        ("{{{text}}}", "Mustache"),
        ("{% for each in text %}", "Jinja or Liquid"),
        ("<%= text %>", "ERB, EJS or JSP"),
        ("<?= $text ?>", "PHP"),
        ("#{text}", "Ruby, Pug or JSF"),
        ("%(text)s", "Python's % formatting"),
        ("[[text]]", "Thymeleaf"),
        ("$text", "Label Studio"),
        ("{text}", "Python's str.format"),
        ("%%text%%", "a mail merge"),
    ],
)
def test_a_variable_of_another_language_is_named_with_its_line_and_what_to_write(tmp_path, written, language):
    variable, none = mistakes(tmp_path, f"<!-- {written} -->\n<p title='x'>One: {written}</p>")
    assert (variable.kind, variable.line, variable.counts) == ("foreign template", 2, True)
    assert f"{written} is not filled in: it looks like a template of " in str(variable)
    assert language in str(variable)
    assert "Write ${text} instead." in str(variable)
    assert "the page shows none of its columns: 'text', so that 2 rows with different inputs are one instance" in str(
        none
    )
    assert (none.counts, language in str(none)) == (True, True)


def test_all_spellings_of_one_column_are_one_mistake(tmp_path):
    template = "<p>${ text }</p><p>{{ task.input.text }}</p><p>${text|e}</p><p>{{text}}</p>"
    variable, _ = mistakes(tmp_path, template)
    assert "${ text }, {{ task.input.text }}, ${text|e}, {{text}} are not filled in" in str(variable)


def test_an_object_of_ground_truth_without_a_column_asks_for_one(tmp_path):
    variable, _ = mistakes(tmp_path, "<p>{{ task.input.source }}</p>")
    assert "Write ${source} instead, and add a column source." in str(variable)


def test_in_a_script_text_with_double_braces_is_a_variable_and_a_template_literal_is_none(tmp_path):
    assert len(mistakes(tmp_path / "a", "<script>var t = '{{ text }}'</script>")) == 2
    (none,) = mistakes(tmp_path / "b", "<script>var t = `${ text }` + $text + {text}</script>")
    assert "Write ${text} where the column 'text' is to stand, or leave it." in str(none)


@pytest.mark.parametrize("template", ["<p>${text}</p>", "<p>${text} {{ text }} costs $5 {other}</p>"])
def test_a_page_that_shows_its_columns_has_no_mistake(tmp_path, template):
    assert mistakes(tmp_path, template) == []


def test_a_page_that_shows_no_column_is_a_mistake_where_inputs_differ_and_else_a_note(tmp_path):
    (differ,) = mistakes(tmp_path / "a", "<p>")
    (same,) = mistakes(tmp_path / "b", "<p>", "text,Answer.q\nHello,1\nHello,2\n")
    assert (differ.counts, same.counts) == (True, False)
    assert mistakes(tmp_path / "c", "<p>", "HITId,WorkerId,Title,Answer.q\nh,w,t,1\ni,v,t,2\n") == []


def test_rows_with_equal_pages_and_different_inputs_are_told(tmp_path):
    (note,) = mistakes(tmp_path, "${text}", "text,model,WorkerId,Answer.q\nHello,a,w,1\nHello,b,v,2\nBye,b,w,1\n")
    assert note.is_note
    assert "rows with equal pages are one instance, though they differ in 'model'. Write ${model}" in str(note)


def test_in_a_script_a_variable_spread_by_a_formatter_is_not_filled_in(tmp_path):
    variable, _ = mistakes(tmp_path, "<script>var t = ${ text };\nvar n = `${ text }`;</script>")
    assert (variable.line, variable.counts) == (1, True)
    assert "${ text } is not filled in" in str(variable)
    assert "Write ${text} instead" in str(variable)

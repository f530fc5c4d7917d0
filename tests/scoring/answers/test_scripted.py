from __future__ import annotations

import pytest

from harness.scoring.answers.scripted import LaterField, later_fields


def found(script: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    fields = later_fields(f"<p>before</p><script>{script}</script>")
    return {field.pattern.pattern: (field.kind, field.options) for field in fields}


def the_field(script: str) -> LaterField:
    (field,) = later_fields(f"<script>{script}</script>")
    return field


@pytest.mark.parametrize(
    "script",
    [
        """html += '<input name="child_' + n + '_age">';""",
        """html += '<input name="child_'+ n.toString() +'_age" type="number">';""",
        """html += "<input name='child_" + (n + 1) + "_age'>";""",
        """html += "<input name=\\"child_" + n + "_age\\">";""",
        """html += `<input name="child_${n}_age">`;""",
        """html += `<input name="child_` + n.toString() +\n   `_age">`;""",
        """html += '<input ' +\n 'name="child_' + n +\n '_age">';""",
        """html += '<input name="child_' + n +\n // in years\n '_age">';""",
        """html += '<input name="child_' + n + /* in years */ '_age">';""",
        """html += '<input name=\\'child_' + n + '_age\\'>';""",
        """html += '<input ';\n html += 'name="child_' + n + '_age">';""",
        """html += '<input type="submit" name="send"><input name="child_' + n + '_age">';""",
    ],
)
def test_a_name_that_script_puts_together_is_a_pattern(script: str) -> None:
    field = the_field(script)
    assert field.kind == "text"
    assert field.pattern.fullmatch("child_12_age")
    assert not field.pattern.fullmatch("child_12")
    assert not field.pattern.fullmatch("child__age")


def test_a_name_as_it_stands_is_found() -> None:
    assert found("""document.write('<textarea rows="7" name="edit.1">');""") == {r"edit\.1": ("textarea", ())}


def test_the_options_of_a_list_are_read_over_several_statements() -> None:
    script = """
        div += '<select name="sex"><option value="f" id="">Female</option>'
        div += '<option value="<15">young</option></select>';
        div += '<option value="lost">';"""
    assert found(script) == {"sex": ("select", ("f", "<15"))}


def test_a_name_in_two_pieces_of_text_has_no_gap() -> None:
    assert found("""html += '<input name="chi' + 'ld">';""") == {"child": ("text", ())}


def test_a_list_that_is_built_in_two_places_has_its_options_once() -> None:
    each = """div += '<select name="sex"><option value="">?</option><option value="f">Female</option></select>';"""
    assert found(each + each) == {"sex": ("select", ("", "f"))}


def test_options_outside_a_list_belong_to_no_field() -> None:
    assert found("""div += '<option value="a"><input name="age"><option value="b">';""") == {"age": ("text", ())}


def test_boxes_without_a_value_send_on() -> None:
    assert found("""row += '<input type="checkbox" name="agree">';""") == {"agree": ("checkbox", ("on",))}


@pytest.mark.parametrize("option", ["""<option value="' + n + '">""", "<option>"])
def test_options_that_script_computes_are_not_known(option: str) -> None:
    script = f"""div += '<select name="age"><option value="0">0</option>{option}'+n+'</option></select>'"""
    assert found(script) == {"age": ("select", ())}


def test_choices_of_one_name_are_one_field() -> None:
    script = """
        row += '<input type="radio" name="pair' + n + '" value="less">';
        row += '<input type="radio" name="pair' + n + '" value="more">';"""
    assert list(found(script).values()) == [("radio", ("less", "more"))]


def test_values_that_script_computes_are_not_known() -> None:
    script = """row += '<input type="radio" name="pair" value="'+w1+"**LT**"+w2+'" />';"""
    assert found(script) == {"pair": ("radio", ())}


def test_where_a_whole_name_is_computed_any_beginning_may_be_one() -> None:
    script = """box.id = 'group' + n; out.append('<input name="' + box.attr('id') + '" value="' + words + '">');"""
    field = the_field(script)
    assert field.pattern.fullmatch("group7")
    assert field.kind == "text"


@pytest.mark.parametrize(
    "script",
    [
        """// html += '<input name="old">';""",
        """/* html += '<input name="old">'; */""",
        """html += '<input type="submit" name="send">';""",
        """html += '<input name="' + n + '">';""",
        """html += '<input id="nameless">';""",
    ],
)
def test_what_builds_no_field_is_not_found(script: str) -> None:
    assert found(script) == {}


def test_fields_of_the_page_itself_come_at_once() -> None:
    assert later_fields('<input name="here"><textarea name="there"></textarea>') == []


def test_text_of_the_page_that_is_no_script_builds_nothing() -> None:
    assert later_fields("""<style>p::after { content: '<input name="shown">'; }</style>""") == []

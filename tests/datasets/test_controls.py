from __future__ import annotations

import pytest

from harness.datasets.controls import declared_fields


def declared(template: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    return {each.name: (each.kind, each.values) for each in declared_fields(template)}


def test_every_kind_of_control_is_found() -> None:
    template = """
        <input name=t><input type=NUMBER name=n><textarea name=a><input name=inside></textarea>
        <input type=range name=g><input type=hidden name=h>
        <input type=radio name=r value=1><input type="radio" name="r" value="2">
        <input type=checkbox name=c>
        <select name=s><option value="">choose<option>two  words &amp; more</option></select>
    """
    assert declared(template) == {
        "t": ("text", ()),
        "n": ("text", ()),
        "a": ("textarea", ()),
        "g": ("range", ()),
        "h": ("hidden", ()),
        "r": ("radio", ("1", "2")),
        "c": ("checkbox", ("on",)),
        "s": ("select", ("", "two words & more")),
    }


@pytest.mark.parametrize(
    "template",
    [
        "<input type=submit name=x>",
        "<button name=x>",
        "<input>",
        "<input name='x${n}'>",
        "<!-- <input name=x> -->",
        "<script>'<input name=x>'</script>",
        "<option value=x>",
    ],
)
def test_what_is_no_field_of_the_template_is_not_found(template: str) -> None:
    assert declared(template) == {}


def test_options_that_the_table_fills_in_are_unknown() -> None:
    assert declared("<input type=radio name=r value='${a}'><input type=radio name=r value=b>") == {"r": ("radio", ())}


def test_a_control_that_a_person_can_work_decides_over_a_hidden_one() -> None:
    template = "<input type=hidden name=c value=no><input type=checkbox name=c value=yes>"
    assert declared(template) == {"c": ("checkbox", ("yes",))}


def test_a_select_of_several_is_told_from_one_of_one() -> None:
    fields = declared_fields("<select name=a multiple><option>1</select><select name=b><option>1</select>")
    assert [each.multiple for each in fields] == [True, False]

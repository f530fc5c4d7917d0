from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.catalog.template import instantiate, placeholders, render, variables

# Filling in


def test_a_variable_is_filled_in_wherever_it_stands() -> None:
    template = '<a href="/${id}" title=${id}>${id}</a><script>var x = "${id}";</script><!-- ${id} -->'
    assert instantiate(template, {"id": "7"}) == template.replace("${id}", "7")


@pytest.mark.parametrize("name", ["a", "sent1-2", "two words", "a.b", "naïve", "1", "'quoted'", "a/b?"])
def test_a_variable_has_the_name_of_its_column_whatever_that_is(name: str) -> None:
    assert instantiate(f"<p>${{{name}}}</p>", {name: "x"}) == "<p>x</p>"


def test_a_name_counts_exactly() -> None:
    assert instantiate("${Name} ${ name } ${name}", {"name": "x"}) == "${Name} ${ name } x"


@pytest.mark.parametrize(
    "value",
    [
        "<b>bold</b>",
        "\"both\" 'quotes'",
        "a & b &amp; c",
        r"\1 \g<0> \n",
        "$",
        "$&",
        "$1",
        "line\r\nline",
        "🎈",
    ],
)
def test_a_value_goes_in_as_it_is(value: str) -> None:
    assert instantiate("<p>${x}</p>", {"x": value}) == f"<p>{value}</p>"


def test_a_value_that_holds_a_variable_stays_literal() -> None:
    assert instantiate("${a} ${b}", {"a": "${b}", "b": "${a}"}) == "${b} ${a}"


def test_values_do_not_join_into_a_variable() -> None:
    assert instantiate("${a}{b}", {"a": "$", "b": "x"}) == "${b}"


@pytest.mark.parametrize("text", ["$a", "$ {a}", "{a}", "${}", "${a", "$(a)", '${a" + id + "}', "${b}"])
def test_text_that_only_looks_like_a_variable_stays(text: str) -> None:
    assert instantiate(text, {"a": "x"}) == text


def test_a_price_before_a_variable_keeps_its_dollar() -> None:
    assert instantiate("$${price}", {"price": "5"}) == "$5"


def test_a_variable_inside_other_braces_is_filled_in() -> None:
    assert instantiate("{${a}} ${x ${a}}", {"a": "1"}) == "{1} ${x 1}"


@given(st.dictionaries(st.from_regex(r"\w+", fullmatch=True), st.text()))
def test_every_value_arrives_whole(inputs: dict[str, str]) -> None:
    template = "".join(f"<${{{name}}}>" for name in inputs)
    assert instantiate(template, inputs) == "".join(f"<{value}>" for value in inputs.values())


def test_the_page_of_an_instance_is_filled_in_and_wrapped() -> None:
    page = render("<p>${x}</p>", {"x": "<i>y</i>"})
    assert "<p><i>y</i></p>" in page
    assert "</form>" in page


def test_a_form_that_comes_in_a_value_counts_as_the_form_of_the_page() -> None:
    assert render("${x}", {"x": "<form id=own><input name=a></form>"}).count("<form") == 1


# Which names a template asks for


def test_placeholders_are_everything_in_braces_once_in_order() -> None:
    assert placeholders('${b} ${a} ${b} ${c" + d}') == ("b", "a", 'c" + d')


def test_variables_stand_in_text_attributes_styles_and_script() -> None:
    template = (
        "<title>${a}</title><style>p {color: ${b}}</style><p class='${c}' data-x=${d}>${e}</p>"
        "<script>var f = ${f}, g = '${g}', h = \"${h}\";</script><textarea>${i}</textarea>"
        '<script type="application/json">{"j": "${j}"}</script><div onclick="go(\'${k}\')"></div>'
    )
    assert variables(template) == tuple("abcdefghijk")


def test_what_could_not_be_a_name_is_no_variable() -> None:
    assert variables("""<p>${A" + id + "} ${f(x)} ${a + b} ${} ${x ? 1 : 2} ${-} ${ok}</p>""") == ("ok",)


@pytest.mark.parametrize("name", ["a", "a_b", "sent1-2", "two words", "a.b", "naïve", "1"])
def test_column_names_of_every_usual_kind_are_variables(name: str) -> None:
    assert variables(f"<p>${{{name}}}</p>") == (name,)


@pytest.mark.parametrize(
    "script",
    [
        "x = `<b>${name}</b>`;",
        "x = `\\`${name}`;",
        "x = `${a.map(i => `<i>${name}</i>`)} ${name}`;",
        "x = `${ {a: `${name}`}.a } ${name}`;",
        "x = 'it\\'s'; y = `${name}`;",
        'x = "`"; y = `${name}`; z = "`";',
        "// a ` in a comment\nx = `${name}`;",
        "/* ` */ x = `${name}`;",
        "x = /`/.test(y); z = `${name}`;",
        "function f() { if (a) { return `${name}`; } }",
        "x = `${name} is never closed",
        "// ${name}",
        "/* ${name} */",
        "<!-- ${name}\n",
    ],
)
def test_in_template_literals_and_comments_of_a_script_it_is_script_text(script: str) -> None:
    assert variables(f"<script>{script}</script><p>${{after}}</p>") == ("after",)


@pytest.mark.parametrize(
    "script",
    [
        "x = `a`; y = '${name}'; z = `b`;",
        'x = "it`s"; y = \'${name}\'; z = "it`s";',
        "x = 'http://a/${name}';",
        "x = `${a}` + ${name} + `${b}`;",
        "x = /[/`]/; y = '${name}';",
        "x = a / b; y = '${name}'; z = c / d;",
        "it's = 1\ny = '${name}';",
    ],
)
def test_beside_template_literals_and_comments_it_is_a_variable(script: str) -> None:
    assert variables(f"<script>{script}</script>") == ("name",)


def test_a_template_literal_in_an_event_handler_is_script_text() -> None:
    assert variables('<p onclick="go(`${a}`, \'${b}\')" title="`${c}`">') == ("b", "c")


@pytest.mark.parametrize("kind", ["text/template", "text/x-jquery-tmpl", "text/x-handlebars-template"])
def test_in_a_script_block_of_a_templating_language_it_is_text(kind: str) -> None:
    assert variables(f'<script type="{kind}"><b>${{name}}</b></script>') == ()


@pytest.mark.parametrize("kind", ["", "text/javascript", "module", "application/x-javascript", "TEXT/JavaScript"])
def test_in_a_script_that_browsers_run_it_is_a_variable(kind: str) -> None:
    assert variables(f'<script type="{kind}">x = "${{name}}"</script>') == ("name",)


def test_in_an_html_comment_it_is_no_variable() -> None:
    assert variables("<!-- ${a} --> ${b} <!-- <script>`</script> --> ${c}") == ("b", "c")


def test_a_name_that_stands_in_a_literal_and_in_the_text_is_a_variable() -> None:
    assert variables("<script>`${a}`</script>${a}") == ("a",)


@given(st.text(alphabet="$`{}<>!-/'\"\\ascript=\n", max_size=200))
def test_any_text_can_be_asked_for_its_variables(text: str) -> None:
    assert set(variables(text)) <= set(placeholders(text))

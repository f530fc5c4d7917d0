from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.catalog.template.markup import scan
from harness.catalog.template.wrapping import (
    FORM_END,
    FORM_START,
    FRAGMENT_BODY,
    FRAGMENT_END,
    FRAGMENT_START,
    IDS,
    SCRIPT,
    SUBMIT,
    listed,
    wrap,
)

HIDDEN = "".join(f'<input type="hidden" name="{name}" id="{name}" value="{value}">' for name, value in IDS.items())


def body(page: str) -> str:
    """Return what stands in the body of the small document that is put around a fragment."""
    before = FRAGMENT_START + SCRIPT + FRAGMENT_BODY
    assert page.startswith(before)
    assert page.endswith(FRAGMENT_END)
    return page[len(before) : -len(FRAGMENT_END)]


def without_what_was_added(page: str) -> str:
    for text in (SCRIPT, FORM_START, HIDDEN, SUBMIT):
        page = page.replace(text, "", 1)
    return page


# Fragments and documents


def test_a_fragment_gets_a_document_a_form_ids_and_a_submit_button() -> None:
    content = "<p>Hello<input name=a>"
    assert body(wrap(content)) == FORM_START + HIDDEN + content + SUBMIT + FORM_END


def test_the_document_around_a_fragment_is_html5_in_utf8() -> None:
    page = wrap("x")
    assert page.startswith("<!DOCTYPE html>")
    assert '<meta charset="utf-8">' in page


def test_a_document_without_a_form_gets_one_inside_its_body() -> None:
    page = wrap('<!DOCTYPE html><html><head><title>t</title></head><body class="x"><p>y</p></body></html>')
    assert page == (
        f"<!DOCTYPE html><html><head>{SCRIPT}<title>t</title></head>"
        f'<body class="x">{FORM_START}{HIDDEN}<p>y</p>{SUBMIT}{FORM_END}</body></html>'
    )


@pytest.mark.parametrize(
    ("page", "wrapped"),
    [
        ("<html><p>x", "<html>{script}{start}<p>x{end}"),
        ("<!doctype html><p>x</p>", "<!doctype html>{script}{start}<p>x</p>{end}"),
        (
            "<html><meta name=a><style>p{}</style>x</html>",
            "<html>{script}<meta name=a><style>p{}</style>{start}x{end}</html>",
        ),
        ("<html><!-- <body> --><body>x", "<html>{script}<!-- <body> --><body>{start}x{end}"),
        (
            "<html><body>x</body><!-- y -->\n</html>\n",
            "<html>{script}<body>{start}x{end}</body><!-- y -->\n</html>\n",
        ),
        ("<html><body>x</body><p>y</p></html>", "<html>{script}<body>{start}x</body><p>y</p>{end}</html>"),
        ("<html><body>x</body><p>y</p>", "<html>{script}<body>{start}x</body><p>y</p>{end}"),
    ],
)
def test_a_broken_document_is_wrapped_where_its_content_begins_and_ends(page: str, wrapped: str) -> None:
    filled = {"{script}": SCRIPT, "{start}": FORM_START + HIDDEN, "{end}": SUBMIT + FORM_END}
    for mark, text in filled.items():
        wrapped = wrapped.replace(mark, text)
    assert wrap(page) == wrapped


@pytest.mark.parametrize(
    "page", ["<body onload='f()'><p>x</p></body>", "<style></style></head><body>x</body>", "<head></head>x"]
)
def test_a_page_with_neither_doctype_nor_html_is_a_fragment(page: str) -> None:
    assert without_what_was_added(body(wrap(page))).replace(FORM_END, "") == page


def test_a_page_without_doctype_gets_none_if_it_is_a_document() -> None:
    assert "doctype" not in wrap("<html><body>x</body></html>").lower()


# The form


def test_a_page_keeps_its_own_form() -> None:
    page = wrap("<p>Example: <input name=e></p><form id=own action=/x><input name=a></form><p>end</p>")
    assert body(page) == (
        f"<p>Example: <input name=e></p><form id=own action=/x>{HIDDEN}<input name=a>{SUBMIT}</form><p>end</p>"
    )


def test_of_several_forms_the_one_with_most_controls_is_the_answer_form() -> None:
    small = "<form id=search><input type=hidden name=h><input name=q><button>go</button></form>"
    large = "<form id=answers>{}<textarea name=a></textarea><select name=b></select>{}</form>"
    assert body(wrap(small + large.format("", ""))) == small + large.format(HIDDEN, SUBMIT)


def test_of_forms_with_equally_many_controls_the_first_is_the_answer_form() -> None:
    assert body(wrap("<form id=a><input></form><form id=b><input></form>")).startswith(f"<form id=a>{HIDDEN}")


def test_a_form_without_an_end_ends_with_the_content() -> None:
    page = wrap("<html><body><form><input name=a><p>x</body></html>")
    assert page == f"<html>{SCRIPT}<body><form>{HIDDEN}<input name=a><p>x{SUBMIT}</body></html>"


def test_a_policy_of_the_page_does_not_count() -> None:
    page = '<meta HTTP-EQUIV="content-security-policy" content="form-action https://www.mturk.com"><input name=a>'
    *_, meta = (piece for piece in scan(wrap(page)) if piece.name == "meta")
    assert meta.attributes["http-equiv"] == ""  # of two attributes of a name the first counts
    assert page.removeprefix("<meta") in wrap(page)


def test_a_form_inside_an_open_form_is_none() -> None:
    page = "<form id=a><form id=b><input></form><textarea></textarea><input></form>"
    assert (
        body(wrap(page)) == f"<form id=a>{HIDDEN}<form id=b><input>{SUBMIT}</form><textarea></textarea><input></form>"
    )


@pytest.mark.parametrize(
    "text",
    [
        "<!-- <form><input></form> -->",
        "<script>x = '<form><input></form>'</script>",
        "<style>/* <form> */</style>",
        "<textarea name=a><form></textarea>",
        "<title><form></title>",
        "<noscript><form></noscript>",
        "<template><form><input></form></template>",
        '<p title="<form>">x</p>',
        "<p title='a > b <form>'>x</p>",
        "&lt;form>",
        "< form>",
        "<!-- a --!><p>b</p><!-- <form> -->",
    ],
)
def test_text_that_looks_like_a_form_is_none(text: str) -> None:
    assert body(wrap(text)) == FORM_START + HIDDEN + text + SUBMIT + FORM_END


@pytest.mark.parametrize(
    "form",
    [
        "<FORM>",
        "<form\nid='a'>",
        "<!--><form>",
        "<p title=a\"b'><form>",
        "<p a='1'b=\">\"><form>",
        "</3><form>",
    ],
)
def test_a_form_is_seen_as_browsers_see_it(form: str) -> None:
    assert body(wrap(f"{form}<input></form>")) == f"{form}{HIDDEN}<input>{SUBMIT}</form>"


# The submit button


@pytest.mark.parametrize(
    "button",
    [
        "<input type=submit>",
        '<INPUT TYPE="Submit" value="x">',
        "<input type=image src=x>",
        "<button>Next</button>",
        "<button type=submit>x</button>",
        "<button type=wrong>x</button>",
        '<a id="submitButton">x</a>',
    ],
)
def test_a_form_with_a_submit_button_gets_no_other(button: str) -> None:
    assert SUBMIT not in wrap(f"<form><input name=a>{button}</form>")


@pytest.mark.parametrize(
    "button",
    [
        "<input type=button value=Submit>",
        "<button type=button>Submit</button>",
        "<button type=reset>Submit</button>",
        "<!-- <input type=submit> -->",
        "<script>'<input type=submit>'</script>",
        '<a type="submit">Add</a>',
    ],
)
def test_what_does_not_submit_is_no_submit_button(button: str) -> None:
    assert body(wrap(f"<form>{button}</form>")) == f"<form>{HIDDEN}{button}{SUBMIT}</form>"


def test_a_submit_button_outside_the_answer_form_is_not_its() -> None:
    page = "<form><input type=submit></form><form id=b><input><input></form>"
    assert body(wrap(page)).endswith(f"{SUBMIT}</form>")


def test_the_button_that_scripts_look_up_counts_wherever_it_stands() -> None:
    assert SUBMIT not in wrap('<form><input name=a></form><button type=button id="submitButton">Done</button>')


@pytest.mark.parametrize(
    "button", ["<input type=submit>", "<button type=submit>x</button>", '<p id="submitButton">x</p>']
)
def test_a_page_without_a_form_keeps_its_submit_button(button: str) -> None:
    assert body(wrap(button)) == FORM_START + HIDDEN + button + FORM_END


@pytest.mark.parametrize("button", ["<button> Submit </button>", "<button id=submit-it><b>ok</b></button>"])
def test_in_a_page_without_a_form_a_button_without_type_submits_if_it_says_so(button: str) -> None:
    assert SUBMIT not in wrap(button)


def test_in_a_page_without_a_form_a_page_turner_is_no_submit_button() -> None:
    turner = "<button id=next>Next</button> then submit"
    assert body(wrap(turner)) == FORM_START + HIDDEN + turner + SUBMIT + FORM_END


# AMT's custom elements


def test_the_form_of_a_crowd_form_is_inside_it() -> None:
    page = (
        "<p>Read this</p><crowd-form answer-format='flatten-objects'><crowd-input"
        " name=a></crowd-input></crowd-form><p>end</p>"
    )
    assert body(wrap(page)) == (
        f"<p>Read this</p><crowd-form answer-format='flatten-objects'>{FORM_START}{HIDDEN}<crowd-input"
        f" name=a></crowd-input>"
        f"{SUBMIT}{FORM_END}</crowd-form><p>end</p>"
    )


def test_a_crowd_form_without_an_end_ends_with_the_content() -> None:
    page = "<html><body><crowd-form><input name=a></body></html>"
    wrapped = f"<html>{SCRIPT}<body><crowd-form>{FORM_START}{HIDDEN}<input name=a>{SUBMIT}{FORM_END}</body></html>"
    assert wrap(page) == wrapped


@pytest.mark.parametrize(
    "page",
    [
        "<crowd-form><form><input name=a>{}</form></crowd-form>",
        "<form><crowd-form><input name=a></crowd-form>{}</form>",
        "<crowd-form><form><input name=a></crowd-form>{}</form>",
    ],
)
def test_a_crowd_form_with_a_form_of_the_page_gets_no_other(page: str) -> None:
    wrapped = body(wrap(page.format("")))
    assert wrapped == page.format(SUBMIT).replace("<form>", f"<form>{HIDDEN}")


def test_a_form_beside_a_crowd_form_is_not_the_answer_form() -> None:
    search = "<form id=search><input name=q><button>go</button></form>"
    wrapped = f"{search}<crowd-form>{FORM_START}{HIDDEN}<input name=a>{SUBMIT}{FORM_END}</crowd-form>"
    assert body(wrap(f"{search}<crowd-form><input name=a></crowd-form>")) == wrapped


def test_of_several_crowd_forms_the_one_with_most_elements_for_answers_has_the_form() -> None:
    small = (
        "<crowd-form><crowd-input name=a></crowd-input><crowd-card></crowd-card><crowd-icon></crowd-icon></crowd-form>"
    )
    large = (
        "<crowd-form>{}<crowd-image-classifier></crowd-image-classifier><crowd-slider></crowd-slider>{}</crowd-form>"
    )
    assert body(wrap(small + large.format("", ""))) == small + large.format(FORM_START + HIDDEN, SUBMIT + FORM_END)


@pytest.mark.parametrize(
    "button", ["<button>Done</button>", "<input type=submit>", '<crowd-button id="submitButton">x</crowd-button>']
)
def test_a_crowd_form_with_a_submit_button_gets_no_other(button: str) -> None:
    assert SUBMIT not in wrap(f"<crowd-form>{button}</crowd-form>")


def test_a_button_that_needs_the_elements_script_is_not_relied_on() -> None:
    assert SUBMIT in wrap("<crowd-form><crowd-button form-action=submit>Done</crowd-button></crowd-form>")


@pytest.mark.parametrize(
    "text", ["<!-- <crowd-form> -->", "<template><crowd-form></crowd-form></template>", "<crowd-input></crowd-input>"]
)
def test_a_page_without_a_crowd_form_is_wrapped_as_any_other(text: str) -> None:
    assert body(wrap(text)) == FORM_START + HIDDEN + text + SUBMIT + FORM_END


# The ids and the script function


def test_an_id_that_the_form_has_is_left_alone() -> None:
    page = body(wrap("<form><input type=hidden name=assignmentId id=assignmentId value=''><input></form>"))
    assert re.findall(r'name="?(\w+)', page) == ["hitId", "workerId", "assignmentId"]
    assert "value=''" in page


def test_an_id_of_the_page_outside_the_form_is_not_given_twice() -> None:
    page = body(wrap("<p id=workerId></p><form><input></form>"))
    assert page.count('id="workerId"') == 0
    assert 'name="workerId" value="worker"' in page


def test_no_id_is_the_one_that_locks_templates() -> None:
    assert "ASSIGNMENT_ID_NOT_AVAILABLE" not in IDS.values()
    assert list(IDS) == ["assignmentId", "hitId", "workerId"]


@pytest.mark.parametrize(
    "page",
    [
        "<script>turkSetAssignmentID()</script>",
        "<html><head><script>turkSetAssignmentID()</script></head><body></body></html>",
        "<!doctype html>\n<!-- x -->\n<html>\n<script>turkSetAssignmentID()</script>",
    ],
)
def test_the_script_function_is_defined_before_the_scripts_of_the_page(page: str) -> None:
    scripts = re.findall(r"<script>(.*?)</script>", wrap(page))
    assert scripts[0].startswith("function turkSetAssignmentID(")
    assert scripts[1] == "turkSetAssignmentID()"


# What the page keeps


@given(
    st.lists(
        st.sampled_from(
            [
                "<form>",
                "</form>",
                "<html>",
                "<body>",
                "</body>",
                "</html>",
                "<!doctype html>",
                "<head>",
                "</head>",
                "<input name=a>",
                "<button>",
                "</button>",
                "<!--",
                "-->",
                "<script>",
                "</script>",
                "<p a='",
                "'>",
                "x",
                "<",
                ">",
                " ",
                '"',
                "<template>",
                "</template>",
                "<textarea>",
                "</textarea>",
                "<input type=submit>",
                "<crowd-form>",
                "</crowd-form>",
            ]
        )
    )
)
def test_nothing_of_a_page_is_lost_or_changed_however_broken(parts: list[str]) -> None:
    page = "".join(parts)
    wrapped = wrap(page)
    assert wrap(page) == wrapped
    rest = iter(wrapped)
    assert all(character in rest for character in page)  # the page is what stays when the additions are taken out


@given(st.text(alphabet="<>!-/'\"=abscript \n"))
def test_the_pieces_of_a_scan_cover_the_text(text: str) -> None:
    assert "".join(text[piece.start : piece.end] for piece in scan(text)) == text


def test_a_scan_tells_attributes_as_browsers_do() -> None:
    tag = next(scan("<INPUT Type = \"a&amp;b\" NAME='x y' checked data-z=1/2 type=later >"))
    assert tag.attributes == {"type": "a&b", "name": "x y", "checked": "", "data-z": "1/2"}


@pytest.mark.parametrize("opening", ["<!--", "<p title='", '<p title="', "<p ", "<textarea>", "<script>"])
def test_markup_that_is_never_closed_takes_the_rest(opening: str) -> None:
    pieces = list(scan(f"<b>{opening} <input name=a "))
    assert [piece.name for piece in pieces if piece.kind == "start" and piece.name == "input"] == []
    assert pieces[0].name == "b"


def test_fields_that_the_platform_adds_are_in_no_list() -> None:
    assert listed(["assignmentId", "a", "hitId", "workerId", "b"]) == "'a', 'b'"
    assert listed(["workerId"]) == "none"

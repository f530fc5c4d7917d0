"""What a form would send, read back by submitting it as a worker would."""

from __future__ import annotations

import json

import pytest

from harness.browser.browser import PageFailed
from harness.browser.form.submission import Submission, submit
from harness.kit.files.codec import decode, plain
from tests.conftest import Show
from tests.site import Site, done

HELD = "<input name=a value=held>"


def at_ready(script: str) -> str:
    """A script that runs when the page is there, with the form as ``f`` and the submit button as ``b``."""
    return (
        "<script>addEventListener('DOMContentLoaded', () => { const f = document.forms[0];"
        f" const b = document.getElementById('submitButton'); {script}; }})</script>"
    )


def test_a_form_that_submits_is_read_and_stays_where_it_is(show: Show, site: Site) -> None:
    shown = show(HELD)
    before = len(site.requests)
    submission = shown.submit()
    assert submission == Submission({"a": ("held",)}, accepted=True, via="press", blocked="", dialogs=())
    assert site.since(before) == []
    assert shown.page("location.href") == shown.url


@pytest.mark.parametrize("method", ["get", "post", "dialog"])
@pytest.mark.parametrize("action", ["", "/other/", "https://example.org/?x=1", "mailto:a@example.org"])
def test_method_and_address_of_the_form_do_not_matter(show: Show, method: str, action: str) -> None:
    submission = show(HELD, form=f'method="{method}" action="{action}"').submit()
    assert submission.values["a"] == ("held",)
    assert submission.accepted


ON_SUBMIT = "f.addEventListener('submit', (event) => { event.preventDefault(); %s; })"
ON_CLICK = "b.addEventListener('click', (event) => { event.preventDefault(); %s; })"
NEEDED = '<input name=needed required style="width: 10px">'
AJAX = "fetch('/gone/', {method: 'POST', body: new FormData(f)})"


@pytest.mark.parametrize(
    ("script", "accepted", "via"),
    [
        ("f.addEventListener('submit', (event) => event.stopPropagation())", True, "press"),
        ("f.addEventListener('submit', (event) => event.stopImmediatePropagation(), true)", True, "press"),
        (ON_SUBMIT % "f.submit()", True, "press"),
        (ON_SUBMIT % "setTimeout(() => f.submit(), 50)", True, "press"),
        (ON_CLICK % "f.submit()", True, "press"),
        (ON_CLICK % "f.requestSubmit()", True, "press"),
        ("f.target = '_blank'; " + ON_SUBMIT % "f.submit()", True, "press"),
        ("f.method = 'get'; " + ON_SUBMIT % "f.submit()", True, "press"),
        (ON_SUBMIT % AJAX, False, "form data as it stands"),
        ("f.onsubmit = () => false", False, "form data as it stands"),
        ("f.onsubmit = () => { throw new Error('broken'); }", True, "press"),
        ("b.onclick = () => false", False, "request without validation"),
        ("b.disabled = true", False, "request without validation"),
        ("b.type = 'button'", False, "request without validation"),
        ("b.remove()", False, "request without validation"),
        ("b.hidden = true", True, "press"),
        (f"f.insertAdjacentHTML('beforeend', '{NEEDED}')", False, "press without validation"),
    ],
)
def test_whatever_the_page_does_at_submit_the_values_are_read(
    show: Show, script: str, accepted: bool, via: str
) -> None:
    shown = show(HELD + at_ready(script))
    submission = shown.submit()
    assert submission.values["a"] == ("held",)
    assert (submission.accepted, submission.via) == (accepted, via)
    assert bool(submission.blocked) is not accepted


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("f.onsubmit = () => false", "submit handler"),
        ("b.onclick = () => false", "click handler"),
        ("b.disabled = true", "disabled"),
        ("b.remove()", "no submit control"),
        ("b.type = 'button'", "nothing happened"),
        ("f.elements.a.required = true; f.elements.a.value = ''", "HTML validation: a"),
    ],
)
def test_the_reason_of_a_blocked_submission_is_told(show: Show, script: str, reason: str) -> None:
    shown = show(HELD + at_ready(script))
    submission = shown.submit()
    assert reason in submission.blocked
    assert not submission.accepted


def test_a_form_that_nothing_submits_and_that_cannot_be_read_gives_the_values_of_the_page(show: Show) -> None:
    shown = show(HELD + "<script>document.forms[0].onsubmit = () => { f = document.forms[0]; return false; }</script>")
    assert shown.submit().values == {"a": ("held",)}


def test_a_page_without_a_form_sends_nothing(show: Show) -> None:
    submission = show(whole="<!DOCTYPE html><input name=a>").submit()
    assert (submission.values, submission.accepted, submission.blocked) == ({}, False, "the page has no form")


def test_a_value_that_script_writes_at_submit_is_read(show: Show) -> None:
    shown = show(file="written-at-submit")
    done(shown.actions.modify_text("seen", "a fox"))
    assert shown.sent() == {"seen": ("a fox",), "written": ("from a fox",), "constant": ("as served",)}


def test_entries_that_script_adds_to_the_form_data_are_read(show: Show) -> None:
    shown = show(
        HELD + "<script>document.forms[0].addEventListener('formdata', (e) => e.formData.append('late', '1'))</script>"
    )
    assert shown.sent() == {"a": ("held",), "late": ("1",)}


def test_repeated_names_are_sets_and_unticked_or_disabled_controls_send_nothing(show: Show) -> None:
    shown = show(
        "<input type=checkbox name=a value=1 checked><input type=checkbox name=a value=2>"
        "<input type=checkbox name=a value=3 checked>"
        "<input name=off value=x disabled><fieldset disabled><input name=inside value=x></fieldset>"
        "<select name=s multiple><option selected>1<option selected>2</select><input value=nameless>"
    )
    assert shown.sent() == {"a": ("1", "3"), "s": ("1", "2")}


def test_line_ends_become_line_feeds(show: Show) -> None:
    shown = show(
        "<textarea name=a>one\r\ntwo\rthree\nfour</textarea><input type=hidden name=b value='x&#13;&#10;y&#13;z'>"
    )
    assert shown.sent() == {"a": ("one\ntwo\nthree\nfour",), "b": ("x\ny\nz",)}


def test_a_hard_wrapped_text_area_sends_its_breaks_and_a_file_an_empty_value(show: Show) -> None:
    shown = show("<textarea name=a wrap=hard cols=5>12345678</textarea><input type=file name=f>")
    sent = shown.sent()
    assert sent["a"][0].count("\n") == 1
    assert (sent["a"][0].replace("\n", ""), sent["f"]) == ("12345678", ("",))


def test_controls_count_by_their_form_not_by_their_place(show: Show) -> None:
    html = (
        "<!DOCTYPE html><input name=outside value=1><input name=linked value=2 form=f>"
        "<form id=example><input name=a value=example></form>"
        "<form id=f><input name=a value=answer><input name=b value=3><input type=submit></form>"
    )
    assert show(whole=html).sent() == {"linked": ("2",), "a": ("answer",), "b": ("3",)}


def test_the_last_visible_button_that_says_submit_is_pressed(show: Show) -> None:
    html = (
        "<!DOCTYPE html><form><input name=a value=1><button>Search</button>"
        "<button name=by value=yes>SUBMIT now</button><button hidden>Submit</button>"
        "<input type=submit value='Next'></form>"
    )
    assert show(whole=html).sent()["by"] == ("yes",)


def test_a_visible_button_with_the_known_id_comes_first(show: Show) -> None:
    shown = show("<button name=by value=other>Submit</button>")
    assert "by" not in shown.sent()


def test_a_hidden_submit_control_is_better_than_none(show: Show) -> None:
    html = (
        "<!DOCTYPE html><form><input name=a value=1>"
        "<input type=submit name=by value=hidden style='display: none'></form>"
    )
    submission = show(whole=html).submit()
    assert submission.values == {"a": ("1",), "by": ("hidden",)}
    assert submission.accepted


def test_what_the_solver_posted_is_read_not_what_came_later(show: Show) -> None:
    shown = show(
        "<input name=a value=first>"
        "<style>#submitButton { position: fixed; left: 0; top: 0; width: 90px; height: 30px }</style>"
    )
    done(shown.actions.click(20, 15))
    assert shown.actions.submitted
    shown.page("document.forms[0].elements.a.value = 'later', document.forms[0].requestSubmit()")
    submission = shown.submit()
    assert submission == Submission({"a": ("first",)}, accepted=True, via="solver", blocked="", dialogs=())


def test_reading_twice_gives_the_same(show: Show) -> None:
    shown = show(HELD)
    assert shown.submit().values == submit(shown.browser).values


def test_a_text_that_is_still_being_written_is_finished_before_the_form_is_sent(show: Show) -> None:
    shown = show('<input name=a autofocus onchange="this.value = this.value.toUpperCase()">')
    done(shown.actions.type("words"))
    assert shown.sent()["a"] == ("WORDS",)


def test_dialogs_at_submit_are_told(show: Show) -> None:
    shown = show(
        HELD + "<script>document.forms[0].onsubmit = () => { alert('not yet'); return confirm('sure?'); }</script>"
    )
    submission = shown.submit()
    assert submission.dialogs == ("alert:not yet", "confirm:sure?")
    assert submission.accepted


@pytest.mark.slow
@pytest.mark.claim("page-size")
@pytest.mark.parametrize("at_submit", ["", "f.onsubmit = () => false"], ids=["sent", "blocked"])
def test_a_form_that_sends_more_than_anybody_reads_cannot_be_read(show: Show, at_submit: str) -> None:
    shown = show(HELD + at_ready(f"f.a.value = 'x'.repeat(17 * 1024 * 1024); {at_submit}"))
    with pytest.raises(PageFailed, match="the form sends 17825793 characters, of which at most 16777216 are read"):
        shown.submit()


@pytest.mark.slow
@pytest.mark.claim("page-size")
def test_a_form_that_sends_more_values_than_anybody_reads_cannot_be_read(show: Show) -> None:
    append = "for (let i = 0; i < 1e5; i += 1) formData.append('n', i)"
    many = f"f.addEventListener('formdata', ({{ formData }}) => {{ {append}; }})"
    with pytest.raises(PageFailed, match="the form sends 100001 values, of which at most 100000 are read"):
        show(HELD + at_ready(many)).submit()


@pytest.mark.claim("page-size")
def test_long_dialogs_and_reasons_are_cut(show: Show) -> None:
    name = "n" * 30_000
    submission = show(HELD + f"<input name={name} required>" + at_ready("alert('x'.repeat(1e6))")).submit()
    assert [len(each) for each in submission.dialogs] == [10_000]
    assert len(submission.blocked) == 10_000


def test_validation_in_the_page_by_script_does_not_lose_the_values(show: Show) -> None:
    shown = show(
        f"{HELD}<input type=radio name=needed value=1 required><script>document.forms[0].onsubmit ="
        " () => { alert('answer all'); return false; }</script>"
    )
    submission = shown.submit()
    assert submission.values == {"a": ("held",)}
    assert "HTML validation: needed" in submission.blocked


@pytest.mark.parametrize(
    "name", ["elements", "submit", "requestSubmit", "noValidate", "action", "method", "target", "length"]
)
def test_names_that_hide_the_forms_own_properties_do_no_harm(show: Show, name: str) -> None:
    shown = show(file="clobbering")
    done(shown.actions.modify_text(name, "x"))
    submission = shown.submit()
    assert submission.values[name] == ("x",)
    assert submission.accepted is (name == "noValidate")


def test_a_page_that_writes_itself_anew_is_still_read(show: Show) -> None:
    anew = "<form><input name=b value=new><input type=submit></form>"
    shown = show(
        f"<script>window.onload = () => {{ document.open(); document.write('{anew}'); document.close(); }}</script>"
    )
    submission = shown.submit()
    assert submission.values == {"b": ("new",)}


def test_a_submission_survives_json(show: Show) -> None:
    submission = show(HELD + "<script>alert('x'); location.href = '/elsewhere/'</script>").submit()
    assert submission.refused
    assert decode(json.dumps(plain(submission)).encode(), Submission) == submission

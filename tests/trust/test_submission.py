"""A form counts as submitted when the browser sends it, and never because a page says so."""

from __future__ import annotations

import pytest

from tests.conftest import Show
from tests.site import done

PRESS = (
    "<button type=button id=press onclick=\"{}\" style='position: fixed; left: 0; top: 0; width: 90px; height: 30px'>"
)

PRETENDED = {
    "an event": "this.form.dispatchEvent(new Event('submit', {bubbles: true, cancelable: true}))",
    "a submit event with its button": (
        "this.form.dispatchEvent(new SubmitEvent('submit', {bubbles: true, submitter: this.form.elements.send}))"
    ),
    "form data, and a link with a question mark": "new FormData(this.form); location.href = '?help'",
    "a form data event, and a link with the same query": (
        "const data = new FormData(); data.append('a', 'forged');"
        " this.form.dispatchEvent(new FormDataEvent('formdata', {formData: data, bubbles: true}));"
        " location.href = '?a=forged'"
    ),
    "an event after a real one that the page has stopped": (
        "const once = {once: true, capture: true};"
        " document.addEventListener('submit', (e) => { e.stopPropagation(); e.preventDefault(); }, once);"
        " this.form.requestSubmit(); this.form.dispatchEvent(new Event('submit', {bubbles: true}))"
    ),
}

SENT = {
    "the button": "this.form.elements.send.click()",
    "a click event": "this.form.elements.send.dispatchEvent(new MouseEvent('click', {bubbles: true}))",
    "requestSubmit": "this.form.requestSubmit()",
    "submit": "this.form.submit()",
    "submit by GET": "this.form.method = 'get'; this.form.submit()",
    "submit by GET to an address with a query": (
        "this.form.method = 'get'; this.form.action = '/other/?x=1'; this.form.submit()"
    ),
}


def form(script: str) -> str:
    """A form with a field over two lines, a file, a submit button, and a button for the script."""
    fields = "<textarea name=a>one\ntwo</textarea><input type=file name=f><button name=send>Submit</button>"
    return f"<p style='margin-top: 50px'>{fields}</p>{PRESS.format(script)}</button>"


@pytest.mark.claim("page-submission")
@pytest.mark.parametrize("script", PRETENDED.values(), ids=PRETENDED)
def test_what_a_page_only_pretends_to_submit_does_not_end_the_episode(show: Show, script: str) -> None:
    shown = show(form(script))
    shown.actions.click(10, 10)
    assert not shown.actions.submitted
    done(shown.actions.modify_text("a", "the answer"))
    submission = shown.submit()
    assert submission.values["a"] == ("the answer",)
    assert submission.via != "solver"


@pytest.mark.claim("page-submission")
@pytest.mark.parametrize("script", SENT.values(), ids=SENT)
def test_what_the_browser_would_send_is_a_submission(show: Show, script: str) -> None:
    shown = show(form(script))
    shown.actions.click(10, 10)
    assert shown.actions.submitted
    submission = shown.submit()
    assert submission.via == "solver"
    assert submission.values["a"] == ("one\ntwo",)

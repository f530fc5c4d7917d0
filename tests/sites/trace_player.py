"""A trace played on a bundled site without a browser: links and forms as HTML has them, scripts left out.

It is for checking tasks in milliseconds. What it notes are the moments that a browser would tell, so that the real
evaluators judge them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from django.test import Client
from lxml import html
from lxml.html import HtmlElement

from harness.catalog.site_facts import SiteFacts
from harness.catalog.trace import Trace, TraceStep
from harness.records.site_record import ActedElement, Evaluation, Moment, SiteRecord
from harness.scoring.evaluators.evaluate import evaluate
from tests.sites.visits import visit

_FORM = "application/x-www-form-urlencoded"
_UNSENT = {"submit", "button", "image", "reset"}


@dataclass
class PlayedTrace:
    """What playing left behind.

    Attributes:
        moments: What happened.
        texts: SHA-256 -> tree of a page.
        answer: What was answered.
    """

    moments: list[Moment] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    answer: str | None = None


class TracePlayer:
    """A visitor without scripts.

    Attributes:
        url: What is shown.
        page: Its document.
        played: What happened so far.
    """

    def __init__(self, client: Client, start: str) -> None:
        self._client = client
        self._step: int | None = None
        self.played = PlayedTrace()
        self._open(start, "opened")

    def play(self, trace: Trace) -> PlayedTrace:
        for number, step in enumerate(trace.steps):
            self._step = number
            self.do(step)
        return self.played

    def do(self, step: TraceStep) -> None:
        if step.do == "goto":
            self._open(urljoin(self.url, step.value))
        elif step.do == "finish":
            self.played.answer = step.value
        else:
            element = self.find(step)
            getattr(self, f"_{step.do}")(element, step.value)

    def find(self, step: TraceStep) -> HtmlElement:
        assert step.element is not None
        found = self.page.cssselect(step.element.css)
        assert len(found) == 1, f"{step.element.css} finds {len(found)} elements at {self.url}"
        return found[0]

    def _click(self, element: HtmlElement, _value: str) -> None:
        kind = element.get("type", "submit" if element.tag == "button" else "")
        if element.tag == "input" and kind in {"checkbox", "radio"}:
            if kind == "radio":
                for other in _form(element).cssselect(f"input[type=radio][name='{element.get('name')}']"):
                    other.attrib.pop("checked", None)
            if element.attrib.pop("checked", None) is None:
                element.set("checked", "")
            self._note("click", element)
            return
        self._note("click", element)
        if element.tag == "a":
            self._open(urljoin(self.url, element.get("href")))
        elif kind == "submit":
            self._submit(_form(element), element)

    def _fill(self, element: HtmlElement, value: str) -> None:
        if element.tag == "textarea":
            element.text = value
        else:
            element.set("value", value)
        self._note("input", element)

    def _fill_search(self, element: HtmlElement, value: str) -> None:
        self._fill(element, value)
        self._note("keydown", element)
        self._submit(_form(element), None)

    def _select_option(self, element: HtmlElement, value: str) -> None:
        options = [each for each in element.iter("option") if _text(each) == value]
        assert len(options) == 1, f"{value!r} stands in {len(options)} options"
        for each in element.iter("option"):
            each.attrib.pop("selected", None)
        options[0].set("selected", "")
        self._note("change", element)

    def _submit(self, form: HtmlElement, button: HtmlElement | None) -> None:
        sent = urlencode(list(_sent(form, button)))
        action = urljoin(self.url, form.get("action") or self.url)
        if form.get("method", "get").lower() == "get":
            self._open(f"{action.partition('?')[0]}?{sent}")
        else:
            self._follow(self._client.post(_path(action), sent, _FORM), action)

    def _open(self, url: str, kind: str = "moved") -> None:
        self._follow(self._client.get(_path(url)), url, kind)

    def _follow(self, answer: Any, url: str, kind: str = "moved") -> None:
        while answer.status_code in {302, 303}:
            url = urljoin(url, answer["Location"])
            answer = self._client.get(_path(url))
        assert answer.status_code == 200, f"{answer.status_code} at {url}"
        self.url, self.page = url, html.document_fromstring(answer.content.decode())
        self.played.moments.append(Moment(kind=kind, step=self._step, url=url))  # type: ignore[arg-type]

    def _note(self, event: str, element: HtmlElement) -> None:
        text = json.dumps(_tree(self.page))
        dom = hashlib.sha256(text.encode()).hexdigest()
        self.played.texts[dom] = text
        place: list[int] = []
        for each in (element, *element.iterancestors()):
            parent = each.getparent()
            if parent is not None:
                place.insert(0, [child for child in parent if isinstance(child.tag, str)].index(each))
        acted = ActedElement(
            place=tuple(place), tag=element.tag, css=element.tag, text=_text(element)[:200], value=_value(element)
        )
        moment = Moment(kind="acted", step=self._step, url=self.url, event=event, element=acted, dom=dom)
        self.played.moments.append(moment)


def _path(url: str) -> str:
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def _form(element: HtmlElement) -> HtmlElement:
    return next(element.iterancestors("form"))


def _sent(form: HtmlElement, button: HtmlElement | None) -> Any:
    for element in form.iter("input", "select", "textarea", "button"):
        name = element.get("name")
        kind = element.get("type", "submit" if element.tag == "button" else "text")
        unset = kind in {"checkbox", "radio"} and element.get("checked") is None
        if name and not unset and (kind not in _UNSENT or element is button):
            yield name, _value(element) or ""


def _value(element: HtmlElement) -> str | None:
    if element.tag == "select":
        options = list(element.iter("option"))
        chosen = next((each for each in options if each.get("selected") is not None), options[0])
        return chosen.get("value", _text(chosen))
    if element.tag == "textarea":
        return element.text or ""
    unsaid = "on" if element.get("type") in {"checkbox", "radio"} else ""
    return element.get("value", unsaid) if element.tag in {"input", "button"} else None


def _text(element: HtmlElement) -> str:
    return " ".join(element.text_content().split())


def _tree(element: HtmlElement) -> list[Any]:
    children: list[Any] = [element.text] if element.text else []
    for child in element:
        if isinstance(child.tag, str):
            children.append(_tree(child))
        if child.tail:
            children.append(child.tail)
    return [element.tag, dict(element.attrib), children]


def evaluated(facts: SiteFacts, steps: Sequence[TraceStep], seed: int = 0) -> dict[str, Evaluation]:
    """What a task's evaluators say, by their names, of steps that were done on its site."""
    with visit(facts.site, seed) as visited:
        before = visited.told
        played = TracePlayer(visited.client, facts.start).play(
            Trace(goal=facts.goal, start=facts.start, steps=tuple(steps))
        )
        record = SiteRecord(
            task=facts, moments=tuple(played.moments), answer=played.answer, state_before=before, state=visited.told
        )
    return {each.evaluator: each for each in evaluate(record, played.texts.get, None)}

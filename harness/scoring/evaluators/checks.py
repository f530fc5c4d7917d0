"""Checks: what all has to be so in the end, of answer, address and what pages say (WebArena, section 3.2)."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping, Sequence
from urllib.parse import parse_qs, urlsplit

from harness.catalog.site_facts import Check, SiteFacts, Wanted
from harness.kit.text import shorten
from harness.records.site_record import EvaluatedPart, Evaluation, ReadPlace, SiteRecord
from harness.scoring.evaluators.key_nodes import ReadDom
from harness.scoring.evaluators.text_match import Judgement, Matcher, is_met

_SHOWN = 120
_QUOTES = "'\""
# Within a number or a compound a sign belongs to the word: neither 6.5 nor 6-8 has the word 6, and "6." has it.
_BEFORE, _AFTER = r"(?<!\w)(?<!\w[.,:/-])", r"(?!\w|[.,:/-]\w)"


def checks(record: SiteRecord, read_text: ReadDom, compare: Matcher) -> Evaluation:
    """Whether all checks hold in the end: 1 if they do, else 0; unknown if one could not be told and none fails.

    Letter case, white space around a text and a pair of quotes around all of it never count.

    Args:
        record: What was recorded.
        read_text: Gives what was read, as JSON text, by its SHA-256.
        compare: Compares by meaning.
    """
    asked = record.task.evaluators.checks
    parts = tuple(_part(check, record, read_text, compare) for check in asked)
    held = [is_met(part.score) for part in parts]
    success = _all(held)
    score = None if success is None else float(success)
    why = f"{held.count(True)} of {len(asked)} checks hold"
    if unknown := held.count(None):
        why += f", {unknown} not known"
    return Evaluation(evaluator="checks", score=score, success=success, floor=_floor(record.task), parts=parts, why=why)


def name_of(check: Check) -> str:
    """A check in words."""
    looks_at = check.of if check.look is None else f"{check.look.css or 'all'} of {check.look.url or 'the page left'}"
    wanted = " or ".join(f"{each.match}: {shorten(each.reference, 60)}" for each in check.any_of)
    return check.note or f"{shorten(looks_at, 80)}, {shorten(wanted, 120)}"


def _part(check: Check, record: SiteRecord, read_text: ReadDom, compare: Matcher) -> EvaluatedPart:
    name = name_of(check)
    match check.of:
        case "answer" if record.answer is None:
            is_lost = record.is_unseen
            why = "not known: it was lost" if is_lost else "nothing was answered"
            return EvaluatedPart(name=name, score=None if is_lost else 0.0, why=why)
        case "answer":
            return _best(name, [_compared(each, record.answer or "", compare) for each in check.any_of])
        case _ if record.left is None:
            return EvaluatedPart(name=name, score=None, why="not known: how the pages were left was lost")
        case "address":
            url = record.left.url
            score = float(is_address(url, check.any_of))
            return EvaluatedPart(name=name, score=score, why=f"it is {shorten(url, _SHOWN)!r}")
    said = _said(next((each for each in record.left.read if each.look == check.look), None), read_text)
    if isinstance(said, Judgement):
        return EvaluatedPart(name=name, score=None, why=said.why)
    return _best(name, [_compared(each, said, compare) for each in check.any_of])


def _said(place: ReadPlace | None, read_text: ReadDom) -> str | Judgement:
    """What was read at a place; a judgement without a score if nobody can tell, which says why."""
    if place is None or not place.text:
        return Judgement(None, f"not known: {place.why}" if place and place.why else "not known: it was not read")
    text = read_text(place.text)
    try:
        said = None if text is None else json.loads(text)
    except ValueError:
        said = None
    # What a page's source says with character references, references say without them.
    return html.unescape(said) if isinstance(said, str) else Judgement(None, "not known: what was read was not kept")


def _best(name: str, judged: Sequence[Judgement]) -> EvaluatedPart:
    """What a check is worth of which one reference is enough."""
    known = [each for each in judged if each.score is not None]
    best = max(known, key=lambda each: each.score or 0.0, default=judged[0])
    if not is_met(best.score) and (unknown := next((each for each in judged if each.score is None), None)):
        best = unknown
    return EvaluatedPart(name=name, score=best.score, why=best.why)


def _compared(wanted: Wanted, said: str, compare: Matcher) -> Judgement:
    if wanted.match == "semantic":
        if not said.strip():
            return Judgement(0.0, "it is empty")
        return compare("semantic", said.strip(), wanted.reference)
    clean, reference = cleaned(said), cleaned(wanted.reference)
    if wanted.match == "word":
        is_there = re.search(_BEFORE + re.escape(reference) + _AFTER, clean) is not None
        return Judgement(float(is_there), f"{shorten(clean, _SHOWN)!r} for the word {reference!r}")
    judged = compare(wanted.match, clean, reference)
    return Judgement(judged.score, shorten(judged.why, 2 * _SHOWN))


def cleaned(text: str) -> str:
    """A text without what never counts: white space around it, a pair of quotes around all of it, letter case."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in _QUOTES:
        text = text[1:-1]
    return text.casefold()


def is_address(url: str, wanted: Sequence[Wanted]) -> bool:
    """Whether an address is one that is wanted; a slash at its end never counts.

    Args:
        url: The address.
        wanted: ``exact``: all of it is the reference. ``include``: host and path hold those of one reference; and of
            every key that the queries of the references name, it has a value that one of them gives.
    """
    if any(each.match == "exact" and url.rstrip("/") == each.reference.rstrip("/") for each in wanted):
        return True
    parts = [each.reference for each in wanted if each.match == "include"]
    place, query = _split(url)
    if not any(_split(each)[0] in place for each in parts):
        return False
    values: dict[str, set[str]] = {}
    for reference in parts:
        for key, given in _split(reference)[1].items():
            values.setdefault(key, set()).update(given)
    return all(given & set(query.get(key, ())) for key, given in values.items())


def _split(url: str) -> tuple[str, Mapping[str, list[str]]]:
    try:
        split = urlsplit(url.rstrip("/"))
    except ValueError:
        return url, {}
    return (split.netloc.rpartition("@")[2] + split.path).rstrip("/"), parse_qs(split.query)


def _floor(task: SiteFacts) -> float | None:
    """What doing nothing is worth: 0 if a check fails then for certain; what pages say then is not known."""
    held = _all([_holds_untouched(check, task) for check in task.evaluators.checks])
    return None if held is None else float(held)


def _holds_untouched(check: Check, task: SiteFacts) -> bool | None:
    if check.of == "page":
        return None
    return check.of == "address" and is_address(task.start, check.any_of)


def _all(held: Sequence[bool | None]) -> bool | None:
    return False if False in held else None if None in held else True

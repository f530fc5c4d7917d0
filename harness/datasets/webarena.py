"""WebArena: its configuration files as a task set of sites (Zhou et al., ICLR 2024)."""

from __future__ import annotations

import ipaddress
import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from harness.catalog.facts import parse_json
from harness.catalog.login import LOGIN, BrowserState, Cookie, read_state
from harness.catalog.site_facts import Check, CheckMatch, Look, Wanted
from harness.catalog.site_reading import origin_of
from harness.catalog.task import FACTS
from harness.datasets.tasksets import DatasetError
from harness.datasets.webarena_locators import look_of
from harness.kit.files.codec import plain
from harness.kit.files.writing import is_free, new_folder, write_json
from harness.kit.text import shorten

WEBARENA = "webarena"
LEFT_OUT = "left-out.json"
"""The file of an imported task set that says which tasks of the configuration it lacks, and why."""
MAX_STEPS = 30
"""What WebArena's own runner allows an episode."""
BUNDLED = "bundled:"
_LICENCE = "Apache-2.0 (WebArena, web-arena-x/webarena)"
_PLACEHOLDER = re.compile(r"__([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)__")
_OR = " |OR| "
_LAST = "last"
# The one helper function that needs nothing but the address that was left: that of a comment's or a vote's post.
_POST = re.compile(r"""func:\s*reddit_get_post_url\(\s*(['"])__last_url__\1\s*\)""")
_LOGGED_OUT = "It was made for a browser that is logged in, and no --login has a cookie for the site it begins on."


@dataclass(frozen=True)
class SiteOrigin:
    """Where a site of WebArena is.

    Attributes:
        name: As configuration files name it, in small letters, e.g. ``shopping_admin``.
        url: What stands for its placeholder, without a slash at its end; it may have a path.
        bundled: The bundled site that takes its place; empty for any other.
    """

    name: str
    url: str
    bundled: str = ""


@dataclass(frozen=True)
class WebArenaTasks:
    """What was imported.

    Attributes:
        tasks: How many tasks.
        checks: How many checks they have.
        judged: How many of the tasks need a judge.
        logged_out: How many ask for a browser that is logged in, and get none.
        left_out: How many were left out, by reason.
    """

    tasks: int
    checks: int
    judged: int
    logged_out: int
    left_out: Mapping[str, int]


class _NotHeld(Exception):
    """A task that cannot be held as it is meant; says why, in words that are the same for all tasks of the kind."""


def read_origin(text: str) -> SiteOrigin:
    """Read ``NAME=URL``, or ``NAME=bundled:SITE`` for a bundled site in its place.

    Raises:
        DatasetError: it is neither; or it is a loopback address, from which browsers of tasks are kept.
    """
    name, is_said, url = text.partition("=")
    if url.startswith(BUNDLED):
        site = url.removeprefix(BUNDLED)
        url = f"http://{site}.test"
    else:
        site = ""
    if not is_said or not name or not origin_of(url):
        raise DatasetError(f"{text!r} is no place of a site; write it as shopping=http://arena.example:7770")
    if _is_loopback(url):
        raise DatasetError(
            f"{text!r} is an address of this machine itself, which no page reaches; give the site a host name, in the "
            "machine's list of hosts for example"
        )
    return SiteOrigin(name.lower(), url.rstrip("/"), site)


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.rstrip(".").rpartition(".")[2] == "localhost"


def import_webarena(file: Path, out: Path, origins: Sequence[SiteOrigin], logins: Sequence[Path] = ()) -> WebArenaTasks:
    """Write the tasks of a configuration file as a task set.

    A task that cannot be held as it is meant is left out, and counted: which, and why, stands in ``LEFT_OUT``.

    Args:
        file: The JSON: a list of tasks, or one of them.
        out: The folder of the task set; it is made, and may be there if it is empty.
        origins: Where the sites are.
        logins: States of browsers that are logged in there, as Playwright writes them.

    Raises:
        CatalogError: a state cannot be read.
        DatasetError: the file holds something that is not understood, and where; no task can be held; or ``out`` is
            not empty.
        OSError: a file cannot be read or written.
    """
    if not is_free(out):
        raise DatasetError(f"{out} is not empty; give a new folder for the new task set")
    cookies = _logged_in(logins, origins)
    made: dict[str, Mapping[str, Any]] = {}
    left_out: list[Mapping[str, Any]] = []
    for number, entry in _entries(file):
        try:
            made[f"WebArena {number:03}"] = _task_json(_Configured(entry, origins), cookies)
        except _NotHeld as error:
            left_out.append({"task_id": number, "why": str(error)})
    reasons = Counter(str(each["why"]) for each in left_out)
    if not made:
        told = "; ".join(f"{why} ({count})" for why, count in reasons.most_common(3))
        raise DatasetError(f"{file}: no task of it can be held: {told}")
    with new_folder(out) as part:
        for name, facts in made.items():
            write_json(part / name / FACTS, facts)
        write_json(part / LEFT_OUT, left_out)
        if cookies:
            write_json(part / LOGIN, plain(BrowserState(cookies)))
    checks = [facts["evaluators"]["checks"] for facts in made.values()]
    return WebArenaTasks(
        tasks=len(made),
        checks=sum(map(len, checks)),
        judged=sum('"semantic"' in json.dumps(each) for each in checks),
        logged_out=sum("known_issues" in facts for facts in made.values()),
        left_out=dict(reasons.most_common()),
    )


def _logged_in(logins: Sequence[Path], origins: Sequence[SiteOrigin]) -> tuple[Cookie, ...]:
    """The cookies of all states that are for the sites.

    Raises:
        DatasetError: a state has none that still counts.
    """
    found: list[Cookie] = []
    for file in logins:
        own = [each for each in read_state(file).cookies if any(each.is_for(site.url) for site in origins)]
        if not own:
            raise DatasetError(
                f"{file} has no cookie for a site that --origin names; log in there, and save the state anew"
            )
        if all(each.is_over(time.time()) for each in own):
            raise DatasetError(f"{file}: all its cookies have run out; log in again, and save the state anew")
        found += own
    return tuple(dict.fromkeys(found))


def _entries(file: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    try:
        data = parse_json(file.read_bytes())
    except ValueError as error:
        raise DatasetError(f"{file}: {error}") from error
    seen = set()
    for place, entry in enumerate(data if isinstance(data, list) else [data], start=1):
        where = f"{file}, task {place}"
        number = entry.get("task_id") if isinstance(entry, dict) else None
        if not isinstance(number, int) or isinstance(number, bool) or number < 0:
            raise DatasetError(f"{where}: it has no task_id, as tasks of WebArena have")
        if number in seen:
            raise DatasetError(f"{where}: another task has the task_id {number}, too")
        seen.add(number)
        for key, kind in (("intent", str), ("start_url", str), ("eval", dict)):
            if not isinstance(entry.get(key), kind) or not entry[key]:
                raise DatasetError(f"{where} (task_id {number}): it has no {key}, or none of the right kind")
        yield number, entry


class _Configured:
    """One task of a configuration file, its placeholders filled in."""

    def __init__(self, entry: Mapping[str, Any], origins: Sequence[SiteOrigin]) -> None:
        self._origins = {each.name: each for each in origins}
        self._used: dict[str, SiteOrigin] = {}
        told = {key: entry[key] for key in ("intent", "start_url", "eval")}
        if "${" in json.dumps(told):
            raise _NotHeld("it holds ${, which a task's table fills in")
        self.entry: Mapping[str, Any] = {**entry, **{key: self._filled(value) for key, value in told.items()}}

    def _filled(self, value: Any) -> Any:
        if isinstance(value, str):
            return _PLACEHOLDER.sub(self._place, value)
        if isinstance(value, Mapping):
            return {key: self._filled(item) for key, item in value.items()}
        return [self._filled(item) for item in value] if isinstance(value, list) else value

    def _place(self, found: re.Match[str]) -> str:
        name = found[1].lower()
        if name in ("last_url", "page"):
            return found[0]  # of a helper function, which is not understood as a whole
        if name not in self._origins:
            raise _NotHeld(f"no --origin says where {name} is")
        self._used[name] = self._origins[name]
        return self._origins[name].url

    @property
    def bundled(self) -> str:
        """The bundled site it is on; empty for none."""
        names = {each.bundled for each in self._used.values()}
        if len(names) > 1:
            raise _NotHeld("it is on several sites, and a bundled one stands alone")
        return names.pop() if names else ""


def _task_json(task: _Configured, login: Sequence[Cookie]) -> Mapping[str, Any]:
    entry = task.entry
    start = entry["start_url"]
    if "|AND|" in start:
        raise _NotHeld("it begins in several tabs")
    if entry.get("geolocation"):
        raise _NotHeld("it needs a browser that is somewhere on earth (geolocation)")
    if not origin_of(start):
        raise _NotHeld("it begins at no address")
    checks = list(_checks(entry["eval"], entry["intent"]))
    places = [start, *(check.look.url for check in checks if check.look and check.look.url)]
    origins = list(dict.fromkeys(map(origin_of, places)))
    if "" in origins:
        raise _NotHeld("a page that it looks at has no address")
    facts = {
        "kind": "site",
        "title": shorten(entry["intent"], 80),
        "licence": _LICENCE,
        "goal": entry["intent"],
        "start": start,
        "origins": origins,
        "max_steps": MAX_STEPS,
        "evaluators": {"checks": [_said(check) for check in checks]},
    }
    if task.bundled:
        facts["site"] = task.bundled
    if entry.get("storage_state") and not any(each.is_for(start) for each in login):
        facts["known_issues"] = [_LOGGED_OUT]
    return facts


def _checks(said: Mapping[str, Any], intent: str) -> Iterator[Check]:
    kinds = said.get("eval_types")
    known = {"string_match": _of_answer, "url_match": _of_address, "program_html": _of_pages}
    if not isinstance(kinds, list) or not kinds:
        raise _NotHeld("it has no eval_types")
    for kind in kinds:
        if kind not in known:
            raise _NotHeld(f"the evaluator {shorten(str(kind), 40)} is not known")
        yield from known[kind](said, intent)


def _of_answer(said: Mapping[str, Any], intent: str) -> Iterator[Check]:
    answers = said.get("reference_answers")
    if not isinstance(answers, Mapping) or not answers:
        raise _NotHeld("its string_match has no reference_answers")
    for how, value in answers.items():
        if how == "exact_match":
            yield Check(of="answer", any_of=(Wanted(match="exact", reference=_text(value)),))
        elif how == "must_include":
            texts = _texts(value)
            for text in texts:
                # A single sign would be found in almost any answer.
                is_word = len(texts) == 1 and len(text.strip()) == 1
                yield Check(of="answer", any_of=(Wanted(match="word" if is_word else "include", reference=text),))
        elif how == "fuzzy_match" and value == "N/A":
            note = _text(said.get("string_note") or "it cannot be done")
            rule = f"Decide whether it says that the task {intent!r} cannot be done, for this reason: {note}"
            yield Check(
                of="answer",
                any_of=(Wanted(match="exact", reference="N/A"), Wanted(match="semantic", reference=rule)),
            )
        elif how == "fuzzy_match":
            for text in _texts(value):
                rule = f"Decide whether, as an answer to {intent!r}, it means the same as: {text}"
                yield Check(of="answer", any_of=(Wanted(match="semantic", reference=rule),))
        else:
            raise _NotHeld(f"reference_answers by {shorten(str(how), 40)} are not known")


def _of_address(said: Mapping[str, Any], _intent: str) -> Iterator[Check]:
    note = said.get("url_note") or "GOLD in PRED"
    if note not in ("GOLD in PRED", "EXACT"):
        raise _NotHeld(f"addresses by {shorten(str(note), 40)} are not known")
    references = _text(said.get("reference_url")).split(_OR)
    match: CheckMatch = "exact" if note == "EXACT" else "include"
    yield Check(of="address", any_of=tuple(Wanted(match=match, reference=each.strip()) for each in references))


def _of_pages(said: Mapping[str, Any], _intent: str) -> Iterator[Check]:
    targets = said.get("program_html")
    if not isinstance(targets, list) or not targets:
        raise _NotHeld("its program_html names no page")
    for target in targets:
        if not isinstance(target, Mapping):
            raise _NotHeld("its program_html names no page")
        look = _look(target)
        contents = target.get("required_contents")
        if not isinstance(contents, Mapping) or len(contents) != 1:
            raise _NotHeld("required_contents say nothing that is known")
        if "exact_match" in contents:
            reference = _text(contents["exact_match"], may_be_empty=True)
            yield Check(of="page", any_of=(Wanted(match="exact", reference=reference),), look=look)
        elif "must_include" in contents:
            for text in _texts(contents["must_include"]):
                wanted = tuple(Wanted(match="include", reference=each) for each in text.split(_OR))
                yield Check(of="page", any_of=wanted, look=look)
        else:
            raise _NotHeld("required_contents say nothing that is known")


def _look(target: Mapping[str, Any]) -> Look:
    url, locator = _text(target.get("url")), _text(target.get("locator"), may_be_empty=True)
    part = ""
    if _POST.fullmatch(url):
        url, part = _LAST, "/f/*/*/"
    if url.startswith("func:"):
        raise _NotHeld(f"the address of a page is made by a helper function, which is not run ({_function(url)})")
    if locator.startswith("func:"):
        raise _NotHeld(f"what is read is made by a helper function, which is not run ({_function(locator)})")
    if "prep_actions" in target:
        raise _NotHeld("script is to be run before a page is read (prep_actions)")
    look = look_of(locator, "" if url == _LAST else url)
    if look is None:
        raise _NotHeld("a locator is JavaScript of a shape that is not understood")
    return replace(look, part=part)


def _function(call: str) -> str:
    return shorten(call.removeprefix("func:").partition("(")[0], 60)


def _text(value: Any, *, may_be_empty: bool = False) -> str:
    if not isinstance(value, str) or not (value.strip() or may_be_empty):
        raise _NotHeld("a reference or an address is empty, or no text")
    return value


def _texts(value: Any) -> list[str]:
    if not isinstance(value, list) or not value:
        raise _NotHeld("a reference or an address is empty, or no text")
    return [_text(each) for each in value]


def _said(record: Any) -> Any:
    """A record as JSON, without what is as it always is."""
    if is_dataclass(record):
        items = {each.name: (getattr(record, each.name), each.default) for each in fields(record)}
        return {name: _said(value) for name, (value, default) in items.items() if value != default}
    return [_said(each) for each in record] if isinstance(record, tuple) else plain(record)

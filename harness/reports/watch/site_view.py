"""What the page of an episode on a website says of its task, its tabs, and of each evaluator with what it looked at."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.catalog.site_facts import SiteFacts
from harness.kit.text import NOTHING, UNKNOWN, shorten
from harness.records.episode import Episode
from harness.records.site_record import EvaluatedPart, Evaluation, Moment, SiteRecord
from harness.reports.watch.scene_view import Facts, duration
from harness.reports.watch.site_marks import event_words, nodes_by_moment
from harness.reports.wording import count, evaluator_words, fraction, number
from harness.scoring.evaluators.text_match import is_met

MOST_LISTED = 300
"""Moments that stand in the list of an episode's page; the episode's own file has all."""
_MOST_STATE = 20_000
"""Characters of a state that are shown."""
_SELECTED = 120
_VERDICTS: Mapping[bool | None, tuple[str, str]] = {
    True: ("reached", "good"),
    False: ("not reached", "bad"),
    None: (UNKNOWN, "warn"),
}
_MET: Mapping[bool | None, tuple[str, str]] = {
    True: ("met", "good"),
    False: ("not met", "bad"),
    None: (UNKNOWN, "warn"),
}


@dataclass(frozen=True)
class ConditionView:
    """One condition of an evaluator.

    Attributes:
        number: Which, from 1.
        name: In words.
        looks_at: What is looked at.
        how: How it is compared.
        reference: What with.
        verdict: Whether it was met, in words.
        look: How that is painted.
        points: Its score.
        anchor: The step that met it, as its name in addresses; empty if no step did.
        when: When it was met, in words.
        page: The address of the tab then; empty if it was not met, or if that is not known.
        why: What was compared with what.
    """

    number: int
    name: str
    looks_at: str
    how: str
    reference: str
    verdict: str
    look: str
    points: str
    anchor: str
    when: str
    page: str
    why: str


@dataclass(frozen=True)
class EvaluatorView:
    """What one evaluator says.

    Attributes:
        name: In words.
        main: Whether its score is the episode's.
        verdict: Whether the goal was reached by it, in words.
        look: How that is painted.
        score: Its score.
        floor: What doing nothing would have got.
        why: In a sentence.
        timed: Whether its conditions are met at steps.
        conditions: One by one.
    """

    name: str
    main: bool
    verdict: str
    look: str
    score: str
    floor: str
    why: str
    timed: bool
    conditions: tuple[ConditionView, ...]


@dataclass(frozen=True)
class TabView:
    """A tab.

    Attributes:
        number: From 1.
        addresses: Where it was, in order; the same address once in a row.
        closed: Whether it was closed.
    """

    number: int
    addresses: tuple[str, ...]
    closed: bool


@dataclass(frozen=True)
class ListedMoment:
    """A line of the list of what happened.

    Attributes:
        when: Since the episode began.
        step: During which step; a name in addresses, and in words.
        tab: From 1.
        words: What happened.
        selector: The CSS selector of the element; shortened.
        page: The address of the tab.
        met: The key nodes that it met, by their numbers.
    """

    when: str
    step: tuple[str, str]
    tab: int
    words: str
    selector: str
    page: str
    met: tuple[int, ...]


@dataclass(frozen=True)
class SiteView:
    """A website's part of the page of an episode.

    Attributes:
        goal: What was to be done.
        facts: What is known of the task.
        evaluators: The main one first.
        known: Whether the main one's score is known.
        by: What the main one is called; empty if there is none.
        disagree: Whether one says that the goal was reached and another that it was not.
        tabs: The tabs.
        moments: What happened; at most ``MOST_LISTED``.
        moments_more: How many more the episode's file has.
        moments_lost: How many came after those that are kept.
        states: What the site told of itself, before and in the end: name and JSON.
    """

    goal: str
    facts: Facts
    evaluators: tuple[EvaluatorView, ...]
    known: bool
    by: str
    disagree: bool
    tabs: tuple[TabView, ...]
    moments: tuple[ListedMoment, ...]
    moments_more: int
    moments_lost: int
    states: tuple[tuple[str, str], ...]


def site_view(episode: Episode) -> SiteView | None:
    """A website's part of the page of an episode; None of a form."""
    site = episode.site
    if site is None:
        return None
    successes = {each.success for each in site.evaluations}
    return SiteView(
        goal=site.task.goal,
        facts=tuple(_facts(site)),
        evaluators=tuple(_evaluator(episode, site, each) for each in site.evaluations),
        known=site.main is not None and site.main.score is not None,
        by=evaluator_words(site.main.evaluator) if site.main else "",
        disagree={True, False} <= successes,
        tabs=_tabs(site.moments),
        moments=tuple(_moments(episode, site)),
        moments_more=max(0, len(site.moments) - MOST_LISTED),
        moments_lost=site.moments_lost,
        states=tuple(_states(site)),
    )


def _facts(site: SiteRecord) -> Iterator[tuple[str, str]]:
    task = site.task
    yield "begins at", task.start
    yield "site", f"{task.site}, layout {task.variant or 'as usual'}, seed {task.seed}" if task.site else "on the web"
    yield "level", task.level or UNKNOWN
    yield "may visit", " · ".join(task.origins)
    yield "reference", UNKNOWN if task.reference_length is None else f"{count(task.reference_length)} steps"
    if task.evaluators.answer or any(each.of == "answer" for each in task.evaluators.checks) or site.answer is not None:
        yield "answered", "nothing" if site.answer is None else site.answer
    if task.evaluators.page_reward:
        yield "reward of the page", UNKNOWN if site.reward is None else number(site.reward, 2)


def _evaluator(episode: Episode, site: SiteRecord, said: Evaluation) -> EvaluatorView:
    verdict, look = _VERDICTS[said.success]
    return EvaluatorView(
        name=evaluator_words(said.evaluator),
        main=said is site.main,
        verdict=verdict,
        look=look,
        score=UNKNOWN if said.score is None else fraction(said.score),
        floor=UNKNOWN if said.floor is None else fraction(said.floor),
        why=said.why,
        timed=said.evaluator == "key_nodes",
        conditions=tuple(_conditions(episode, site, said)),
    )


def _conditions(episode: Episode, site: SiteRecord, said: Evaluation) -> Iterator[ConditionView]:
    asked = _asked(site.task, said)
    for place, part in enumerate(said.parts):
        # A run of somebody else's may say more parts than its task has.
        looks_at, how, reference = asked[place] if place < len(asked) else (NOTHING, NOTHING, "")
        yield _condition(episode, site, place + 1, (looks_at, how, reference), part)
    if not said.parts and asked:
        whole = EvaluatedPart(name=f"{asked[0][0]}, {asked[0][1]}", score=said.score, why=said.why)
        yield _condition(episode, site, 1, asked[0], whole)


def _condition(
    episode: Episode, site: SiteRecord, place: int, asked: tuple[str, str, str], part: EvaluatedPart
) -> ConditionView:
    verdict, look = _MET[is_met(part.score)]
    moment = site.moments[part.moment] if part.moment is not None and part.moment < len(site.moments) else None
    anchor, when = _when(episode, moment)
    return ConditionView(
        number=place,
        name=part.name,
        looks_at=asked[0],
        how=asked[1],
        reference=asked[2],
        verdict=verdict,
        look=look,
        points=UNKNOWN if part.score is None else fraction(part.score),
        anchor=anchor,
        when=when,
        page=moment.url if moment else "",
        why=part.why,
    )


def _asked(task: SiteFacts, said: Evaluation) -> Sequence[tuple[str, str, str]]:
    """Of each condition what is looked at, how, and what with."""
    rules = task.evaluators
    match said.evaluator:
        case "key_nodes":
            return [
                (
                    " ".join(filter(None, (node.target.replace("_", " "), node.key, node.path and f"of {node.path}"))),
                    node.match,
                    node.reference,
                )
                for node in rules.key_nodes
            ]
        case "final_state":
            return [
                (each.at or "all of it", each.how.replace("_", " "), _json(each.value) if _has_value(each.how) else "")
                for each in rules.final_state
            ]
        case "answer" if rules.answer:
            return [("what was answered", rules.answer.match, rules.answer.reference)]
        case "checks":
            return [
                (
                    each.of if each.look is None else f"{each.look.css or 'all'} of {each.look.url or 'the page left'}",
                    " or ".join(dict.fromkeys(wanted.match for wanted in each.any_of)),
                    " or ".join(wanted.reference for wanted in each.any_of),
                )
                for each in rules.checks
            ]
    return ()


def _has_value(how: str) -> bool:
    return how not in ("exists", "absent")


def _when(episode: Episode, moment: Moment | None) -> tuple[str, str]:
    """When a moment was: the name of its step in addresses, and words."""
    if moment is None:
        return "", NOTHING
    if moment.step is not None:
        known = 0 <= moment.step < len(episode.steps)
        return f"step-{moment.step + 1}" if known else "", f"step {moment.step + 1}"
    return "", f"after {duration(moment.ms)}" if episode.unseen else "before the first step"


def _tabs(moments: Sequence[Moment]) -> tuple[TabView, ...]:
    addresses: dict[int, list[str]] = {}
    closed = set()
    for moment in moments:
        seen = addresses.setdefault(moment.tab, [])
        if moment.kind == "closed":
            closed.add(moment.tab)
        elif moment.url and seen[-1:] != [moment.url]:
            seen.append(moment.url)
    return tuple(TabView(tab + 1, tuple(seen), tab in closed) for tab, seen in sorted(addresses.items()))


def _moments(episode: Episode, site: SiteRecord) -> Iterator[ListedMoment]:
    met = nodes_by_moment(site)
    for place, moment in enumerate(site.moments[:MOST_LISTED]):
        yield ListedMoment(
            when=duration(moment.ms),
            step=_when(episode, moment),
            tab=moment.tab + 1,
            words=event_words(moment),
            selector=shorten(moment.element.css, _SELECTED) if moment.element else "",
            page=moment.url,
            met=tuple(number for number, _ in met.get(place, ())),
        )


def _states(site: SiteRecord) -> Iterator[tuple[str, str]]:
    if not site.task.site:
        return
    for name, state in (("when the episode began", site.state_before), ("in the end", site.state)):
        yield name, UNKNOWN if state is None else shorten(_json(state, indent=1), _MOST_STATE)


def _json(value: Any, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)

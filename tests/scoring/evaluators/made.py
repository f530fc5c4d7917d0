"""Pages, moments and records of episodes, made in memory."""

from __future__ import annotations

import json
from typing import Any

from lxml import html

from harness.catalog.site_facts import AnswerRule, Condition, Evaluators, KeyNode, SiteFacts
from harness.records.site_record import ActedElement, EvaluatedPart, Evaluation, Moment, SiteRecord
from harness.records.texts import name_of
from harness.scoring.evaluators.evaluate import evaluate
from harness.scoring.evaluators.page_tree import PageTree
from harness.scoring.evaluators.text_match import Judgement, MeaningJudge

SHOP = "http://shop.test/"


def tree(markup: str) -> str:
    """The tree of a page, as it is recorded."""

    def told(element: html.HtmlElement) -> list[Any]:
        children: list[Any] = [element.text] if element.text else []
        for child in element:
            children.append(told(child))
            children += [child.tail] if child.tail else []
        return [element.tag, dict(element.attrib), children]

    return json.dumps(told(html.document_fromstring(markup)))


class Recording:
    """Collects what happens in an episode; the trees of its pages by their names."""

    def __init__(self) -> None:
        self.moments: list[Moment] = []
        self.texts: dict[str, str] = {}

    def shows(self, url: str, *, step: int | None = None, tab: int = 0, kind: Any = "moved") -> Recording:
        self.moments.append(Moment(kind=kind, step=step, tab=tab, url=url))
        return self

    def acts(
        self,
        markup: str,
        css: str,
        *,
        value: str | None = None,
        event: str = "click",
        url: str = SHOP,
        step: int | None = 0,
        tab: int = 0,
    ) -> Recording:
        """Acts on what ``css`` finds in a page."""
        text = tree(markup)
        page = PageTree.read(text)
        element = page.find(css, "css")
        assert element is not None, f"the test's page has no {css}"
        self.texts[name_of(text)] = text
        acted = ActedElement(
            place=page.place_of(element),
            tag=str(element.tag),
            css=css,
            text=" ".join("".join(map(str, element.itertext())).split()),
            value=value,
        )
        self.moments.append(
            Moment(kind="acted", step=step, tab=tab, url=url, event=event, element=acted, dom=name_of(text))
        )
        return self

    def evaluated(self, facts: SiteFacts, judge: MeaningJudge | None = None, **values: Any) -> tuple[Evaluation, ...]:
        record = SiteRecord(task=facts, moments=tuple(self.moments), **values)
        return evaluate(record, self.texts.get, judge)

    def nodes(
        self, *nodes: KeyNode, judge: MeaningJudge | None = None, start: str = "http://start.test/"
    ) -> Evaluation:
        """What the key nodes are worth."""
        (found,) = self.evaluated(site(key_nodes=nodes, start=start), judge)
        return found

    def part(self, node: KeyNode, judge: MeaningJudge | None = None) -> EvaluatedPart:
        """What one node is worth."""
        (part,) = self.nodes(node, judge=judge).parts
        return part


def site(
    key_nodes: tuple[KeyNode, ...] = (),
    final_state: tuple[Condition, ...] = (),
    answer: AnswerRule | None = None,
    *,
    page_reward: bool = False,
    main: Any = None,
    start: str = SHOP,
    **values: Any,
) -> SiteFacts:
    evaluators = Evaluators(
        key_nodes=key_nodes, final_state=final_state, answer=answer, page_reward=page_reward, main=main
    )
    return SiteFacts(goal="Buy it", start=start, origins=("http://shop.test",), evaluators=evaluators, **values)


def url(match: Any, reference: str, key: str = "", **values: Any) -> KeyNode:
    return KeyNode(target="url", match=match, reference=reference, key=key, **values)


def path(reference: str, **values: Any) -> KeyNode:
    return KeyNode(target="element_path", match="exact", reference=reference, **values)


def value(match: Any, reference: str, path: str = "", **values: Any) -> KeyNode:
    return KeyNode(target="element_value", match=match, reference=reference, path=path, **values)


class ScriptedJudge:
    """Gives the scores that a test wants by answer, 0 for any other, and keeps what it was asked."""

    def __init__(self, scores: dict[str, float | None]) -> None:
        self.scores = scores
        self.asked: list[tuple[str, str]] = []

    def judge(self, rule: str, answer: str) -> Judgement:
        self.asked.append((rule, answer))
        return Judgement(self.scores.get(answer, 0.0), "as the script says")

"""Forms judged by key nodes: each scored field is one. docs/reference/key-nodes.md tells how far that agrees."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum

from harness.catalog.site_facts import KeyNode
from harness.kit.statistics.estimate import Estimate
from harness.kit.statistics.jackknife import cohens_kappa
from harness.records.episode import Episode, FieldRecord
from harness.scoring.metrics import PROFILES, Profile
from harness.scoring.scores import score_fields

_STANDARD = PROFILES["standard"]
_BETWEEN = "|"
"""Between several values of one field, as in labels."""


@dataclass(frozen=True, kw_only=True)
class FormAgreement:
    """Fields of forms by key nodes and by the metric.

    Attributes:
        fields: How many were compared.
        both: Fields whose node is met and whose score is at its ceiling.
        node_only: Fields whose node is met alone.
        metric_only: Fields whose score is at its ceiling alone, such as another of the answers that tie.
        neither: The rest.
        completion: Share of the nodes that are met.
        score: Mean score of the fields.
        kappa: Cohen's kappa of the two, with limits by tasks.
    """

    fields: int
    both: int
    node_only: int
    metric_only: int
    neither: int
    completion: float | None
    score: float | None
    kappa: Estimate

    @property
    def agreement(self) -> float | None:
        """The share of the fields of which both say the same; None without fields."""
        return (self.both + self.neither) / self.fields if self.fields else None


def key_nodes_of_form(episode: Episode, profile: Profile = _STANDARD) -> tuple[KeyNode, ...]:
    """A value node for each scored field of a form: the field holds the answer that the metric likes best.

    Args:
        episode: The record of one page.
        profile: The metric.

    Returns:
        The nodes, in the order of the fields; ``note`` is the field's name.
    """
    return tuple(_node(field.record, profile) for field in score_fields(episode, profile))


def form_agreement(episodes: Iterable[Episode], profile: Profile = _STANDARD) -> FormAgreement:
    """How far key nodes made of labels agree with the metric on what forms sent.

    Args:
        episodes: Of forms, worked on by a solver; harness errors have nothing to compare.
        profile: The metric.
    """
    met: list[bool] = []
    right: list[bool] = []
    scores: list[float] = []
    tasks: list[str] = []
    for episode in episodes:
        if episode.outcome == "harness_error" or episode.answered_by == "workers":
            continue
        for field in score_fields(episode, profile):
            met.append(_BETWEEN.join(field.record.sent) == _node(field.record, profile).reference)
            right.append(field.score.score >= field.score.ceiling > 0)
            scores.append(field.score.score)
            tasks.append(episode.task)
    cells = Counter(zip(met, right, strict=True))
    places = {task: place for place, task in enumerate(dict.fromkeys(tasks))}
    return FormAgreement(
        fields=len(met),
        both=cells[True, True],
        node_only=cells[True, False],
        metric_only=cells[False, True],
        neither=cells[False, False],
        completion=sum(met) / len(met) if met else None,
        score=fsum(scores) / len(scores) if scores else None,
        kappa=cohens_kappa([*map(int, met)], [*map(int, right)], [places[task] for task in tasks]),
    )


def _node(field: FieldRecord, profile: Profile) -> KeyNode:
    best = profile.best_answer(field.kind, field.options, field.labels)
    return KeyNode(
        target="element_value",
        match="exact",
        reference=_BETWEEN.join(best),
        path=f"[name={json.dumps(field.name)}]",
        note=field.name,
    )

"""What results differ in by design (modality, encoding, demonstrations), and which of them differ in nothing else.

Only results that are equal in everything but one such dimension say something about it together: they are a line. What
else differs between lines is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import pandas as pd

from harness.analysis.comparison import NothingShared, differences
from harness.analysis.seeds import Result, settings_of
from harness.kit.options import view
from harness.kit.statistics.clustered import DIFFERENCES, mean_of_clusters, mean_of_one
from harness.kit.statistics.estimate import Estimate
from harness.kit.text import shorten
from harness.models.asking_options import Asking
from harness.observe import ENCODINGS
from harness.observe.screenshots import MODES
from harness.records.agent_name import agent_name
from harness.records.config import option_names
from harness.records.run_record import RunRecord

DimensionName: TypeAlias = Literal["modality", "demos", "encoding"]
Value: TypeAlias = str | int
TEXT = "text"
NO_TEXT = "none"
"""The encoding of a page that is shown as a picture alone."""
_IDENT = "comparability id"


def _modality(options: Mapping[str, Any]) -> Value | None:
    asked = view(Asking, options)
    if asked.encoding is None:
        return None
    mode = asked.screenshot or MODES[0]
    shown = [TEXT] if asked.encoding != NO_TEXT else []
    return " and ".join([*shown, f"picture ({mode})"] if mode != MODES[0] else shown) or None


def _by_modality(value: Value) -> tuple[bool, str]:
    return value != TEXT, str(value)


def _encoding(options: Mapping[str, Any]) -> Value | None:
    name = view(Asking, options).encoding
    return name if name != NO_TEXT else None


def _by_encoding(value: Value) -> int:
    return [*ENCODINGS, value].index(value)


def _demos(options: Mapping[str, Any]) -> Value | None:
    return view(Asking, options).demos


@dataclass(frozen=True)
class _Dimension:
    """Something that a run's user chooses.

    Attributes:
        options: The options of solvers that it is.
        value: The choice, from options; None of solvers that do not have it.
        order: Where a choice stands among others.
    """

    options: frozenset[str]
    value: Callable[[Mapping[str, Any]], Value | None]
    order: Callable[[Value], Any]


_DIMENSIONS: Mapping[DimensionName, _Dimension] = {
    "modality": _Dimension(frozenset({"screenshot"}), _modality, _by_modality),
    "demos": _Dimension(frozenset({"demos"}), _demos, int),
    "encoding": _Dimension(frozenset({"encoding"}), _encoding, _by_encoding),
}


@dataclass(frozen=True)
class Variant:
    """A result in a line.

    Attributes:
        place: Its place among the results.
        value: What it has of the dimension.
        from_first: By how much it is ahead of the line's first, over tasks, on the instances that both have; None of
            the first itself, and where nothing is shared.
    """

    place: int
    value: Value
    from_first: Estimate | None = None


@dataclass(frozen=True)
class Line:
    """Two results or more that are equal but for one dimension, in its order.

    Attributes:
        name: Whose they are, with what tells them from the other lines.
        variants: The results, each with another value.
        by_task: Task -> by how much the last is ahead of the first, sorted from the largest.
    """

    name: str
    variants: tuple[Variant, ...]
    by_task: Mapping[str, Estimate]


@dataclass(frozen=True)
class Alone:
    """A result that no other equals in everything else.

    Attributes:
        variant: The result.
        near: The result that is most like it, and has another value; None if there is none.
        differs: In what those two differ beside the dimension.
    """

    variant: Variant
    near: int | None
    differs: tuple[str, ...]


@dataclass(frozen=True)
class Variation:
    """Results along one dimension.

    Attributes:
        dimension: Which.
        lines: Results that are joined, those with most results first.
        alone: Those that are not.
        without: The places of results that have nothing of this dimension, such as baselines.
    """

    dimension: DimensionName
    lines: tuple[Line, ...]
    alone: tuple[Alone, ...]
    without: tuple[int, ...]

    @property
    def values(self) -> tuple[Value, ...]:
        """All values, in order."""
        joined = {variant.value for line in self.lines for variant in line.variants}
        found = joined | {each.variant.value for each in self.alone}
        return tuple(sorted(found, key=_DIMENSIONS[self.dimension].order))


def variations(results: Sequence[Result], *, draws: int = 10_000) -> list[Variation]:
    """The dimensions in which results differ.

    Args:
        results: Of one report.
        draws: Of the bootstrap of differences.

    Returns:
        Those of which at least two values are there, in the order modality, demonstrations, encoding.
    """
    found = []
    for name, dimension in _DIMENSIONS.items():
        values = [dimension.value(result.runs[0].record.config.options) for result in results]
        if len({value for value in values if value is not None}) > 1:
            found.append(_variation(name, results, values, draws))
    return found


def _variation(name: DimensionName, results: Sequence[Result], values: Sequence[Value | None], draws: int) -> Variation:
    dimension = _DIMENSIONS[name]
    settings = {place: _settings(results[place], dimension) for place, value in enumerate(values) if value is not None}
    groups: list[dict[Value, int]] = []
    for place, own in settings.items():
        value = _known(values[place])
        fitting = (each for each in groups if settings[next(iter(each.values()))] == own and value not in each)
        group = next(fitting, None)
        if group is None:
            groups.append({value: place})
        else:
            group[value] = place
    joined = sorted((group for group in groups if len(group) > 1), key=lambda group: -len(group))
    firsts = [next(iter(group.values())) for group in joined]
    names = _names([results[place].runs[0].record for place in firsts], [settings[place] for place in firsts])
    ordered = [sorted(group.items(), key=lambda each: dimension.order(each[0])) for group in joined]
    return Variation(
        dimension=name,
        lines=tuple(Line(each, *_ahead(results, members, draws)) for each, members in zip(names, ordered, strict=True)),
        alone=tuple(_alone(place, values, settings) for group in groups if len(group) == 1 for place in group.values()),
        without=tuple(place for place, value in enumerate(values) if value is None),
    )


def _known(value: Value | None) -> Value:
    assert value is not None  # noqa: S101 - those without one have been left out
    return value


def _alone(place: int, values: Sequence[Value | None], settings: Mapping[int, Mapping[str, Any]]) -> Alone:
    own = settings[place]
    others = [(_differing(own, each), other) for other, each in settings.items() if values[other] != values[place]]
    differs, near = min(others, key=lambda each: len(each[0]), default=((), None))
    return Alone(Variant(place, _known(values[place])), near, differs)


def _settings(result: Result, dimension: _Dimension) -> dict[str, Any]:
    """All that has to be equal within a line."""
    run = result.runs[0]
    # A preset is a name for settings that stand here one by one.
    taken = {*dimension.options, *option_names(changes="spent"), *option_names(changes="nothing"), "solver"}
    settings = {name: value for name, value in settings_of(run).items() if name not in taken}
    return {**settings, _IDENT: run.comparability_id}


def _names(records: Sequence[RunRecord], settings: Sequence[Mapping[str, Any]]) -> list[str]:
    """The agents, with what differs between those of one name."""
    agents = list(map(agent_name, records))
    names = []
    for record, agent, each in zip(records, agents, settings, strict=True):
        namesakes = [other for name, other in zip(agents, settings, strict=True) if name == agent]
        telling = [key for key in each if any(other.get(key) != each[key] for other in namesakes)]
        names.append(agent_name(record, *(f"{key.replace('_', ' ')} {shorten(str(each[key]), 20)}" for key in telling)))
    return [
        f"{name} #{names[: place + 1].count(name)}" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]


def _differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(key.replace("_", " ") for key in {**one, **other} if one.get(key) != other.get(key))


def _ahead(
    results: Sequence[Result], members: Sequence[tuple[Value, int]], draws: int
) -> tuple[tuple[Variant, ...], dict[str, Estimate]]:
    """The variants of a line, and by how much the last is ahead of the first, task by task."""
    (first_value, first), *others = members
    variants, by_task = [Variant(first, first_value)], dict[str, Estimate]()
    for value, place in others:
        by_task = {}
        try:
            apart, _ = differences(results[first], results[place])
        except NothingShared:
            variants.append(Variant(place, value))
            continue
        codes = pd.factorize(apart["task"])[0]
        ahead = mean_of_clusters(apart["difference"].to_numpy(), codes, bounds=DIFFERENCES, draws=draws)
        variants.append(Variant(place, value, ahead))
        for task, part in apart.groupby("task", sort=True)["difference"]:
            by_task[str(task)] = mean_of_one(part.to_numpy(), bounds=DIFFERENCES)
    return tuple(variants), dict(sorted(by_task.items(), key=lambda each: (-round(each[1].value or 0.0, 9), each[0])))

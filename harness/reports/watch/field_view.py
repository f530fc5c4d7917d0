"""A field of the final form as a page shows it, with numbers in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from harness.kit.text import counted
from harness.reports.watch.comparisons import DistanceComparison, SetComparison, TextComparison
from harness.reports.watch.explanation import FieldExplanation
from harness.reports.wording import fraction

_EXACT = 1e-9


@dataclass(frozen=True)
class FieldView:
    """A field.

    Attributes:
        why: The field with its explanation.
        score: Its score; a dash if it has none.
        ceiling: What the labels allow.
        lost: Whether more was possible.
        labels: What workers answered, with how many did.
        floors: What others would have got.
        words: What the comparison comes to, in one sentence; empty if it says so itself.
        distances: Of numbers, each label with its distance.
        workers: Of a run of workers: each answer with its score.
    """

    why: FieldExplanation
    score: str
    ceiling: str
    lost: bool
    labels: tuple[tuple[str, int], ...]
    floors: tuple[tuple[str, str], ...]
    words: str
    distances: tuple[tuple[str, str], ...]
    workers: tuple[tuple[int, str, str], ...]

    @property
    def template(self) -> str:
        """The template that shows what the answer was compared with."""
        return f"compare_{self.why.comparison.template}.html" if self.why.comparison else ""


def field_view(why: FieldExplanation) -> FieldView:
    """A field in words."""
    score, comparison = why.score, why.comparison
    return FieldView(
        why=why,
        score=fraction(score.score if score else None),
        ceiling=fraction(score.ceiling if score else None),
        lost=bool(score and score.ceiling - score.score > _EXACT),
        labels=why.labels,
        floors=tuple(_floors(why)),
        words=_words(why),
        distances=tuple(_distances(comparison)) if isinstance(comparison, DistanceComparison) else (),
        workers=tuple((each.row + 1, " + ".join(each.answer), fraction(each.score)) for each in why.workers),
    )


def _floors(why: FieldExplanation) -> Iterator[tuple[str, str]]:
    if why.scored:
        yield "doing nothing", fraction(why.scored.do_nothing.score)
        yield "most frequent answer", fraction(why.scored.constant.score)
        yield "copying", fraction(why.scored.copy.score)


def _words(why: FieldExplanation) -> str:
    match why.comparison:
        case TextComparison(shared=shared) if shared:
            return (
                f"{counted(shared.common, 'token')} in common, of {shared.sent_tokens:,} that were sent and "
                f"{shared.label_tokens:,} of the label: precision {shared.precision:.2f}, recall {shared.recall:.2f}, "
                f"ROUGE-L {shared.f1:.2f}"
            )
        case SetComparison() as found:
            return (
                f"{len(found.both)} in both, {found.union} in either: {fraction(found.points)}. Beside the set of "
                f"{found.same} of {counted(found.workers, 'worker')}, which agrees best"
            )
        case DistanceComparison(mean=mean) as found if mean is not None:
            by = "the largest of labels and answer" if found.with_sent else "the largest label"
            return f"1 less {mean:g} (the mean distance) by {found.scale:g} ({by}): {fraction(found.points)}"
    return why.score.explanation if why.score else ""


def _distances(comparison: DistanceComparison) -> Iterator[tuple[str, str]]:
    for label, distance in comparison.labels:
        yield f"{label:g}", "" if distance is None else f"{distance:g}"

"""What people said of the runs of a report: how many answers they reviewed, and how far they agree with the metric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from harness.kit.errors import UserError
from harness.kit.text import NOTHING
from harness.records.directory import RunDirectory
from harness.records.verdict import JudgedRun, PlaceVerdict
from harness.reports.html.blocks import Block, NoticeBlock, ParagraphBlock, Section, TableBlock, TableColumn
from harness.reports.reviews.judged_review import judged_review
from harness.reports.reviews.open_verdicts import OpenVerdicts, open_words
from harness.reports.reviews.questions import WORDS
from harness.reports.reviews.review_numbers import CATEGORIES, ReviewNumbers, ReviewResults
from harness.reports.reviews.run_reviews import review_folders
from harness.reports.reviews.web_errors import IN_PAPER, count_errors
from harness.reports.wording import count, fraction, interval, percent, plural

_ABOUT = (
    "People judged drawn answers before they saw labels and scores. “Label wrong” is an answer whose labels the person "
    "holds wrong. The metric accepts an answer from a score of 50 on; agreement is on the answers of which the person "
    "could tell. docs/how-to/review.md defines every number."
)
_WIDE = "95 % interval"
SUMMARY_HEADINGS = ["reviewer", "fields", *(WORDS[each] for each in CATEGORIES), "agree", _WIDE, "kappa", _WIDE]


def reviews_section(runs: Mapping[str, Path]) -> Section | None:
    """The section of what people said of runs; None if nobody has said anything.

    Args:
        runs: Run directories by what they are called in the report.
    """
    blocks = [block for name, folder in runs.items() for block in _of_run(name, folder)]
    return Section("reviews", "Reviews by people", [ParagraphBlock(_ABOUT), *blocks]) if blocks else None


def _of_run(name: str, folder: Path) -> Iterator[Block]:
    run = RunDirectory(folder)
    for number, review in review_folders(folder).items():
        called = f"{name}, review {number}"
        try:
            results = judged_review(run, review).results
        except UserError as error:
            yield NoticeBlock("Not counted", f"{called}: {error}.")
            continue
        yield from _review(called, results)
    try:
        found = OpenVerdicts.beside(folder).read(JudgedRun.of(run.read()))
    except UserError as error:
        yield NoticeBlock("Not counted", f"{name}, said openly: {error}.")
        return
    if said := [each for verdicts in found for each in verdicts.verdicts]:
        yield TableBlock(
            f"{name}: said openly, with labels and scores before one's eyes. It counts in no agreement.",
            [TableColumn("what", "words"), TableColumn("of fields"), TableColumn("of episodes")],
            list(_counts(said)),
        )
        yield from _errors(name, said)


def _errors(name: str, said: Sequence[PlaceVerdict]) -> Iterator[Block]:
    counts = count_errors(said)
    if total := sum(counts.values()):
        yield TableBlock(
            f"{name}: where the agent went wrong, said openly, by the classes of AutoWebGLM (Lai et al. 2024, Table "
            "5); shares of the verdicts that give one, in per cent.",
            [TableColumn("class", "words"), *map(TableColumn, ["verdicts", "share", "in the paper"])],
            [
                [kind.replace("_", " "), count(number), percent(number / total), percent(IN_PAPER[kind])]
                for kind, number in counts.items()
            ],
        )


def _review(called: str, results: ReviewResults) -> Iterator[Block]:
    if not results.reviewers:
        yield ParagraphBlock(f"{called}: {plural(results.drawn, 'field')} drawn, none reviewed yet.")
        return
    caption = f"{called}: {plural(results.drawn, 'field')} drawn. What people said, and how far the metric agrees."
    if results.together:
        caption += (
            f" Together: where those who judged an answer say the same; {count(results.disputed)} in dispute left out."
        )
    yield TableBlock(
        caption,
        [TableColumn("reviewer", "words"), *map(TableColumn, SUMMARY_HEADINGS[1:])],
        summary_rows(results),
        summed=1 if results.together else 0,
    )
    if results.between:
        yield TableBlock(
            f"{called}: reviewers among each other, on what they say of the same answers.",
            [TableColumn("reviewers", "words"), *map(TableColumn, ["fields", "agree", _WIDE, "kappa", _WIDE])],
            [
                [
                    f"{each.first}, {each.second}",
                    count(each.fields),
                    *(percent(each.rate.value), interval(each.rate)),
                    *(fraction(each.kappa.value), interval(each.kappa, fraction)),
                ]
                for each in results.between
            ],
        )


def summary_rows(results: ReviewResults) -> Sequence[list[str]]:
    """A row a reviewer, and one for all together if there are several; under ``SUMMARY_HEADINGS``.

    Args:
        results: What the review comes to.
    """
    return [_row(numbers) for numbers in (*results.reviewers, *([results.together] if results.together else []))]


def _row(numbers: ReviewNumbers) -> list[str]:
    found = numbers.agreement
    return [
        numbers.reviewer or "together",
        count(numbers.judged),
        *(count(numbers.categories[each].fields) for each in CATEGORIES),
        *(percent(found.rate.value), interval(found.rate)),
        *(fraction(found.kappa.value), interval(found.kappa, fraction)),
    ]


def _counts(said: Iterable[PlaceVerdict]) -> Iterator[Sequence[str]]:
    fields, episodes = Counter[str](), Counter[str]()
    for each in said:
        (episodes if each.field is None else fields).update(open_words(each))
    for words in dict.fromkeys([*fields, *episodes]):
        yield [words, *(count(found[words]) if found[words] else NOTHING for found in (fields, episodes))]

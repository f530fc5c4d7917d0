"""What people say openly of episodes and fields, with labels and scores before their eyes: beside the run, never in it.

It counts in no agreement of people and metric, for which verdicts are blind, and needs no draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from harness.records.verdict import Judge, JudgedRun, PlaceVerdict, Verdicts, read_verdicts
from harness.reports.reviews.judging import StandingVerdict
from harness.reports.reviews.questions import WORDS
from harness.reports.reviews.review import ReviewFolder, WrongReview
from harness.reports.reviews.verdict_files import VerdictPlace, change_verdicts, known_verdicts, verdicts_file

OPEN = "open"


class OpenVerdicts:
    """Open verdicts on disk, a file a judge.

    Attributes:
        folder: Where they are.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def beside(cls, run: Path) -> OpenVerdicts:
        """Where those on a run are."""
        return cls(ReviewFolder.beside(run).folder / OPEN)

    def read(self, run: JudgedRun) -> list[Verdicts]:
        """What each judge has said, by name.

        Args:
            run: The run that they are to be of.

        Raises:
            MalformedVerdicts: a file cannot be read.
            WrongReview: a file is of another run, or holds blind verdicts.
        """
        found = []
        for file in sorted(self.folder.glob("*.json")):
            verdicts = read_verdicts(file)
            if verdicts.run != run:
                raise WrongReview(f"{file} holds verdicts on another run")
            if any(each.blind for each in verdicts.verdicts):
                raise WrongReview(f"{file} holds blind verdicts, whose place is that of a review")
            found.append(verdicts)
        return found

    def said_by(self, judge: Judge) -> Mapping[VerdictPlace, PlaceVerdict]:
        """What one judge has said.

        Raises:
            MalformedVerdicts: it cannot be read.
        """
        return known_verdicts(verdicts_file(self.folder, judge))

    def say(self, run: JudgedRun, judge: Judge, new: PlaceVerdict, before: str) -> StandingVerdict:
        """Say something of an episode or a field in place of what the judge said of it before.

        Args:
            run: The run.
            judge: Who says it.
            new: What is said; what says nothing takes back what was said.
            before: When what the judge saw was said, its ``at``; empty if nothing was. Where something else stands, it
                stays.

        Raises:
            OSError: the place cannot be written.
            MalformedVerdicts: what was there cannot be read.
        """
        found = StandingVerdict(new, is_other=False)

        def change(known: Mapping[VerdictPlace, PlaceVerdict]) -> Sequence[PlaceVerdict]:
            nonlocal found
            stands = known.get(new.place)
            if stands and stands.at != before:
                found = StandingVerdict(stands, is_other=True)
                return list(known.values())
            whole = {**known, new.place: new}
            return [each for each in whole.values() if not says_nothing(each)]

        change_verdicts(self.folder, run, judge, change)
        return found


def says_nothing(verdict: PlaceVerdict) -> bool:
    """Whether a verdict leaves everything open."""
    return (
        verdict.answer is None
        and verdict.labels is None
        and not verdict.page_broken
        and not verdict.note
        and not verdict.failure
        and not verdict.error
    )


def open_words(verdict: PlaceVerdict) -> Sequence[str]:
    """What an open verdict says, in words; a note alone is a note."""
    words = [WORDS[verdict.answer]] if verdict.answer else []
    if verdict.labels:
        words.append({"right": "label right", "wrong": "label wrong", "unsure": "label in doubt"}[verdict.labels])
    if verdict.page_broken:
        words.append("page broken")
    if verdict.failure:
        words.append(verdict.failure.replace("_", " "))
    if verdict.error:
        words.append(verdict.error.replace("_", " "))
    return words or ["note"]

"""What a judge said of trajectories, kept beside them and never in the run: ``RUN_judges/<judge>/<repeat>/``.

judge.json                       who judged what: the run, the judge, its model, its words
judgements/<task>/<index>.json   all that was said of one trajectory; its existence says that it has been judged
verdicts.json                    the verdicts alone, as those of people are kept, for agreement

Beside the repeats lie the model's replies and the account of them, so that none is paid for twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeVar

from harness.kit.errors import UserError
from harness.kit.files import codec
from harness.kit.files.codec import Count, JsonObject
from harness.kit.files.inside import MOST, read_inside
from harness.kit.files.writing import path_name, write_json
from harness.kit.text import shorten
from harness.records.verdict import Judge, JudgedRun, PlaceVerdict, Verdicts, write_verdicts
from harness.scoring.judges.failure_kinds import NamedFailure
from harness.scoring.judges.judgements import JUDGES, RULE, ScoredPicture, TrajectoryJudgement
from harness.scoring.judges.replies import TaskOutcome
from harness.scoring.judges.run_trajectories import Trial

JUDGEMENT_SCHEMA: Literal[1] = 1
"""The version of the format of judgements."""
JUDGE_FILE, JUDGEMENTS, VERDICTS_FILE = "judge.json", "judgements", "verdicts.json"
_LONGEST_NOTE = 400
T = TypeVar("T")
_REPEAT = re.compile(r"[1-9][0-9]{0,5}")


class OtherJudge(UserError):
    """A folder holds what another judge said, or nothing that can be read; the message says what to do."""


@dataclass(frozen=True, kw_only=True)
class TrajectoryJudge:
    """Who judges what, as ``judge.json`` keeps it.

    Attributes:
        schema: The version of the format.
        name: What it is called beside other judges; the same of all its repeats.
        run: The run whose trajectories are judged.
        method: How is judged: one of the published judges, or the rule.
        preset: The name of the model's preset; empty of the rule.
        model: The provider's name of the model; empty of the rule.
        pictures: Whether the model is shown the pictures.
        delta: From which score on WebJudge keeps a picture; null of other judges.
        prompts: The hash of its words, or of the rule's code.
        prompts_source: Where its words were taken from, if they are a paper's: repository, commit, hashes; else null.
        repeat: Which time it judges, from 1; the seed of each request, where its provider has one.
    """

    schema: Literal[1] = JUDGEMENT_SCHEMA
    name: str
    run: JudgedRun
    method: str
    preset: str = ""
    model: str = ""
    pictures: bool = True
    delta: int | None = None
    prompts: str
    prompts_source: JsonObject | None = None
    repeat: Count = 1


@dataclass(frozen=True, kw_only=True)
class SavedJudgement:
    """What a judge said of one trajectory.

    Attributes:
        schema: The version of the format.
        task: The task.
        index: The instance's place in its table.
        id: The instance's id; empty where there is none.
        seen: SHA-256 of all that there was to be seen of the trajectory.
        outcome: The verdict; null where there is none.
        why: Why there is none; empty if there is one.
        reply: The reply that holds the verdict; empty if it did not come so far.
        points: WebJudge's key points, or what the rule looked for.
        pictures: What WebJudge says of each picture; of others nothing.
        at: When it was judged: ISO 8601, UTC.
        failure: What it says of the kind of a failure; null if it was not asked.
    """

    schema: Literal[1] = JUDGEMENT_SCHEMA
    task: str
    index: Count
    id: str
    seen: str
    outcome: TaskOutcome | None
    why: str
    reply: str
    points: tuple[str, ...] = ()
    pictures: tuple[ScoredPicture, ...] = ()
    at: str
    failure: NamedFailure | None = None

    @classmethod
    def of(cls, trial: Trial, judgement: TrajectoryJudgement) -> SavedJudgement:
        """What is kept of a judgement, made now."""
        said = cls.without_verdict(trial, judgement.outcome.why)
        return replace(
            said,
            outcome=judgement.outcome.value,
            reply=judgement.reply,
            points=judgement.points,
            pictures=judgement.pictures,
            failure=judgement.failure,
        )

    @classmethod
    def without_verdict(cls, trial: Trial, why: str) -> SavedJudgement:
        """What is kept of a trajectory that has no verdict, and never will have one.

        Args:
            trial: The trajectory.
            why: The reason.
        """
        at = datetime.now(UTC).isoformat(timespec="seconds")
        return cls(
            task=trial.task,
            index=trial.index,
            id=trial.id,
            seen=trial.digest(),
            outcome=None,
            why=why,
            reply="",
            at=at,
        )

    @property
    def place(self) -> tuple[str, int]:
        """Task and index."""
        return self.task, self.index

    def verdict(self) -> PlaceVerdict:
        """The verdict alone; one that could not be read is ``unsure``, with the reason."""
        answer: Mapping[TaskOutcome | None, Literal["correct", "wrong", "unsure"]]
        answer = {"success": "correct", "failure": "wrong", None: "unsure"}
        return PlaceVerdict(
            task=self.task,
            index=self.index,
            id=self.id,
            field=None,
            sent=(),
            answer=answer[self.outcome],
            labels=None,
            note=shorten(self.why or self.reply.strip(), _LONGEST_NOTE),
            at=self.at,
            seconds=None,
            failure=self.failure.kind if self.failure else None,
        )


@dataclass(frozen=True)
class JudgementFolder:
    """What one judge said, once, on disk.

    Attributes:
        folder: Where.
    """

    folder: Path

    def begin(self, judge: TrajectoryJudge) -> None:
        """Say who judges, or see that it is who judged here before.

        Raises:
            OtherJudge: another judge did, another run was judged, or by other words.
            OSError: the place cannot be written.
        """
        file = self.folder / JUDGE_FILE
        if not file.exists():
            write_json(file, codec.plain(judge))
        elif (found := self.judge()) != judge:
            what = next(name for name in ("run", "model", "prompts", "method") if _differs(name, found, judge))
            raise OtherJudge(f"{self.folder} holds judgements with another {what}; name another folder with --out")

    def judge(self) -> TrajectoryJudge:
        """Who judges.

        Raises:
            OtherJudge: that cannot be read.
        """
        judge = _read(self.folder, JUDGE_FILE, TrajectoryJudge)
        if judge.method != RULE and judge.method not in JUDGES:
            known = ", ".join((*JUDGES, RULE))
            raise OtherJudge(f"{self.folder / JUDGE_FILE}: there is no judge {shorten(judge.method)!r}; known: {known}")
        return judge

    def judgements(self) -> tuple[SavedJudgement, ...]:
        """All that was said, by task and index.

        Raises:
            OtherJudge: a file of it cannot be read.
        """
        return tuple(sorted(self._each(), key=lambda each: each.place))

    def judgement(self, task: str, index: int) -> SavedJudgement | None:
        """What was said of one trajectory; None if nothing.

        Raises:
            OtherJudge: it cannot be read.
        """
        file = self._file(task, index)
        return _read(file.parent, file.name, SavedJudgement) if file.exists() else None

    def add(self, judgement: SavedJudgement) -> None:
        """Keep what was said of a trajectory, in place of what was said before.

        Raises:
            OSError: the place cannot be written; what was there is.
        """
        write_json(self._file(*judgement.place), codec.plain(judgement))

    @property
    def verdicts_file(self) -> Path:
        """Where the verdicts alone stand."""
        return self.folder / VERDICTS_FILE

    def write_verdicts(self) -> None:
        """Write the verdicts of all judgements.

        Raises:
            OtherJudge: a judgement cannot be read.
            OSError: the place cannot be written.
        """
        judge = self.judge()
        who = Judge(name=judge.name, kind="rule" if judge.method == "rule" else "model")
        said = tuple(each.verdict() for each in self.judgements())
        write_verdicts(self.verdicts_file, Verdicts(run=judge.run, judge=who, verdicts=said))

    def _file(self, task: str, index: int) -> Path:
        return self.folder / JUDGEMENTS / path_name(task) / f"{index}.json"

    def _each(self) -> Iterator[SavedJudgement]:
        for file in (self.folder / JUDGEMENTS).glob("*/*.json"):
            yield _read(file.parent, file.name, SavedJudgement)


def judges_beside(run: Path) -> Path:
    """The folder of what judges said of a run, or of a folder of trajectories: beside it."""
    place = run.resolve()
    return place.with_name(f"{place.name}_judges")


def judged_folders(top: Path) -> tuple[JudgementFolder, ...]:
    """What judges said, judge by judge and repeat by repeat.

    Args:
        top: As ``judges_beside`` gives it.
    """
    found = [file.parent for file in top.glob(f"*/*/{JUDGE_FILE}") if _REPEAT.fullmatch(file.parent.name)]
    return tuple(JudgementFolder(each) for each in sorted(found, key=lambda each: (each.parent.name, int(each.name))))


def _differs(name: str, one: TrajectoryJudge, other: TrajectoryJudge) -> bool:
    return name == "method" or getattr(one, name) != getattr(other, name)


def _read(folder: Path, name: str, kind: type[T]) -> T:
    try:
        return codec.decode(read_inside(folder, name, MOST), kind)
    except OSError as error:
        raise OtherJudge(f"{folder / name} cannot be read: {error.strerror or error}") from error
    except codec.Malformed as error:
        raise OtherJudge(f"{folder / name} is none that a judge left: {error}; remove it") from error

"""One run of the shards of a run, each of which has played a part of its instances."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from harness.analysis.judged_run import JUDGE_FOLDER, judge_spent
from harness.browser.sandbox import of_all
from harness.kit.errors import UserError
from harness.kit.files.codec import plain
from harness.kit.text import counted
from harness.models.ledger import LEDGER, Ledger, Totals
from harness.records.budgets import Budgets
from harness.records.config import RunConfig
from harness.records.digests import canonical_run
from harness.records.directory import CONFIG_FILE, REPORT_FILE, RUN_FILE, ForeignEpisodes, RunDirectory
from harness.records.episode import now
from harness.records.fatal import Stop
from harness.records.folder_lock import is_held
from harness.records.planned import SAMPLE_FILE, PlannedSample
from harness.records.run_record import RunRecord, RunStatus
from harness.records.under_way import UNDER_WAY
from harness.run.episode_totals import EpisodeTotals
from harness.run.run_result import RunResult, concluded, results_of

_OWN = (RUN_FILE, CONFIG_FILE, REPORT_FILE, SAMPLE_FILE, LEDGER, UNDER_WAY, "calls")
"""What a shard has for itself in its run directory."""
_ALIKE = ("task_set", "protocol", "left_out", "solver", "keyed", "isolation")
"""Attributes of the runs of all shards that have to be equal, beside what was asked for."""
_SHARED = ("max_cost", "max_tokens")
"""Budgets of a whole run, of which each shard has as much as was asked for."""
_MOST_NAMED = 5


class CannotMerge(UserError):
    """Runs are not the shards of one run, or not all of them; the message says why, and what to do."""


@dataclass(frozen=True)
class Shard:
    """A run of a part of the instances.

    Attributes:
        run: Its run directory.
        record: The content of its ``run.json``.
        sample: Its instances, and those of the other shards.
    """

    run: RunDirectory
    record: RunRecord
    sample: PlannedSample

    @classmethod
    def read(cls, folder: Path) -> Shard:
        """The shard in a folder.

        Raises:
            harness.records.directory.NotARun: there is no run.
            CannotMerge: the run is no shard, or nobody knows yet what is in it.
        """
        run = RunDirectory.open(folder)
        record = run.read()
        if not record.config.shard:
            raise CannotMerge(f"{folder} is no shard: its run was begun without --shard")
        if is_held(folder):
            raise CannotMerge(f"{folder} is in use: wait until shard {record.config.shard} has ended")
        sample = run.sample()
        if sample is None:
            raise CannotMerge(
                f"{folder}: shard {record.config.shard} was cut before its instances were chosen; "
                "go on with it by --resume, or leave it out"
            )
        return cls(run, record, sample)

    @property
    def number(self) -> int:
        """Which it is, from 1."""
        return self.record.config.part[0]

    @property
    def name(self) -> str:
        """As a message names it."""
        return f"shard {self.record.config.shard} ({self.run.folder})"

    @property
    def is_whole(self) -> bool:
        """Whether it came to its end. One that failed for want of a reply of use did: another may have had one."""
        stop = self.record.stopped
        return self.record.status in ("complete", "incomplete") or bool(stop and stop.kind == "no_reply")


@dataclass(frozen=True)
class MergedRun:
    """What came of it.

    Attributes:
        result: The merged run.
        notes: What its user should know, in sentences.
    """

    result: RunResult
    notes: tuple[str, ...]


def merged_run(folders: Sequence[Path], out: Path, *, without_missing: bool = False) -> MergedRun:
    """Make one run of the shards of a run, as if all instances had been played by it.

    Args:
        folders: The run directories of the shards, in any order; they are not changed.
        out: The folder of the merged run; it may be there if it is empty.
        without_missing: Whether shards may be missing. The merged run then was cut short: their instances are planned
            and not played, and it can be gone on with.

    Raises:
        CannotMerge: they are not the shards of one run, one is there twice or missing, or ``out`` is not empty.
        harness.records.directory.NotARun: a file of a shard cannot be read.
        harness.records.directory.ForeignEpisodes: a shard has episodes that are not its own.
        OSError: the merged run cannot be written.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise CannotMerge(f"{out} is not empty; give a new folder for the merged run")
    shards = sorted(map(Shard.read, folders), key=lambda each: each.number)
    whole = _checked(shards)
    missing = _missing(shards, len(whole))
    if missing and not without_missing:
        named = ", ".join(missing[:_MOST_NAMED]) + (" ..." if len(missing) > _MOST_NAMED else "")
        raise CannotMerge(
            f"{'shards are' if len(missing) > 1 else 'a shard is'} missing: {named}; add "
            f"{'them' if len(missing) > 1 else 'it'}, or count what is missing as not played by --without-missing"
        )
    part = out.with_name(f".{secrets.token_hex(8)}.part")
    try:
        merged = RunDirectory(part)
        for shard in shards:
            shard.run.copy_into(part, *_OWN)
        for ledger in (Path(LEDGER), Path(JUDGE_FOLDER, LEDGER)):
            _join_ledgers([shard.run.folder / ledger for shard in shards], part / ledger)
        _copy_config(shards[0], merged)
        merged.write_sample(whole)
        totals = EpisodeTotals(out)  # which names files as they are called in the end
        _write(merged, shards, whole, totals, is_whole=not missing and all(each.is_whole for each in shards))
        if out.exists():
            out.rmdir()
        part.rename(out)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    done = RunDirectory(out)
    record = done.read()
    result = RunResult(done, record, totals.endings, totals.found(), totals.unjudged)
    return MergedRun(result, tuple(_notes(shards, missing, record)))


def _checked(shards: Sequence[Shard]) -> PlannedSample:
    """The sample of the run of which these are shards.

    Raises:
        CannotMerge: they are not of one run, or one is there twice.
        ForeignEpisodes: one has episodes that are not its own.
    """
    first = shards[0]
    whole = first.sample.whole()
    for shard in shards:
        if different := next(_differences(first, shard, whole), ""):
            raise CannotMerge(f"{first.name} and {shard.name} are not of one run: {different}")
        own = {shard.run.episode_file(task, index) for task, index, _ in shard.sample.instances()}
        if strange := next((file for file in shard.run.episode_files().files if file not in own), None):
            raise ForeignEpisodes(f"{strange} is of an instance that is not {shard.name}'s; run that shard again")
    for one, next_one in pairwise(shards):
        if one.number == next_one.number:
            raise CannotMerge(f"{one.name} and {next_one.name} are the same shard: give one of them")
    places = [instance for shard in shards for instance in shard.sample.instances()]
    if len(set(places)) < len(places) or (not _missing(shards, len(whole)) and len(places) < len(whole)):
        raise CannotMerge("the shards share out their instances in several ways: play all of them by one version")
    return whole


def _differences(first: Shard, other: Shard, whole: PlannedSample) -> Iterator[str]:
    """In what two shards differ that are to be of one run, in words."""
    one, two = (each.record for each in (first, other))
    if one.config.part[1] != two.config.part[1]:
        yield f"the one was begun with --shard {one.config.shard}, the other with --shard {two.config.shard}"
    asked, also = (_flat(canonical_run(plain(each))["config"]) for each in (one, two))
    for name in sorted({*asked, *also} - {"shard"}):
        if asked.get(name) != also.get(name):
            yield f"{name} is {asked.get(name)!r} in the one and {also.get(name)!r} in the other"
    for name in _ALIKE:
        if getattr(one, name) != getattr(two, name):
            yield f"the entry {name} of their {RUN_FILE} differs"
    for name, value in plain(one.foundations).items():
        if plain(two.foundations)[name] != value:
            yield f"the entry foundations.{name} of their {RUN_FILE} differs"
    if other.sample.whole() != whole:
        yield "other instances were chosen"


def _flat(value: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """An object of JSON without objects inside: ``a.b`` is ``b`` of ``a``."""
    found: dict[str, Any] = {}
    for name, each in value.items():
        found |= _flat(each, f"{before}{name}.") if isinstance(each, Mapping) else {before + name: each}
    return found


def _missing(shards: Sequence[Shard], instances: int) -> list[str]:
    """The shards that are not there; those beyond the number of instances have none."""
    of = shards[0].record.config.part[1]
    there = {each.number for each in shards}
    return [f"{number}/{of}" for number in range(1, min(of, instances) + 1) if number not in there]


def _join_ledgers(files: Sequence[Path], out: Path) -> None:
    """Write what several ledgers say, one after the other, each without a line that was begun and not ended."""
    if texts := [file.read_bytes() for file in files if file.is_file() and not file.is_symlink()]:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(b"".join(text[: text.rfind(b"\n") + 1] for text in texts))


def _config_of_all(config: RunConfig) -> RunConfig:
    """What was asked for, of the whole run: it has the budgets of all shards together."""
    budgets, of = Budgets.of(config), config.part[1]
    more = {name: of * value for name in _SHARED if (value := getattr(budgets, name)) is not None}
    return replace(replace(budgets, **more).put_into(config), shard=None)


def _copy_config(shard: Shard, merged: RunDirectory) -> None:
    """Write the file for the same run again: as a shard has it, but for what ``_config_of_all`` changes."""
    try:
        lines = (shard.run.folder / CONFIG_FILE).read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    options = _config_of_all(shard.record.config).options
    changed = {name: f"{name} = {options[name]}" for name in _SHARED if options.get(name) is not None}
    named = [(line.partition(" = ")[0], line) for line in lines]
    merged.write_config("".join(f"{changed.get(name, line)}\n" for name, line in named if name != "shard"))


def _write(
    merged: RunDirectory, shards: Sequence[Shard], whole: PlannedSample, totals: EpisodeTotals, *, is_whole: bool
) -> None:
    records = [each.record for each in shards]
    first = records[0]
    ended = [each.ended for each in records if each.ended]
    status: RunStatus = "complete" if is_whole else "interrupted"
    seconds = [each.time.wall_seconds if each.time else None for each in records]
    known = [each for each in seconds if each is not None]
    spent = Ledger(merged.folder / LEDGER).totals()
    media = {task: found for each in records for task, found in each.outside.media_of_templates.items()}
    record = replace(
        first,
        status=status,
        started=min(each.started for each in records),
        resumed=tuple(sorted({when for each in records for when in each.resumed})),
        ended=max(ended) if ended else now("seconds"),
        stopped=None if is_whole else _stop(shards),
        config=_config_of_all(first.config),
        sandbox=of_all(each.sandbox for each in records),
        sample=whole.fingerprint(),
        planned_episodes=len(whole),
        results=None,
        spent=None if spent == Totals() else spent,
        judge_spent=judge_spent(merged.folder),
        budgets_before=tuple(dict.fromkeys(each for record in records for each in record.budgets_before)),
        episodes_digest="",
    )
    merged.write(record)
    if merged.has_episodes():
        results = results_of(merged, record.config.metrics, totals)
        record = replace(record, results=results, episodes_digest=merged.check_records().digest)
    wall = sum(known) if len(known) == len(seconds) else None
    record = replace(record, **totals.in_record(record.outside.network, media, wall))
    merged.write(concluded(record, totals))


def _stop(shards: Sequence[Shard]) -> Stop:
    """Why not all was played: as the first shard that was cut says, or for shards that are missing."""
    for shard in shards:
        if not shard.is_whole and (stop := shard.record.stopped):
            return replace(stop, words=f"shard {shard.record.config.shard}: {stop.words}")
    if cut := [each for each in shards if not each.is_whole]:
        words = f"shard {cut[0].record.config.shard} was killed"
    else:
        words = "not all of its shards were merged"
    return Stop(kind="interrupt", words=words, at=now("seconds"))


def _notes(shards: Sequence[Shard], missing: Sequence[str], record: RunRecord) -> Iterator[str]:
    if missing:
        left = (record.planned_episodes or 0) - sum(len(each.sample) for each in shards)
        yield f"{counted(len(missing), 'shard')} missing, so that {counted(left, 'instance')} were not played"
    for shard in shards:
        if left := len(shard.sample) - shard.run.size():
            yield f"{shard.name} was cut short: {left} of its {counted(len(shard.sample), 'instance')} were not played"
        elif not shard.is_whole:
            yield f"{shard.name} has not come to its end, though all of its instances were played"
    said: dict[str, Callable[[RunRecord], object]] = {
        "browser": lambda each: each.provenance.browser,
        "code": lambda each: each.provenance.git,
        "Python": lambda each: each.provenance.python,
        "packages": lambda each: each.provenance.packages,
    }
    for shard in shards[1:]:
        if others := [name for name, of in said.items() if of(shard.record) != of(shards[0].record)]:
            yield f"{shard.name} was played with other versions than {shards[0].name}: {', '.join(others)}"

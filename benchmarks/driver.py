"""The driver of a cluster alone: stand-in nodes bring ready-made episodes, and no browser is started.

What is measured is the code of a run on Ray, but for Ray itself, whose part is taken by an object that hands over at
once: the engine with its queues, what answers the workers' questions, the ledger, the label process and the run
directory. An episode has four turns and is as large as that of a model which reads the bundled page "Sentiment of
reviews" as text: eight texts, eight pictures of its film, four replies.

Then a cluster is simulated with these costs: what is busy how much, and what saturates first.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import patch

from benchmarks.processes import family_seconds
from benchmarks.setting import Setting
from benchmarks.waiting import SOLVER, TASK, make_task
from harness.analysis.load_plan import CallLoad, Means
from harness.analysis.load_simulation import LoadSimulation, Step
from harness.browser.form.inventory import PageFacts
from harness.browser.form.submission import Submission
from harness.catalog import Catalog
from harness.datasets.controls import declared_fields
from harness.episode.play import PlayedPage
from harness.kit.text import aligned
from harness.models.ledger import SpendingLimits
from harness.models.messages import Message, Reply, Request, Text, Usage
from harness.records.config import RunConfig
from harness.records.film import Film, Frame, picture_name
from harness.records.texts import packed
from harness.records.turn import Turn
from harness.run.engine import EngineOrder
from harness.run.interrupts import Interrupts
from harness.run.label_process import LabelProcess
from harness.run.label_store import LocalLabelStore
from harness.run.page_job import PageJob
from harness.run.pause import Pause
from harness.run.plan import PlannedTask
from harness.run.pool import TICK_SECONDS, PoolListener
from harness.run.progress import QuietProgress
from harness.run.rpc import Question
from harness.run.run_service import RunService
from harness.run.run_tasks import RunTasks

RATES = (100, 500, 1_000, 2_000)
"""Episodes a second that the nodes bring."""
HELD = 640
"""Episodes in flight meanwhile."""
SECONDS = 4.0
"""How long they are brought at each rate."""
LEAST = 50
"""Episodes that are to end meanwhile, however long that takes."""
TURNS = 4
IN_FLIGHT = 64
"""Episodes at once on a node."""
SIMULATED = (10, 30, 100, 300, 1_000)
"""Nodes of the clusters that are simulated."""
EACH, MOST = 12, 250_000
"""Episodes for each place there, and in all: the rate is that of the middle half, by when calls have been given up."""
CORES = 8
"""Of each: 64 episodes in flight that are busy for 0.1 s of every 7 take one."""
TURN_SECONDS = 0.1
"""Processor time of a turn on a node: ``python -m benchmarks waiting``."""
MEDIAN, SIGMA = 4.0, 0.8
"""Of replies, in seconds, and of their logarithm: a mean of 5.5 s, and one in twenty takes longer than 15 s, as of
services whose slow replies are those with a long thought."""
OUTAGE, OUTAGE_SECONDS = 0.01, 180.0
"""The share of calls that nobody answers, and after how long they are given up and made again."""
_REPLY = Reply("modify_text('reason', 'It says what the writer liked.')", usage=Usage(1_000, 20))
_MOST = Usage(3_000, 210)
_PICTURE_BYTES = 19_000
_TEXT_CHARACTERS = 3_000
_PICTURES, _TEXTS = 8, 8
QUESTIONS = {
    "labels.work_item": 1,
    "labels.learn": 1,
    "labels.keep": 1,
    "files.keep": 1,
    "files.write_film": 1,
    "replies.get": TURNS,
    "replies.put": TURNS,
    "ledger.claim": TURNS,
    "ledger.pay": TURNS,
}
"""What an episode's worker asks -> how often."""
PARTS = ("labels", "files", "replies", "ledger")
"""Of the driver: where the names of questions begin."""
HAND_OUT = "hand out and take in"
LABEL_PROCESS = "label process"


@dataclass(frozen=True)
class Driven:
    """What was seen of the driver at a rate.

    Attributes:
        offered: Episodes a second that were brought.
        reached: Episodes a second that were taken in.
        parts: Part -> processor seconds of the driver for an episode.
        label_process: Processor seconds of the label process for an episode.
        waited: Seconds for which an episode's answers waited for the label process, the disk, or a processor.
    """

    offered: int
    reached: float
    parts: Mapping[str, float]
    label_process: float
    waited: float

    @property
    def busy(self) -> float:
        """Seconds that an episode keeps the driver: it waits for each answer of the label process."""
        return sum(self.parts.values()) + self.label_process


def measure(_setting: Setting) -> str:
    """The figures as three tables: rates, parts, and the simulated cluster."""
    driven = [drive(rate) for rate in RATES]
    names = [HAND_OUT, *PARTS]
    rates = [("offered, episodes/s", "taken in", "at most", *(f"{name}, us" for name in names), "waits, us")]
    for each in driven:
        micros = (f"{1e6 * seconds:.0f}" for seconds in (*(each.parts[name] for name in names), each.waited))
        rates.append((f"{each.offered:,}", f"{each.reached:.0f}", f"{1 / each.busy:.0f}", *micros))
    return "\n\n".join(
        [
            f"driver, {HELD:,} episodes in flight: its processor's microseconds an episode",
            aligned(rates),
            aligned(_saturation(driven[-1])),
            f"simulated: {IN_FLIGHT} episodes in flight on each node, {OUTAGE:.0%} of calls unanswered",
            aligned(_cluster(driven[-1])),
        ]
    )


def _mean_call() -> float:
    return math.exp(math.log(MEDIAN) + SIGMA**2 / 2) + OUTAGE / (1 - OUTAGE) * OUTAGE_SECONDS


def _saturation(driven: Driven) -> list[tuple[str, ...]]:
    """At which rate each part alone has no time left."""
    rows = [("part", "microseconds an episode", "alone at most, episodes/s")]
    for name, seconds in sorted(
        {**driven.parts, LABEL_PROCESS: driven.label_process}.items(), key=lambda each: -each[1]
    ):
        rows.append((name, f"{1e6 * seconds:.0f}", f"{1 / seconds:,.0f}"))
    return [*rows, ("the driver, which waits for that process", f"{1e6 * driven.busy:.0f}", f"{1 / driven.busy:,.0f}")]


def _cluster(driven: Driven) -> list[tuple[str, ...]]:
    """What is busy how much in clusters of more and more nodes."""
    rows: list[tuple[str, ...]] = [
        ("nodes", "episodes/s", "of the ideal", "driver busy", "label process busy", "nodes' processors busy")
    ]
    for nodes in SIMULATED:
        simulation = LoadSimulation(Means(nodes, CORES, IN_FLIGHT), lines={"driver": 1})
        draws, ended = random.Random(nodes), list[float]()  # noqa: S311 - it guards nothing
        count = min(MOST, EACH * nodes * IN_FLIGHT)
        simulation.play(_simulated(driven, draws, simulation, ended) for _ in range(count))
        rate = count / 2 / (ended[3 * count // 4] - ended[count // 4])
        ideal = nodes * IN_FLIGHT / (TURNS * (_mean_call() + TURN_SECONDS))
        # What is busy is what an episode takes of it, so many times a second.
        busy = rate * driven.busy, rate * driven.label_process, rate * TURNS * TURN_SECONDS / nodes / CORES
        rows.append((f"{nodes:,}", f"{rate:.0f}", f"{rate / ideal:.0%}", *(f"{share:.0%}" for share in busy)))
    return rows


def _simulated(driven: Driven, draws: random.Random, simulation: LoadSimulation, ended: list[float]) -> Iterator[Step]:
    """An episode of a node: who is asked, and for how long; in the end, when it ended."""
    per_turn = (driven.parts["ledger"] + driven.parts["replies"]) / TURNS
    once = (driven.busy - TURNS * per_turn) / 2
    yield "driver", CallLoad(once, 0)
    for _ in range(TURNS):
        yield "work", CallLoad(TURN_SECONDS, 0)
        yield "driver", CallLoad(per_turn, 0)
        while draws.random() < OUTAGE:
            yield "call", CallLoad(OUTAGE_SECONDS, 0)
        yield "call", CallLoad(draws.lognormvariate(math.log(MEDIAN), SIGMA), 0)
    yield "driver", CallLoad(once, 0)
    ended.append(simulation.now)


def drive(rate: int, seconds: float = SECONDS, held: int = HELD) -> Driven:
    """Bring episodes at a rate, and watch the driver.

    Args:
        rate: Episodes a second.
        seconds: For so long.
        held: Episodes at once.
    """
    with driven(held + round(rate * 2 * seconds) + 2 * LEAST, nodes=-(-held // IN_FLIGHT)) as (engine, nodes, _, seen):
        labels = engine._order.labels._process.pid
        engine.open()
        engine.put(*nodes.planned())
        while nodes.waiting_count < held:  # the first turns of all that are in flight
            engine._step(0)
        nodes.begin(rate)
        _steps(engine, nodes, seconds / 2)
        seen.clear()
        done, labels_before, own = nodes.done, family_seconds(labels), nodes.own
        clock, processor = time.monotonic(), time.process_time()
        _steps(engine, nodes, seconds)
        passed, spent = time.monotonic() - clock, time.process_time() - processor - (nodes.own - own)
        labels_spent = (family_seconds(labels) - labels_before) / max(1, seen.count("labels"))
        parts = {part: seen.an_episode(part) for part in PARTS}
        parts[HAND_OUT] = (spent - seen.spent()) / max(1, seen.count()) * sum(QUESTIONS.values())
        at_labels = sum(count for name, count in QUESTIONS.items() if name.startswith("labels"))
        return Driven(rate, (nodes.done - done) / passed, parts, labels_spent * at_labels, seen.waited_an_episode())


def _steps(engine: Any, nodes: StandIns, seconds: float) -> None:
    """Let the driver work for so long, and until it has had some episodes to their ends."""
    end, done = time.monotonic() + seconds, nodes.done
    while time.monotonic() < end or nodes.done < done + LEAST:
        engine._step(TICK_SECONDS)


class Seen:
    """What answers took: by question, how many there were, the processor's seconds, and those that were waited."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Begin anew."""
        self._counts: Counter[str] = Counter()
        self._spent: defaultdict[str, float] = defaultdict(float)
        self._waited: defaultdict[str, float] = defaultdict(float)

    def add(self, name: str, spent: float, waited: float) -> None:
        """One more answer."""
        self._counts[name] += 1
        self._spent[name] += spent
        self._waited[name] += waited

    def count(self, part: str = "") -> int:
        """Answers of a part, or of all."""
        return sum(count for name, count in self._counts.items() if name.startswith(part))

    def spent(self) -> float:
        """The processor's seconds of all."""
        return sum(self._spent.values())

    def an_episode(self, part: str) -> float:
        """The processor's seconds of a part for an episode."""
        return self._mean(self._spent, part)

    def waited_an_episode(self) -> float:
        """Seconds for which an episode's answers waited for the label process or the disk."""
        return self._mean(self._waited, "")

    def _mean(self, seconds: Mapping[str, float], part: str) -> float:
        asked = {name: count for name, count in QUESTIONS.items() if name.startswith(part)}
        return sum(count * seconds.get(name, 0.0) / max(1, self._counts[name]) for name, count in asked.items())


@contextlib.contextmanager
def driven(episodes: int, nodes: int) -> Iterator[tuple[Any, StandIns, Path, Seen]]:
    """A context: the engine of a cluster's driver, the stand-ins for its nodes, the run directory, and what was seen.

    Args:
        episodes: How many can be handed out.
        nodes: How many there are.
    """
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as stack:
        folder = Path(scratch)
        stack.enter_context(patch.dict(os.environ, {"XDG_CACHE_HOME": str(folder / "cache")}))
        make_task(folder / "tasks" / TASK, episodes)
        config = RunConfig(SOLVER, folder / "tasks", workers=IN_FLIGHT, engine="ray")
        run = folder / "run"
        run.mkdir()
        labels = stack.enter_context(LabelProcess(partial(LocalLabelStore, config, run), lambda: iter(())))
        seen = Seen()
        stand_in = StandIns(nodes, Catalog(folder / "tasks"))
        ray_engine = stack.enter_context(_without_ray(stand_in))
        stack.enter_context(patch.object(ray_engine, "RunService", partial(_timed_service, seen)))
        progress = QuietProgress()
        progress.start(SOLVER, None)

        def done(job: PageJob, _told: object) -> None:
            played = labels.result(job)
            progress.advance(played.outcome, played.score)

        order = EngineOrder(
            config=config,
            folder=run,
            tasks=RunTasks.of(config),
            labels=labels,
            listener=PoolListener(done, lambda job, reason: sys.exit(f"{job}: {reason}")),
            interrupts=Interrupts(),
            pause=Pause("stop"),
            control_key="",
        )
        engine = stack.enter_context(ray_engine.RayEngine(order, None))
        yield engine, stand_in, run, seen


def _timed_service(seen: Seen, *given: Any) -> Any:
    """What answers a worker, and keeps account of what that takes."""
    service = RunService(*given)

    def answer(name: str, *arguments: Any, **more: Any) -> Any:
        clock, processor = time.perf_counter(), time.thread_time()
        try:
            return service.answer(name, *arguments, **more)
        finally:
            spent = time.thread_time() - processor
            seen.add(name, spent, max(0.0, time.perf_counter() - clock - spent))

    return SimpleNamespace(answer=answer, close=service.close)


@dataclass
class _Episode:
    """An episode in flight on a stand-in node: what it asks next, and where it is asked."""

    node: _Actor
    worker: int
    job: PageJob
    task: object
    asks: Iterator[Question | None]
    """None where it waits for a reply of its model."""
    told: Any = None


@dataclass
class _Actor:
    """A stand-in for the actor of a node."""

    nodes: StandIns
    number: int
    asked: list[Any] = field(default_factory=list)
    questions_task: object = None
    free: list[int] = field(default_factory=lambda: list(range(IN_FLIGHT)))

    def __getattr__(self, name: str) -> Any:
        return SimpleNamespace(remote=partial(getattr(self.nodes, f"on_{name}"), self))


class StandIns:
    """Stand-ins for all nodes, and for Ray: what it is asked for is there.

    Attributes:
        done: Episodes that were brought.
        own: Processor seconds of the stand-ins themselves.
    """

    def __init__(self, count: int, catalog: Catalog) -> None:
        self.done, self.own = 0, 0.0
        self._count, self._task = count, catalog.task(TASK)
        self._ready: dict[object, Any] = {}
        self._by_worker: dict[tuple[int, int], _Episode] = {}
        self._waiting: deque[_Episode] = deque()
        self._rate, self._begun, self._woken = 0.0, 0.0, 0
        fields = tuple(declared_fields(self._task.template))
        self._facts = PageFacts(fields, Submission({}, True, "press", "", ()), ())

    def planned(self) -> tuple[PlannedTask, list[PageJob]]:
        """What the engine is to have played."""
        jobs = [PageJob(each.task, each.index, each.id, "test") for each in self._task.pages]
        return PlannedTask(self._task.name, 3, tuple(jobs), "", ()), jobs

    @property
    def waiting_count(self) -> int:
        """Episodes that wait for a model."""
        return len(self._waiting)

    def begin(self, rate: float) -> None:
        """Let models answer from now on, so often that so many episodes a second end."""
        self._rate, self._begun, self._woken, self.own = rate * TURNS, time.monotonic(), 0, 0.0

    # ---- Ray ------------------------------------------------------------------------------------------------

    def nodes(self) -> list[dict[str, Any]]:
        """See ``ray.nodes``."""
        return [
            {"NodeID": f"{number:x}", "NodeManagerAddress": str(number), "Alive": True, "Resources": {"CPU": 64.0}}
            for number in range(self._count)
        ]

    def remote(self, **_options: Any) -> Callable[[type], Any]:
        """See ``ray.remote``; gives stand-ins for actors."""
        numbers = self._numbers = getattr(self, "_numbers", itertools.count())
        return lambda _kind: SimpleNamespace(remote=lambda: _Actor(self, next(numbers)))

    def wait(self, _tasks: list[object], *, timeout: float, **_: int) -> tuple[list[object], list[object]]:
        """See ``ray.wait``; gives all that is ready at once, however little is wanted."""
        begun = time.thread_time()
        self._wake()
        if not self._ready and self._rate:
            due = self._begun + (self._woken + 1) / self._rate - time.monotonic()
            time.sleep(max(0.0, min(timeout, due)))  # until a model answers, as Ray would wait
            self._wake()
        ready = list(self._ready)
        self.own += time.thread_time() - begun
        return ready, []

    def get(self, task: object) -> Any:
        """See ``ray.get``."""
        return self._ready.pop(task)

    # ---- the actors -----------------------------------------------------------------------------------------

    def on_open(self, actor: _Actor, *_: object) -> object:
        """Opened at once, but for further nodes, of which there are none."""
        if actor.number >= self._count:
            return object()
        from harness.run.ray_node import OpenedNode  # noqa: PLC0415 - it is there where Ray is, or its stand-in

        return self._is_ready(OpenedNode(f"{actor.number:x}", str(actor.number), ""))

    def on_questions(self, actor: _Actor) -> object:
        """Ready when a worker asks."""
        actor.questions_task = task = object()
        self._tell_questions(actor)
        return task

    def on_play(self, actor: _Actor, _group: str, job: PageJob) -> object:
        """An episode begins."""
        begun = time.thread_time()
        worker, task = actor.free.pop(), object()
        episode = _Episode(actor, worker, job, task, self._asked_by(job, (actor.number, worker)))
        self._by_worker[actor.number, worker] = episode
        self._go_on(episode)
        self.own += time.thread_time() - begun
        return task

    def on_answer(self, actor: _Actor, answers: Sequence[Any]) -> None:
        """Answers to workers, which go on."""
        begun = time.thread_time()
        for each in answers:
            if each.answer.error:
                raise each.answer.error
            episode = self._by_worker[actor.number, each.worker]
            episode.told = each.answer.value
            self._go_on(episode)
        self.own += time.thread_time() - begun

    def on_close(self, _actor: _Actor) -> object:
        """Closed at once."""
        return self._is_ready(None)

    def _is_ready(self, told: Any) -> object:
        task = object()
        self._ready[task] = told
        return task

    def _wake(self) -> None:
        """Let models answer those that have waited longest, as many as are due."""
        due = int((time.monotonic() - self._begun) * self._rate) if self._rate else 0
        # What is due beyond is what the driver cannot take.
        active = len(self._by_worker) - len(self._waiting)
        while self._woken < due and self._waiting and active < IN_FLIGHT:
            self._woken += 1
            active += 1
            self._go_on(self._waiting.popleft())

    def _go_on(self, episode: _Episode) -> None:
        from harness.run.node_pool import NodeReport  # noqa: PLC0415 - as above
        from harness.run.ray_node import WorkerQuestion  # noqa: PLC0415 - as above

        try:
            asked = next(episode.asks)
        except StopIteration:
            episode.node.free.append(episode.worker)
            del self._by_worker[episode.node.number, episode.worker]
            self.done += 1
            self._ready[episode.task] = NodeReport("done", episode.job.task, episode.job.index, (None, ""))
            return
        if asked is None:
            self._waiting.append(episode)
            return
        episode.node.asked.append(WorkerQuestion(episode.worker, asked))
        self._tell_questions(episode.node)

    def _tell_questions(self, actor: _Actor) -> None:
        if actor.asked and actor.questions_task:
            self._ready[actor.questions_task] = actor.asked
            actor.asked, actor.questions_task = [], None

    def _asked_by(self, job: PageJob, place: tuple[int, int]) -> Iterator[Question | None]:
        """What the worker of an episode asks, from beginning to end."""
        yield Question("labels.work_item", (job, "http://127.0.0.1:1"))
        yield Question("labels.learn", (job, "http://127.0.0.1:1", self._facts))
        turns: list[Turn] = []
        texts: dict[str, str] = {}
        # The first of all are in any turn, as in the midst of a run.
        for turn in range(0 if self._rate else job.index % TURNS, TURNS):
            asked = f"{job.id} {turn} " + "x" * _TEXT_CHARACTERS
            request = Request(model="scripted", messages=(Message("user", (Text(asked),)),), max_tokens=200)
            yield Question("replies.get", ("scripted", request))
            yield Question("ledger.claim", (_MOST, None, SpendingLimits(), 180.0))
            claim = self._by_worker[place].told
            yield None
            yield Question("replies.put", ("scripted", request, _REPLY))
            yield Question("ledger.pay", (claim, _REPLY.usage, None), {"model": "scripted", "where": job.id, "ms": 4e3})
            sent, made = packed(request.to_json())
            texts |= made
            turns.append(Turn(sent=sent, reply=_REPLY.text, usage=_REPLY.usage, model="scripted", ms=4e3))
        yield Question("files.keep", ({}, texts))
        contents = [f"{job.id} {place}".encode().ljust(_PICTURE_BYTES, b"x") for place in range(_PICTURES)]
        pictures = {picture_name(content, "webp"): content for content in contents}
        film = Film(frames=tuple(Frame(step=None, picture=name, size=(1280, 800)) for name in pictures))
        yield Question("files.write_film", (job.task, job.index, film, pictures))
        sent_values = Submission({"sentiment": ("positive",), "reason": ("It is.",)}, True, "press", "", ())
        timing = {"open": 300.0, "observe": 300.0, "act": 200.0, "wait": 16e3}
        yield Question("labels.keep", (job, PlayedPage(sent_values, turns=tuple(turns), timing=timing)))


@contextlib.contextmanager
def _without_ray(stand_in: StandIns) -> Iterator[Any]:
    """A context with the module of the engine, in which the stand-in is Ray, whether that is installed or not."""
    with ExitStack() as stack:
        if not find_spec("ray"):
            names = ("ray", "ray.exceptions", "ray.util", "ray.util.scheduling_strategies")
            made = {name: ModuleType(name) for name in names}
            made["ray.exceptions"].__dict__["RayError"] = type("RayError", (Exception,), {})
            made["ray.util.scheduling_strategies"].__dict__["NodeAffinitySchedulingStrategy"] = SimpleNamespace
            # What was imported with the stand-in is forgotten, too: others are to find that Ray is not there.
            ours = ("harness.run.ray_engine", "harness.run.ray_node")
            stack.callback(lambda: [sys.modules.pop(name, None) for name in (*names, *ours)])
            sys.modules.update(made)
        ray_engine = import_module("harness.run.ray_engine")
        nothing = dict.fromkeys(("init", "shutdown", "kill", "put"), lambda *_, **__: None)
        given = {name: getattr(stand_in, name) for name in ("nodes", "remote", "wait", "get")}
        stack.enter_context(patch.object(ray_engine, "ray", SimpleNamespace(**nothing, **given)))
        yield ray_engine

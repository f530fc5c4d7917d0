"""How often the intervals hold the true number, and how often a comparison finds a difference that is not there.

Scores are drawn from populations whose mean is known. A task has a mean of its own (beta distributed), and its
instances are beta distributed around it: in some tasks nearly right or wrong, in others in between, as fields are.
docs/notes/statistics.md shows and explains the tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.setting import Setting
from harness.kit.statistics.bootstrap import Sample, linearised_error, resample
from harness.kit.statistics.clustered import DIFFERENCES, LEVEL, SCORES, mean_of_clusters_many, mean_of_one_many
from harness.kit.statistics.estimate import Estimate
from harness.kit.statistics.intervals import IntervalLimits, bca, percentile, student_t, studentised
from harness.kit.statistics.jackknife import cohens_kappa
from harness.kit.statistics.line import fit_line
from harness.kit.statistics.significance import sign_flip_many
from harness.kit.text import aligned

Floats: TypeAlias = NDArray[np.float64]
Shape: TypeAlias = tuple[int, int, int]
Population: TypeAlias = Callable[[Shape, np.random.Generator], Floats]
"""Makes scores, or differences, of a shape: tasks, instances of each, simulated runs."""

RUNS = 1_000
"""Simulated runs of each row: a share near 95 % has a standard error of 0.7 points."""
BATCH = 100
"""Simulated runs that share their random resamples."""
DRAWS = 2_000
INSTANCES = 20
SPREADS = {"little, 0.03": 0.03, "medium, 0.12": 0.12, "much, 0.28": 0.28}
"""Standard deviation of the tasks' means."""
BOOTSTRAPS = ("percentile", "BCa", "studentised")
OURS = "ours"


def measure(_setting: Setting) -> str:
    """The tables: a mean over tasks, one task, two solvers that are equally good, a slope over tasks, and kappa."""
    tables = (_over_tasks, _of_one_task, comparison, slopes, kappas)
    return "\n\n".join([aligned(list(table())) for table in tables])


def scores(shape: Shape, random: np.random.Generator, *, mean: float, spread: float) -> Floats:
    """Scores with a known expectation, of tasks whose means differ by so much."""
    tasks = (shape[0], 1, shape[2])
    means = _beta(np.full(tasks, mean), mean * (1 - mean) / spread**2 - 1, random)
    # The smaller the weight, the nearer to right or wrong.
    weights = random.choice([0.3, 1.0, 4.0], size=tasks)
    return _beta(np.broadcast_to(means, shape), weights, random)


def nearly_perfect(shape: Shape, random: np.random.Generator) -> Floats:
    """Scores with the expectation 0.95: nine tasks of ten have nothing wrong, the others are anything around 0.5."""
    perfect = random.random((shape[0], 1, shape[2])) < 0.9
    return np.where(perfect, 1.0, scores(shape, random, mean=0.5, spread=0.28))


def fields(shape: Shape, random: np.random.Generator, *, number: int, mean: float) -> Floats:
    """Scores of instances whose fields are right or wrong, so many each."""
    return random.binomial(number, mean, shape) / number


def differences(shape: Shape, random: np.random.Generator, *, within: float, between: Population) -> Floats:
    """Differences of two solvers with the expectation 0: of tasks, and around them of instances."""
    return between((shape[0], 1, shape[2]), random) + within * random.standard_normal(shape)


def _beta(means: Floats, weights: float | Floats, random: np.random.Generator) -> Floats:
    kept = np.clip(means, 1e-9, 1 - 1e-9)
    return random.beta(kept * weights, (1 - kept) * weights)


def _equal(shape: Shape, random: np.random.Generator) -> Floats:
    return 0.1 * random.standard_normal(shape)


def _unequal(shape: Shape, random: np.random.Generator) -> Floats:
    """The standard deviations of tasks differ: nineteen of twenty lie within a factor of 50 from one another."""
    return 0.1 * random.lognormal(0.0, 1.0, shape) * random.standard_normal(shape)


def _lopsided(shape: Shape, random: np.random.Generator) -> Floats:
    """One side wins a little in most tasks, and loses much in few: the means are equal, the medians are not."""
    return 0.1 * (1 - random.standard_exponential(shape))


def _over_tasks() -> Iterator[list[str]]:
    populations: dict[str, tuple[Population, float]] = {
        name: (partial(scores, mean=0.75, spread=spread), 0.75) for name, spread in SPREADS.items()
    }
    populations["nine of ten perfect"] = nearly_perfect, 0.95
    yield ["mean over tasks: tasks", "they differ", *BOOTSTRAPS, "Student t", OURS]
    for tasks in (4, 8, 16, 100):
        codes = np.repeat(np.arange(tasks), INSTANCES)
        for name, (population, truth) in populations.items():
            tally = Tally(truth)
            for seed, items in enumerate(_batches(population, tasks, INSTANCES)):
                tally.add(_textbook(Sample.means(items, np.ones((len(items), 1)), codes), seed))
                tally.add_ours(mean_of_clusters_many(items, codes, draws=DRAWS, seed=seed))
            yield [str(tasks), name, *tally.cells((*BOOTSTRAPS, "Student t", OURS))]


def _of_one_task() -> Iterator[list[str]]:
    populations: dict[str, tuple[Population, float]] = {
        f"{number} {'field' if number == 1 else 'fields'}, {mean}": (partial(fields, number=number, mean=mean), mean)
        for number, mean in ((1, 0.5), (1, 0.8), (1, 0.95), (3, 0.8), (3, 0.95))
    }
    yield ["one task: instances", "right or wrong", *BOOTSTRAPS, OURS]
    for instances in (5, INSTANCES):
        for name, (population, truth) in populations.items():
            tally = Tally(truth)
            for seed, items in enumerate(_batches(population, 1, instances)):
                tally.add(_textbook(Sample.means(items, np.ones((len(items), 1)), np.arange(len(items))), seed))
                tally.add_ours(mean_of_one_many(items))
            yield [str(instances), name, *tally.cells((*BOOTSTRAPS, OURS))]


def comparison(runs: int = RUNS, batch: int = BATCH, draws: int = DRAWS) -> Iterator[list[str]]:
    """Of differences whose expectation is 0: how often one is found.

    Args:
        runs: Simulated runs of each row.
        batch: How many of them share their random resamples.
        draws: Random resamples.
    """
    populations: dict[str, Population] = {
        "differ alike": partial(differences, within=0.3, between=_equal),
        "variances differ": partial(differences, within=0.3, between=_unequal),
        "variances differ, no noise": partial(differences, within=0.01, between=_unequal),
        "lopsided": partial(differences, within=0.3, between=_lopsided),
    }
    yield ["no difference: tasks", "they", "sign flip, p <= 0.05", "interval without 0"]
    for tasks in (6, 16, 100):
        codes = np.repeat(np.arange(tasks), INSTANCES)
        for name, population in populations.items():
            found = apart = 0
            for seed, items in enumerate(_batches(population, tasks, INSTANCES, runs, batch)):
                means = items.reshape(tasks, INSTANCES, batch).mean(axis=1)
                found += sum(p is not None and p <= 0.05 for p in sign_flip_many(means, seed=seed))
                estimates = mean_of_clusters_many(items, codes, draws=draws, seed=seed, bounds=DIFFERENCES)
                apart += sum(not low <= 0 <= high for low, high in map(_limits, estimates))
            yield [str(tasks), name, f"{100 * found / runs:.1f}", f"{100 * apart / runs:.1f}"]


SLOPE, KAPPA = -0.05, 2 * 4 / 5.5 - 1
"""Expectations of ``points`` and of ``verdicts``."""


def points(tasks: int, random: np.random.Generator, *, growing: bool) -> tuple[Floats, Floats]:
    """Lengths, as logarithms, and scores that fall with them; the scatter is equal, or grows with the length."""
    lengths = random.standard_exponential(tasks) if growing else random.standard_normal(tasks)
    scatter = 0.2 * (0.5 + lengths / 2 if growing else np.ones(tasks))
    return lengths, 0.5 + SLOPE * lengths + scatter * random.standard_normal(tasks)


def verdicts(tasks: int, random: np.random.Generator, *, each: int) -> tuple[NDArray[np.int64], ...]:
    """What a person and a metric say of so many fields of each task, and their tasks.

    In some tasks the person says yes more often than in others, and in some the metric errs more often: it agrees with
    the chance of a beta distribution of (4, 1.5), and each says yes half of the time.
    """
    codes = np.repeat(np.arange(tasks), each)
    person = random.random(len(codes)) < random.beta(2, 2, tasks)[codes]
    agrees = random.random(len(codes)) < random.beta(4, 1.5, tasks)[codes]
    return person.astype(np.int64), np.where(agrees, person, ~person).astype(np.int64), codes


def slopes(runs: int = RUNS) -> Iterator[list[str]]:
    """The rows of the table of slopes, its header first, from so many simulated runs of each."""
    yield ["slope: tasks", "scatter", "jackknife"]
    for tasks in (6, 16, 100):
        for name, growing in (("equal", False), ("grows with length, few long", True)):
            random = np.random.default_rng(tasks)
            lines = (fit_line(*points(tasks, random, growing=growing), np.arange(tasks)) for _ in range(runs))
            yield [str(tasks), name, share_held((line.slope if line else None for line in lines), SLOPE)]


def kappas(runs: int = RUNS) -> Iterator[list[str]]:
    """The rows of the table of kappa, its header first, from so many simulated runs of each."""
    yield ["kappa: tasks", "fields of each", "jackknife"]
    for tasks in (6, 16, 100):
        for each in (1, 9):
            random = np.random.default_rng(tasks)
            found = (cohens_kappa(*verdicts(tasks, random, each=each)) for _ in range(runs))
            yield [str(tasks), str(each), share_held(found, KAPPA)]


def share_held(estimates: Iterable[Estimate | None], truth: float) -> str:
    """How many intervals of those that there are hold the truth, in per cent, and how many there are not."""
    limits = [(each.low, each.high) if each else (None, None) for each in estimates]
    known = [(low, high) for low, high in limits if low is not None and high is not None]
    held = f"{100 * sum(low <= truth <= high for low, high in known) / len(known):.1f}"
    return held + (
        f" (none in {100 * (len(limits) - len(known)) / len(limits):.1f})" if len(known) < len(limits) else ""
    )


def _batches(
    population: Population, tasks: int, instances: int, runs: int = RUNS, batch: int = BATCH
) -> Iterator[Floats]:
    """Items x simulated runs, until there are enough."""
    random = np.random.default_rng(tasks)
    for _ in range(runs // batch):
        yield population((tasks, instances, batch), random).reshape(-1, batch)


def _textbook(sample: Sample, seed: int) -> Iterator[dict[str, IntervalLimits]]:
    """The limits of each method for each run, all from the same resamples; a run without variance has no width."""
    draws = resample(sample, DRAWS, seed)
    for place in range(BATCH):
        measure, drawn = sample.measure(place), draws.measure(place)
        y, x = measure.totals()
        value, error = float(y.sum() / x.sum()), float(linearised_error(y, x)[0])
        if measure.is_constant():
            yield dict.fromkeys((*BOOTSTRAPS, "Student t"), (value, value))
            continue
        shifts, errors = drawn.shifts[:, 0], drawn.errors[:, 0]
        left_out = ((y.sum() - y) / (x.sum() - x)).ravel()
        yield {
            "percentile": percentile(value + shifts, LEVEL),
            "BCa": bca(value + shifts, value, left_out, LEVEL),
            "studentised": studentised(shifts, errors, value, error, LEVEL),
            "Student t": student_t(value, error, len(y) - 1, SCORES, LEVEL),
        }


class Tally:
    """How often intervals hold the true value, and how wide they are within the bounds of scores."""

    def __init__(self, truth: float) -> None:
        self._truth = truth
        self._added: Counter[str] = Counter()
        self._held: Counter[str] = Counter()
        self._width: dict[str, float] = {}

    def add(self, runs: Iterable[dict[str, IntervalLimits]]) -> None:
        """Count the intervals of runs, each by its method."""
        for limits in runs:
            for method, (low, high) in limits.items():
                self._added[method] += 1
                self._held[method] += low <= self._truth <= high
                self._width[method] = self._width.get(method, 0.0) + min(high, 1.0) - max(low, 0.0)

    def add_ours(self, estimates: Sequence[Estimate]) -> None:
        """Count intervals that the harness gives."""
        self.add({OURS: _limits(estimate)} for estimate in estimates)

    def cells(self, methods: Iterable[str]) -> list[str]:
        """Coverage in per cent, and the mean width in points."""
        return [
            f"{100 * self._held[each] / self._added[each]:.1f} ({100 * self._width[each] / self._added[each]:.0f})"
            for each in methods
        ]


def _limits(estimate: Estimate) -> IntervalLimits:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low, estimate.high

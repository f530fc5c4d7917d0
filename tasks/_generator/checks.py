"""What must hold of the labels of every task."""

from __future__ import annotations

from collections import Counter

from tasks._generator.made import Made, right
from tasks._generator.model import Batch
from tasks._generator.voice import folded

WORKERS = range(3, 8)


def faults(batch: Batch) -> list[str]:
    """Say in words what is wrong with the labels of a task; nothing if all is well.

    An instance has three to seven workers; each of its fields has the generator's own answer, by a majority of the
    workers unless the instance declares that it is hard, or is one without a right answer; and nobody writes what
    another worker has written, in any instance.
    """
    found = []
    for number, made in enumerate(batch.made):
        where = f"{batch.name}, instance {number}"
        if len(made.answers) not in WORKERS:
            found.append(f"{where}: {len(made.answers)} workers")
        found += [f"{where}: {fault}" for fault in _wrong(batch, made)]
    for name in sorted(batch.free):
        written = Counter(folded(worker[name]) for made in batch.made for worker in made.answers if worker[name])
        found += [
            f"{batch.name}: {count} workers write {text!r} in {name}" for text, count in written.items() if count > 1
        ]
    return found


def _wrong(batch: Batch, made: Made) -> list[str]:
    found = []
    for name in made.answers[0]:
        if name in batch.free or name in batch.open:
            continue
        if name not in made.truth:
            found.append(f"no answer of the generator's own for {name}")
        elif name not in made.hard and not right(made.truth[name], made.answers, name):
            cells = [worker[name] for worker in made.answers]
            found.append(f"the majority of {cells} in {name} is not {made.truth[name]!r}")
    return found

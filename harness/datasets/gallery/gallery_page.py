"""The gallery as HTML: a card for each task, with what it consists of; words of tasks are strangers' and escaped."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from django.template import Context, Engine

from harness.catalog.kinds import KINDS
from harness.datasets.gallery.page_pictures import SMALL_WIDTH, WIDTH, PagePicture
from harness.datasets.stats.set_stats import SetStats, TaskFigures
from harness.datasets.stats.task_stats import CHARACTERS
from harness.datasets.visits.shown import MODALITIES
from harness.kit.text import counted, spread

_HERE = files(__package__)


@dataclass(frozen=True)
class TaskCard:
    """One task in the gallery.

    Attributes:
        name: Its name.
        title: What workers saw as its title; empty if that is the name.
        split: Its split; empty if it cannot be read.
        picture: Its pictures; None if there are none.
        why: Why there is no picture; empty if there is one.
        facts: Names with values.
        keywords: What it was filed under.
        shows: Which modalities its page has.
        kinds: Kinds of its fields.
        warning: What readers should know before they look; empty if nothing.
    """

    name: str
    title: str
    split: str
    picture: PagePicture | None
    why: str
    facts: Sequence[tuple[str, str]]
    keywords: Sequence[str] = ()
    shows: Sequence[str] = ()
    kinds: Sequence[str] = ()
    warning: str = ""

    @property
    def sought(self) -> str:
        """What a search looks through."""
        return f"{self.name} {self.title} {' '.join(self.keywords)}".casefold()


def cards(stats: SetStats, pictures: Mapping[str, PagePicture]) -> list[TaskCard]:
    """A card for each task, those that cannot be shown or read too.

    Args:
        stats: What the set consists of.
        pictures: Task -> its pictures.
    """
    found = [_card(each, pictures.get(each.files.task)) for each in stats.tasks]
    found += [TaskCard(name, "", "", None, why, ()) for name, why in stats.unreadable.items()]
    return sorted(found, key=lambda card: (card.name.casefold(), card.name))


def gallery_html(heading: str, shown: Sequence[TaskCard]) -> str:
    """The page's text; the same for the same cards.

    Args:
        heading: Which task set it is.
        shown: The cards, in order.
    """
    css, script = ((_HERE / name).read_text(encoding="utf-8") for name in ("gallery.css", "gallery.js"))
    context = {
        "heading": heading,
        "lead": f"{counted(len(shown), 'task')}, each by the page of its first instance.",
        "cards": shown,
        "splits": sorted({card.split for card in shown if card.split}),
        "modalities": [each for each in MODALITIES if any(each in card.shows for card in shown)],
        "kinds": [kind for kind in KINDS if any(kind in card.kinds for card in shown)],
        "without": sum(card.picture is None for card in shown),
        "width": WIDTH,
        "small_width": SMALL_WIDTH,
        # Between its tags the text has to be that whose hash the page's policy names, to the last line end.
        "css": css,
        "css_hash": _hash(css),
        "script": script,
        "script_hash": _hash(script),
    }
    return (
        Engine()
        .from_string((_HERE / "gallery.html").read_text(encoding="utf-8"))
        .render(Context(context, use_l10n=False))
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _card(each: TaskFigures, picture: PagePicture | None) -> TaskCard:
    task, counts = each.files, each.answers or each.fields
    title = task.title if task.title != task.task else ""
    return TaskCard(
        name=task.task,
        title=title,
        split=task.split,
        picture=picture,
        why="" if picture else each.unseen or "no picture was taken",
        facts=_facts(each),
        keywords=task.keywords,
        shows=each.page.modalities if each.page else (),
        kinds=[kind for kind in KINDS if counts.get(kind)],
        warning=task.content_warning,
    )


def _facts(each: TaskFigures) -> list[tuple[str, str]]:
    return _facts_of_site(each) if each.files.goal else _facts_of_form(each)


def _facts_of_site(each: TaskFigures) -> list[tuple[str, str]]:
    task = each.files
    shows = [("shows", ", ".join(each.page.modalities) or "nothing")] if each.page else []
    return [("goal", task.goal), ("instances", f"{task.instances:,}"), *shows]


def _facts_of_form(each: TaskFigures) -> list[tuple[str, str]]:
    task, counts = each.files, each.answers or each.fields
    fields = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts.get(kind)) or "none"
    facts = [("answered" if each.answers else "fields", fields)]
    if task.has_table:
        facts.append(("instances", f"{task.instances:,}, {task.rows:,} rows, {spread(task.workers)} an instance"))
    else:
        facts.append(("instances", "none: there is no table"))
    if each.page:
        facts.append(("shows", ", ".join(each.page.modalities) or "nothing"))
    lengths = [(unit, length) for unit, length in task.lengths.items() if length]
    unit, length = lengths[-1]
    facts.append(("length", f"{length.page:,.0f} {unit if unit == CHARACTERS else f'{unit} tokens'}"))
    if task.keywords:
        facts.append(("keywords", ", ".join(task.keywords)))
    return facts

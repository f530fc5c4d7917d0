"""A server with accounts on which people are at work: everything that a page can show is there."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from harness.catalog import Catalog
from harness.records.directory import RunDirectory
from tests import samples
from tests.annotation.people import group, worker
from tests.annotation.served import Annotating
from tests.annotation.stores import settings_with_accounts, switched_on
from tests.server.serving import environment, serving
from tests.task_folders import csv_text, make_task
from turkle_app.annotation.batches import make_batch
from turkle_app.annotation.claims import (
    approve,
    change_state,
    claim,
    correct,
    correctable,
    give_back,
    reject,
    submit,
)
from turkle_app.annotation.gold import add_labelled, set_up_gold
from turkle_app.annotation.instance_answers import adjudicate_as
from turkle_app.annotation.models import Assignment, Batch, BatchState, Project, State
from turkle_app.annotation.password_links import password_path
from turkle_app.annotation.reservations import read_reservations, reserve
from turkle_app.annotation.uploads import keep

COOKIE = "turkle_session"
LONG = "with_a_column_whose_name_is_rather_long_and_has_no_place_at_which_it_could_be_broken"
ANSWERS = {"a": ["yes"], LONG: ["https://example.org/a/path/that/goes/on/and/on/and/is/wider/than/a/telephone"]}


@dataclass(frozen=True)
class Busy:
    """The server, who is logged in by which cookie, and what stands for places in addresses."""

    at: Annotating
    cookies: dict[str, str]
    places: dict[str, object]
    files: Path

    def address(self, pattern: str) -> str:
        """The address of a page, whose places are named in braces."""
        return self.at.people + pattern.format(**self.places)


@contextlib.contextmanager
def busy_server(folder: Path) -> Iterator[Busy]:
    """Serve two projects, one of them with help, workers who are in the middle of it, and tasks good and bad."""
    tasks = folder / "tasks"
    rows = [[f"text {number}", "x" * 200, "yes", "no"] for number in range(12)]
    table = csv_text(["text", LONG, "Answer.a", f"Answer.{LONG}"], *rows)
    template = f"<p>${{text}} ${{{LONG}}}</p><input name=a>\n<textarea name={LONG}></textarea>\n"
    for name in ("one", "two", "three"):
        make_task(tasks, name, template=template, table=table, facts={"title": f"Task {name}, of all the most usual"})
    make_task(tasks, "gone", template=template, table=table)
    make_task(tasks, "broken", template=None)
    extra = {
        "XDG_DATA_HOME": str(folder),
        "DATABASE_URL": f"sqlite:///{folder}/tasks.sqlite3",
    }
    with patch.dict("os.environ", extra):
        settings = settings_with_accounts(extra["DATABASE_URL"], folder)
        with switched_on(settings, TURKLE_TASKS_DIR=tasks, TURKLE_OVERLAY=None):
            call_command("migrate", interactive=False, verbosity=0)
            cookies, places = _work(folder)
    shutil.rmtree(tasks / "gone")
    with serving("--tasks-dir", tasks, "--annotate", **extra) as server:
        yield Busy(Annotating(server, environment(**extra)), cookies, places, folder)


def _work(folder: Path) -> tuple[dict[str, str], dict[str, object]]:
    """Let people work; gives their cookies, and the places of what they did."""
    stan = worker("stan", "annotators", "linguists", staff=True)
    wanda, willi, new = worker("wanda"), worker("willi"), worker("newcomer", "nobody's")
    User.objects.create(username="closed", is_active=False)
    made = _batch("one", stan, asked=3)
    draft = make_batch(made.project, "three", stan)
    helped = _batch("two", stan, asked=2)
    gone = _batch("gone", stan, asked=2, state=BatchState.PAUSED)
    _help(helped, folder)
    for each in (wanda, willi):
        for among in (made, helped):
            for _ in range(6):
                submit(claim(among.pk, each).pk, ANSWERS)
    give_back(claim(made.pk, willi), State.SKIPPED)
    give_back(claim(made.pk, willi), State.RETURNED)
    bad = claim(made.pk, willi)
    submit(bad.pk, ANSWERS)
    reject(bad, stan, "All fields were left at their first option.")
    held = claim(made.pk, wanda)
    done = wanda.assignments.filter(state=State.SUBMITTED).first()
    judged = _batch("one", stan, asked=3)
    told, decided, opened = _judge(judged, stan, wanda, willi)
    files = (b"<p>${text}</p><input name=a>", b"text\r\nA joy.\r\nA bore.\r\n")
    token, further = keep("Films", *files)[0], keep("one 2", *files, "one")[0]
    places = {
        "project": made.project_id, "batch": made.pk, "helped": helped.pk,
        "gone": gone.pk, "held": held.pk, "bad": bad.pk, "done": done.pk,
        "judged": judged.pk, "told": told.pk, "decided": decided, "open": opened,
        "worker": wanda.pk, "upload": token, "draft": draft.pk, "further": further, "link": password_path(new),
    }  # fmt: skip
    return {each.username: _cookie(each) for each in (stan, wanda, willi, new)}, places


def _judge(made: Batch, stan: User, wanda: User, willi: User) -> tuple[Assignment, str, str]:
    """Let a batch have gold questions, answers that count and that were corrected, and what is reserved.

    Gives a gold question of which wanda was told, and two instances: one that is decided, one on which they differ.
    """
    set_up_gold(made, 1.0, feedback=True, seed=1)
    add_labelled(made, 3, stan, 1)
    for place in range(8):
        submit(claim(made.pk, wanda).pk, ANSWERS)
        done = submit(claim(made.pk, willi).pk, {**ANSWERS, "a": ["yes", "no"][place % 2 : place % 2 + 1]})
        if place == 4 and correctable([done]):
            correct(done.pk, 0, {**ANSWERS, "a": ["<b>perhaps</b>"]})
    both = [each.instance_id for each in made.assignments.filter(worker=willi, gold="")]
    own = [each for each in made.assignments.filter(worker=wanda, gold="") if each.instance_id in both]
    adjudicate_as(own[0], stan)
    approve(own[1], stan)
    reserve(made, read_reservations(made, "wanda, willi", "3: wanda"), stan)
    return made.assignments.filter(worker=wanda).exclude(gold="").first(), own[0].instance_id, own[1].instance_id


def _batch(task: str, staff: User, asked: int, *, state: BatchState = BatchState.PUBLISHED) -> Batch:
    project = Project.objects.create(title=f"Task {task}, of all the most usual", created_by=staff)
    project.groups.set([group()])
    made = make_batch(project, task, staff, assignments=asked, publish=True)
    return made if state == BatchState.PUBLISHED else change_state(made, state)


def _help(made: Batch, folder: Path) -> None:
    run = RunDirectory(folder / "model-7")
    run.write(samples.run_record())
    for instance in Catalog(folder / "tasks").task(made.task).instances:
        sent = samples.record("a", sent=("no",))
        run.add(samples.episode(sent, task=made.task, index=instance.index, id=instance.id), {})
    call_command("copilot", str(made.project_id), "--from", str(run.folder), "--share", "0.5", stdout=StringIO())


def _cookie(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies[COOKIE].value

"""A database that an earlier version has made is read, and nothing of it is lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from turkle_app.annotation.models import Assignment, Batch, Copilot, Project

pytestmark = pytest.mark.usefixtures("accounts")
NOW = timezone.now()


@pytest.fixture
def before() -> Iterator[object]:
    """The models as they were before there were batches, with tables of theirs; those of now are back at the end."""
    tables = [name for name in connection.introspection.table_names() if name.startswith("annotation_")]
    more = " CASCADE" if connection.vendor == "postgresql" else ""
    with connection.constraint_checks_disabled(), connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"DROP TABLE {table}{more}")
    MigrationRecorder(connection).migration_qs.filter(app="annotation").delete()
    executor = MigrationExecutor(connection)
    target = [("annotation", "0003_batches")]
    executor.migrate(target)
    yield executor.loader.project_state([*target, *executor.loader.graph.leaf_nodes("auth")]).apps
    call_command("migrate", interactive=False, verbosity=0)


def test_each_project_of_before_is_a_project_with_one_batch_that_keeps_all_that_was_done(before) -> None:
    models = {name: before.get_model("annotation", name) for name in ("Project", "Assignment", "Copilot", "Suggestion")}
    user, group = (before.get_model("auth", name) for name in ("User", "Group"))
    anna, annotators = user.objects.create(username="anna"), group.objects.create(name="annotators")
    models["Project"].objects.create(pk=3, task="paused", title="Paused", active=False)
    old = models["Project"].objects.create(
        pk=7,
        task="films",
        title="Films",
        assignments_per_instance=2,
        expiry_seconds=60,
        fingerprint="f",
        created_by=anna,
    )
    old.groups.add(annotators)
    row = {"project": old, "worker": anna, "claimed_at": NOW, "expires_at": NOW}
    for index, state in enumerate(("submitted", "rejected", "claimed")):
        models["Assignment"].objects.create(
            index=index, instance_id=f"{index}", state=state, answers={"a": [state]}, **row
        )
    copilot = models["Copilot"].objects.create(project=old, run="a run")
    models["Suggestion"].objects.create(copilot=copilot, instance_id="0", answers={"a": ["x"]})

    call_command("migrate", interactive=False, verbosity=0)

    films, paused = Project.objects.get(title="Films"), Project.objects.get(title="Paused")
    assert (films.pk, paused.pk) == (7, 3)
    assert (films.created, films.created_by.username) == (old.created, "anna")
    assert [each.name for each in films.groups.all()] == ["annotators"]
    batch = Batch.objects.get(project=films)
    assert (batch.pk, batch.name, batch.task, batch.state) == (7, "Batch 1", "films", "published")
    assert (batch.assignments_per_instance, batch.expiry_seconds, batch.fingerprint) == (2, 60, "f")
    assert Batch.objects.get(project=paused).state == "paused"
    kept = Assignment.objects.filter(batch=batch).values_list("index", "state", "answers", "worker__username")
    assert list(kept) == [(n, s, {"a": [s]}, "anna") for n, s in enumerate(("submitted", "rejected", "claimed"))]
    assert Copilot.objects.get(batch=batch).suggestions.get().answers == {"a": ["x"]}
    assert Batch.objects.create(project=films, name="a new one", task="films").pk > batch.pk

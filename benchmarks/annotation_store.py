"""One end of `benchmarks.annotators`: fills a database with workers before, and counts what is in it afterwards.

``python -m benchmarks.annotation_store make WORKERS ASKED TASK...`` prints a session key for each worker;
``python -m benchmarks.annotation_store count`` prints what was kept. The database is that of ``DATABASE_URL``.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence

import django

django.setup()

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402 - once Django is set up
from django.contrib.auth.models import Group, User  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402

from turkle_app.annotation.batches import make_batch  # noqa: E402
from turkle_app.annotation.models import TAKEN, Assignment, Project  # noqa: E402
from turkle_app.annotation.prepared import bring_up_to_date  # noqa: E402


def make(workers: int, asked: int, tasks: Sequence[str]) -> dict[str, object]:
    """Make workers who are logged in, and a project that is published to them, with a batch of each task."""
    bring_up_to_date()
    group = Group.objects.create(name="annotators")
    project = Project.objects.create(title="load")
    project.groups.add(group)
    for task in tasks:
        make_batch(project, task, None, assignments=asked, publish=True)
    sessions = {}
    for number in range(workers):
        user = User.objects.create(username=f"w{number}")
        user.groups.add(group)
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.save()
        sessions[user.username] = session.session_key
    return {"project": project.pk, "sessions": sessions}


def count() -> dict[str, int]:
    """Count what was kept: submitted assignments, the most of an instance, and those that hold another's answers."""
    rows = Assignment.objects.select_related("worker")
    taken = Counter((row.batch_id, row.instance_id) for row in rows if row.state in TAKEN)
    pairs = Counter((row.batch_id, row.instance_id, row.worker_id) for row in rows if row.state in TAKEN)
    return {
        "submitted": sum(row.state == "submitted" for row in rows),
        "rows": len(rows),
        "instances": len(taken),
        "batches": len({row.batch_id for row in rows}),
        "most": max(taken.values(), default=0),
        "least": min(taken.values(), default=0),
        "twice": sum(number > 1 for number in pairs.values()),
        "mixed_up": sum(row.answers != {"a": [row.worker.username]} for row in rows if row.state == "submitted"),
    }


if __name__ == "__main__":
    done = make(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]) if sys.argv[1] == "make" else count()
    print(json.dumps(done))

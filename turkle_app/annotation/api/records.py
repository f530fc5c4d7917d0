"""What the API tells of projects and batches, and what it is asked of them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from harness.catalog.task import TABLE, TEMPLATE
from turkle_app.annotation.api.service import Answer, Asked
from turkle_app.annotation.models import LEAST_SECONDS, MOST_ASSIGNMENTS, MOST_SECONDS

HOUR = 3600

Name = Annotated[str, Field(min_length=1, max_length=200)]
Assignments = Annotated[int, Field(ge=1, le=MOST_ASSIGNMENTS)]
Seconds = Annotated[int, Field(ge=LEAST_SECONDS, le=MOST_SECONDS)]
Hours = Annotated[float, Field(ge=LEAST_SECONDS / HOUR, le=MOST_SECONDS / HOUR)]
State = Literal["draft", "published", "paused", "closed"]


class ProjectRecord(Answer):
    """A project.

    Attributes:
        active: Whether one of its batches is published.
        allotted_assignment_time: Hours for an assignment, of its last batch; null without one.
        assignments_per_task: How many workers are to answer each instance of its last batch; null without one.
        login_required: False if people may work on it without an account, too.
        custom_permissions: False if it is for all accounts, and not for those of its groups alone.
        html_template: The page that its next batch begins with; null if it has none, or its files cannot be read.
        batches: The numbers of its batches.
        groups: The numbers of the groups that it is published to.
        requesters: The names of the requesters that manage it.
    """

    id: int
    name: str
    created_at: datetime
    created_by: int | None
    active: bool
    allotted_assignment_time: float | None
    assignments_per_task: int | None
    login_required: bool
    custom_permissions: bool
    filename: str
    html_template: str | None
    batches: list[int]
    groups: list[int]
    requesters: list[str]


class NewProject(Asked):
    """A project that is to be made.

    Attributes:
        html_template: The page of its batches.
        filename: What the page was called; it is not kept.
        groups: The numbers of the groups that it is published to.
        allotted_assignment_time: May be sent for Turkle's sake; a batch says for itself.
        assignments_per_task: Likewise.
        active: Likewise, and has to be true: a project is as active as its batches.
    """

    name: Name
    html_template: str
    filename: str = TEMPLATE
    login_required: bool = True
    custom_permissions: bool = False
    groups: list[int] = Field(default_factory=list)
    allotted_assignment_time: Hours | None = None
    assignments_per_task: Assignments | None = None
    active: Literal[True] = True


class ChangedProject(Asked):
    """What is to be changed of a project; what is not named stays.

    Attributes:
        html_template: The page of the batches that are made from now on. Those that there are keep theirs.
        active: False pauses its published batches, true publishes the paused ones.
        requesters: The names of all requesters that are to manage it; for staff to say.
    """

    id: int | None = None
    name: Name | None = None
    html_template: str | None = None
    filename: str | None = None
    login_required: bool | None = None
    custom_permissions: bool | None = None
    groups: list[int] | None = None
    requesters: list[str] | None = None
    active: bool | None = None


class BatchRecord(Answer):
    """A batch.

    Attributes:
        filename: What its table is called.
        task: The name of its folder.
        allotted_assignment_time: Hours for an assignment.
        expiry_seconds: The same in seconds.
        active: Whether instances of it can be accepted.
        completed: Whether all instances have all answers; null if its task cannot be used.
        published: False for a draft.
    """

    id: int
    name: str
    created_at: datetime
    created_by: int | None
    project: int
    filename: str
    task: str
    allotted_assignment_time: float
    expiry_seconds: int
    assignments_per_task: int
    login_required: bool
    custom_permissions: bool
    active: bool
    completed: bool | None
    published: bool
    state: State


class NewBatch(Asked):
    """A batch that is to be made.

    Attributes:
        csv_text: The text of its table.
        html_template: A new version of the project's template, for this batch and later ones; else it is the project's.
        filename: What the table was called; it is not kept.
        allotted_assignment_time: Hours for an assignment, unless `expiry_seconds` is given; 24 without either.
        active: False makes it paused.
        published: False makes it a draft.
        login_required: May be sent, and has to be what it is of the project.
        custom_permissions: Likewise.
    """

    name: Name
    project: int
    csv_text: str
    html_template: str | None = None
    filename: str = TABLE
    allotted_assignment_time: Hours = 24.0
    expiry_seconds: Seconds | None = None
    assignments_per_task: Assignments = 1
    active: bool = True
    published: bool = True
    login_required: bool | None = None
    custom_permissions: bool | None = None


class ChangedBatch(Asked):
    """What is to be changed of a batch; what is not named stays.

    Attributes:
        active: True publishes it, false pauses it.
        state: What it is to be, in one word instead.
    """

    id: int | None = None
    name: Name | None = None
    allotted_assignment_time: Hours | None = None
    expiry_seconds: Seconds | None = None
    assignments_per_task: Assignments | None = None
    active: bool | None = None
    state: State | None = None


class NewTasks(Asked):
    """Rows that are to be added to a batch's table: a CSV with the same columns."""

    csv_text: str
    id: int | str | None = None


class Added(Answer):
    """How many instances the new rows are; equal rows are one."""

    new_tasks: int


class ProgressRecord(Answer):
    """How far a batch is. A task of Turkle is an instance here; null if the batch's task cannot be used."""

    total_tasks: int | None
    total_task_assignments: int | None
    total_finished_tasks: int | None
    total_finished_task_assignments: int


class Permissions(Answer):
    """To whom a project is published.

    Attributes:
        users: Always empty: it is published to groups.
        groups: The numbers of the groups.
    """

    users: list[int]
    groups: list[int]


class AskedPermissions(Asked):
    """To whom a project is to be published."""

    users: list[int] = Field(default_factory=list)
    groups: list[int] = Field(default_factory=list)

"""What the database holds: projects, their batches, the assignments that workers claim and submit, failed log-ins.

Instances are not in it: they come from the task folders at every access. An assignment names its instance by index
and id; the id is a hash of what the page shows, so that a table that has changed since is noticed.
"""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.auth.models import Group
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from harness.catalog.annotations.help_drawing import WAYS

LEAST_SECONDS, MOST_SECONDS = 60, 30 * 24 * 3600
MOST_ASSIGNMENTS = 1000


class Project(models.Model):
    """What people are to do: batches of one template, offered to groups under one title.

    Attributes:
        title: What workers see.
        groups: Whose members see it and may work on it, while one of its batches is published.
        everybody: Whether all who have an account may, too.
        anonymous: Whether people without an account may work on it, too.
        requesters: Who may manage it without being staff.
        created_by: Who made it; null if it was made by a program.
    """

    title = models.CharField(max_length=200)
    groups = models.ManyToManyField(Group, blank=True, related_name="projects")
    everybody = models.BooleanField(default=False)
    anonymous = models.BooleanField(default=False)
    requesters = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="requested_projects")
    created = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")

    class Meta:
        """Newest first."""

        ordering: ClassVar = ["-created", "-id"]

    def __str__(self) -> str:
        return self.title


class ProjectTemplate(models.Model):
    """The page that the next batch of a project begins with, where one was handed over without a table.

    Attributes:
        html: Its text.
    """

    project = models.OneToOneField(Project, models.CASCADE, related_name="template")
    html = models.TextField()

    def __str__(self) -> str:
        return f"The template of {self.project}"


class BatchState(models.TextChoices):
    """Whether instances of a batch can be accepted, and its answers still change."""

    DRAFT = "draft"
    PUBLISHED = "published"
    PAUSED = "paused"
    CLOSED = "closed"


class Batch(models.Model):
    """The instances of a task that are to be done together, and how.

    Attributes:
        task: The name of its folder in the served catalog: its own copy of template and table.
        name: What tells it from the other batches of its project.
        state: Whether its instances can be accepted. What is accepted already can be submitted all the same.
        assignments_per_instance: How many workers are to answer each instance.
        expiry_seconds: For how long a claimed instance is kept for its worker.
        fingerprint: `Catalog.fingerprint` of the task when the batch was made or its files were last changed here: it
            tells that they have changed since.
        published_at: When it was first published; null while it is a draft.
        closed_at: When it was closed; null unless it is.
        created_by: Who made it; null if it was made by a program.
    """

    project = models.ForeignKey(Project, models.PROTECT, related_name="batches")
    name = models.CharField(max_length=200)
    task = models.CharField(max_length=255)
    state = models.CharField(max_length=9, choices=BatchState.choices, default=BatchState.DRAFT)
    assignments_per_instance = models.PositiveIntegerField(
        default=1, validators=[MinValueValidator(1), MaxValueValidator(MOST_ASSIGNMENTS)]
    )
    expiry_seconds = models.PositiveIntegerField(
        default=3600, validators=[MinValueValidator(LEAST_SECONDS), MaxValueValidator(MOST_SECONDS)]
    )
    fingerprint = models.CharField(max_length=64, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    published_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")

    class Meta:
        """In the order in which they are worked on: the first is given out first."""

        ordering: ClassVar = ["id"]
        verbose_name_plural = "batches"
        constraints: ClassVar = [models.UniqueConstraint(fields=["project", "name"], name="one_name_a_batch")]

    def __str__(self) -> str:
        return f"{self.project}, {self.name}"


class State(models.TextChoices):
    """What has become of an assignment. The first two take one of the places of their instance."""

    CLAIMED = "claimed"
    SUBMITTED = "submitted"
    RETURNED = "returned"
    SKIPPED = "skipped"
    EXPIRED = "expired"
    REJECTED = "rejected"


class GoldMode(models.TextChoices):
    """How a gold question was given: its worker is never told, or is told after the submission how they did."""

    SECRET = "secret"  # noqa: S105 - no password
    FEEDBACK = "feedback"


TAKEN = (State.CLAIMED, State.SUBMITTED)
"""States in which an assignment takes one of the places of its instance."""


class Assignment(models.Model):
    """One worker's dealing with one instance of a batch. Rows are never deleted; another try is another row.

    Attributes:
        index: The index of the instance when it was claimed.
        instance_id: Its id, which stays when the rows of the table are moved.
        claimed_at: When it was accepted, or skipped unseen.
        expires_at: Until when it was kept for the worker.
        submitted_at: When the answers came; null unless they did.
        seconds: From claim to submission; null unless it was submitted.
        answers: Field -> what the browser sent for it, a list of strings; null unless it was submitted.
        helped: Whether the worker was shown another's answers; null if that was not drawn.
        gold: How it was given as a gold question; empty if it was none. One takes no place of its instance.
        corrected_at: When the worker last replaced the answers by others; null unless they did.
        approved_at: When staff approved it; null unless they did. Nobody corrects it then.
        approved_by: Who did.
        rejected_at: When staff rejected it; null unless they did. Its answers are kept.
        rejected_by: Who did.
        reason: What they said, for the worker to read.
    """

    batch = models.ForeignKey(Batch, models.PROTECT, related_name="assignments")
    index = models.PositiveIntegerField()
    instance_id = models.CharField(max_length=12)
    worker = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="assignments")
    state = models.CharField(max_length=9, choices=State.choices, default=State.CLAIMED)
    claimed_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    submitted_at = models.DateTimeField(null=True)
    seconds = models.FloatField(null=True)
    answers = models.JSONField(null=True)
    helped = models.BooleanField(null=True)
    gold = models.CharField(max_length=8, choices=GoldMode.choices, blank=True)
    corrected_at = models.DateTimeField(null=True)
    approved_at = models.DateTimeField(null=True)
    approved_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    rejected_at = models.DateTimeField(null=True)
    rejected_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    reason = models.TextField(blank=True)

    class Meta:
        """The rules that hold whatever the code does."""

        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["batch", "instance_id", "worker"],
                condition=Q(state__in=["claimed", "submitted"]),
                name="one_assignment_an_instance_and_worker",
            ),
            models.UniqueConstraint(
                fields=["batch", "worker"],
                condition=Q(state="claimed"),
                name="one_claim_a_batch_and_worker",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["batch", "state", "instance_id"], name="assignment_places"),
            models.Index(fields=["worker", "state"], name="assignment_of_worker"),
        ]

    def __str__(self) -> str:
        return f"{self.batch}, instance {self.index}, {self.worker}: {self.state}"


class EarlierAnswers(models.Model):
    """What an assignment said before its worker corrected it.

    Attributes:
        answers: As `Assignment.answers` was.
        replaced_at: When others took its place.
    """

    assignment = models.ForeignKey(Assignment, models.PROTECT, related_name="earlier")
    answers = models.JSONField()
    replaced_at = models.DateTimeField()

    class Meta:
        """The first first."""

        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.assignment}, before {self.replaced_at}"


class Adjudication(models.Model):
    """The answer that counts for an instance of a batch, as staff chose or wrote it. Of several the last counts.

    Attributes:
        answers: Field -> values, as in `Assignment.answers`.
        chosen: Whose answers they are as they stand; null if they were put together or written.
        by: Who decided.
        at: When.
    """

    batch = models.ForeignKey(Batch, models.PROTECT, related_name="adjudications")
    instance_id = models.CharField(max_length=12)
    answers = models.JSONField()
    chosen = models.ForeignKey(Assignment, models.PROTECT, null=True, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        """The last last."""

        ordering: ClassVar = ["id"]
        indexes: ClassVar = [models.Index(fields=["batch", "instance_id"], name="adjudication_of_instance")]

    def __str__(self) -> str:
        return f"{self.batch}, {self.instance_id}: {self.by}"


class GoldPlan(models.Model):
    """How the gold questions of a batch are given: instances whose answer is known, to learn how good workers are.

    Attributes:
        share: Of a worker's assignments, from 0 to 1.
        feedback: Whether workers are told after the submission how they did; else they are never told.
        seed: Decides when a worker gets one, and in which order instances come.
    """

    batch = models.OneToOneField(Batch, models.PROTECT, related_name="gold_plan")
    share = models.FloatField(default=0.1, validators=[MinValueValidator(0.0), MaxValueValidator(1.0)])
    feedback = models.BooleanField(default=False)
    seed = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.batch}: {self.share}"


class GoldQuestion(models.Model):
    """An instance of a batch that is given to all workers, whose answer is known: adjudicated, else its labels.

    Attributes:
        by: Who chose it.
        at: When.
    """

    batch = models.ForeignKey(Batch, models.PROTECT, related_name="gold_questions")
    instance_id = models.CharField(max_length=12)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        """Once an instance."""

        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["batch", "instance_id"], name="one_gold_question_an_instance")
        ]

    def __str__(self) -> str:
        return f"{self.batch}, {self.instance_id}"


class Reservation(models.Model):
    """That an instance of a batch, or the batch, is for a named worker and for nobody who is not named.

    Attributes:
        instance_id: The instance's id; empty for the whole batch.
        by: Who decided.
        at: When.
    """

    batch = models.ForeignKey(Batch, models.PROTECT, related_name="reservations")
    instance_id = models.CharField(max_length=12, blank=True)
    worker = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="reservations")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        """Once for each worker."""

        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["batch", "instance_id", "worker"], name="one_reservation_a_worker")
        ]

    def __str__(self) -> str:
        return f"{self.batch}, {self.instance_id or 'all'}: {self.worker}"


class FailedLogin(models.Model):
    """An attempt to log in that failed, kept for as long as it counts.

    Attributes:
        name: The name that was given, in lower case.
        address: From where.
    """

    name = models.CharField(max_length=150)
    address = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        """Asked for by name and by address."""

        indexes: ClassVar = [
            models.Index(fields=["name", "at"], name="failed_login_name"),
            models.Index(fields=["address", "at"], name="failed_login_address"),
        ]

    def __str__(self) -> str:
        return f"{self.name} from {self.address}"


class Token(models.Model):
    """A secret by which a program uses the API in the name of an account.

    Attributes:
        name: What it is for, as its owner calls it.
        digest: SHA-256 of it; the token itself is kept nowhere.
        last_used: When a request came with it, to the minute; null if none has.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100)
    digest = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    last_used = models.DateTimeField(null=True)

    class Meta:
        """Newest first."""

        ordering: ClassVar = ["-created", "-id"]

    def __str__(self) -> str:
        return f"{self.name} of {self.user}"


class AnonymousWorker(models.Model):
    """An account that stands for a browser whose owner works without one of their own.

    Attributes:
        user: The account. It has no password, no group and no rights.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="anonymous")

    def __str__(self) -> str:
        return str(self.user)


class Copilot(models.Model):
    """The help that workers of a batch get from what a run sent on the same instances.

    Attributes:
        run: What the run is called: for people to read, and no path to be opened.
        way: How help is given, one of `harness.catalog.annotations.help_drawing.WAYS`.
        share: Of the assignments that are to get help, from 0 to 1.
        seed: Decides which, for each worker and instance.
        active: Whether it is drawn for assignments that are claimed now.
    """

    batch = models.OneToOneField(Batch, models.CASCADE, related_name="copilot")
    run = models.CharField(max_length=500)
    way = models.CharField(max_length=4, choices=[(way, way) for way in WAYS], default=WAYS[0])
    share = models.FloatField(default=0.5, validators=[MinValueValidator(0.0), MaxValueValidator(1.0)])
    seed = models.PositiveBigIntegerField(default=0)
    active = models.BooleanField(default=True)

    def __str__(self) -> str:
        return f"{self.batch}: {self.run}"


class Suggestion(models.Model):
    """What the run of a batch's help sent on one instance.

    Attributes:
        instance_id: The instance's id.
        answers: Field -> values; empty if it sent nothing of use: then nobody is helped with it.
    """

    copilot = models.ForeignKey(Copilot, models.CASCADE, related_name="suggestions")
    instance_id = models.CharField(max_length=12)
    answers = models.JSONField()

    class Meta:
        """One an instance."""

        constraints: ClassVar = [
            models.UniqueConstraint(fields=["copilot", "instance_id"], name="one_suggestion_an_instance")
        ]

    def __str__(self) -> str:
        return f"{self.copilot}, {self.instance_id}"

"""The forms of staff's pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar, TypedDict

from django import forms
from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.db.models import QuerySet

from turkle_app.annotation.batches import make_batch
from turkle_app.annotation.instances import TaskGone, instance_ids
from turkle_app.annotation.models import LEAST_SECONDS, MOST_ASSIGNMENTS, MOST_SECONDS, Batch, Project
from turkle_app.annotation.people import let_make_projects, makes_projects, requester_accounts
from turkle_app.tasks import catalog

if TYPE_CHECKING:  # while they run, Django's classes take no parameter
    _Groups = forms.ModelMultipleChoiceField[Group]
    _ProjectForm = forms.ModelForm[Project]
    _BatchForm = forms.ModelForm[Batch]
    _UserForm = forms.ModelForm[User]
    _GroupForm = forms.ModelForm[Group]
else:
    _Groups = forms.ModelMultipleChoiceField
    _ProjectForm = _BatchForm = _UserForm = _GroupForm = forms.ModelForm

_LONGEST_NUMBER = 18
"""Digits: every such number fits into 64 bits."""


def _minutes(seconds: int) -> float:
    """Seconds as minutes, whole where they are."""
    return seconds / 60 if seconds % 60 else seconds // 60


class ChosenGroups(_Groups):
    """Boxes for groups, or for accounts."""

    def clean(self, value: Sequence[str] | None) -> QuerySet[Group]:
        """Refuse numbers that are larger than those of a database, which cannot even be asked for."""
        for number in value or ():
            if len(str(number)) > _LONGEST_NUMBER:
                raise ValidationError(self.error_messages["invalid_pk_value"], params={"pk": number})
        return super().clean(value)


def _minutes_field() -> forms.FloatField:
    return forms.FloatField(
        label="Minutes for an assignment",
        min_value=LEAST_SECONDS / 60,
        max_value=MOST_SECONDS / 60,
        help_text="Then an accepted instance is free for others again.",
    )


class ChangedProject(_ProjectForm):
    """What can be changed of a project at any time."""

    class Meta:
        """Which fields, in which order."""

        model = Project
        fields: ClassVar = ["title", "groups", "everybody", "anonymous", "requesters"]
        labels: ClassVar = {
            "title": "Title that workers see",
            "groups": "Published to",
            "everybody": "Published to all accounts",
            "anonymous": "Without an account, too",
            "requesters": "Managed by",
        }
        help_texts: ClassVar = {
            "groups": "Members of these groups may work on it. With none chosen, nobody sees it.",
            "anonymous": "Whoever has the link of the project may work on it. One person can come as several.",
            "requesters": "Requesters who manage it beside staff.",
        }
        widgets: ClassVar = dict.fromkeys(("groups", "requesters"), forms.CheckboxSelectMultiple)
        field_classes: ClassVar = dict.fromkeys(("groups", "requesters"), ChosenGroups)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        chosen = self.fields["requesters"]
        assert isinstance(chosen, forms.ModelMultipleChoiceField)  # noqa: S101 - by its model
        chosen.queryset = requester_accounts()
        chosen.required = False


class ChangedBatch(_BatchForm):
    """What can be changed of a batch at any time."""

    minutes = _minutes_field()

    class Meta:
        """Which fields, in which order."""

        model = Batch
        fields: ClassVar = ["name", "assignments_per_instance"]
        labels: ClassVar = {"name": "Name", "assignments_per_instance": "Workers for each instance"}
        help_texts: ClassVar = {"name": "For staff, and in the results. Workers see the title of the project."}

    field_order: Iterable[str] | None = ("name", "assignments_per_instance", "minutes")

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.initial.setdefault("minutes", _minutes(self.instance.expiry_seconds))

    def clean_name(self) -> str:
        """Refuse the name of another batch of the project."""
        name: str = self.cleaned_data["name"]
        if self.instance.project.batches.filter(name=name).exclude(pk=self.instance.pk).exists():
            raise ValidationError(f"Another batch of this project is called {name}.")
        return name

    def save(self, commit: bool = True) -> Batch:
        """Save the batch, its time in seconds."""
        self.instance.expiry_seconds = round(60 * self.cleaned_data["minutes"])
        return super().save(commit)


class Asked(TypedDict):
    """What is asked for in a new batch, as `make_batch` takes it."""

    name: str
    assignments: int
    seconds: int
    publish: bool


class NewBatch(ChangedBatch):
    """What is asked for in a batch whose files were handed over."""

    publish = forms.BooleanField(
        label="Publish it now",
        required=False,
        help_text="Else it is a draft, which nobody can accept anything of yet.",
    )

    field_order = ("name", "assignments_per_instance", "minutes", "publish")

    @property
    def asked(self) -> Asked:
        """What `make_batch` takes."""
        given = self.cleaned_data
        return {
            "name": given["name"],
            "assignments": given["assignments_per_instance"],
            "seconds": round(60 * given["minutes"]),
            "publish": given["publish"],
        }


class NewProject(ChangedProject):
    """A project with its first batch, which is made of a task of the served catalog."""

    task = forms.ChoiceField(label="Task", help_text="A folder of the served tasks: the first batch.")
    assignments_per_instance = forms.IntegerField(
        label="Workers for each instance", initial=1, min_value=1, max_value=MOST_ASSIGNMENTS
    )
    minutes = _minutes_field()
    publish = forms.BooleanField(
        label="Publish the first batch now",
        initial=True,
        required=False,
        help_text="Else it is a draft, which nobody can accept anything of yet.",
    )

    field_order = (
        "task",
        "title",
        "groups",
        "everybody",
        "anonymous",
        "assignments_per_instance",
        "minutes",
        "publish",
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        tasks = self.fields["task"]
        assert isinstance(tasks, forms.ChoiceField)  # noqa: S101 - declared above
        tasks.choices = [(name, name) for name in catalog().names()]
        self.fields["title"].required = False
        self.fields["title"].help_text = "Left empty, it is the task's own."
        self.fields["minutes"].initial = _minutes(Batch().expiry_seconds)

    def clean_task(self) -> str:
        """Refuse a task whose pages cannot be made."""
        name: str = self.cleaned_data["task"]
        try:
            instance_ids(name)
        except TaskGone as error:
            raise ValidationError(str(error)) from error
        return name

    def clean(self) -> dict[str, object]:
        """Take the title from the task."""
        cleaned = super().clean() or self.cleaned_data
        if name := cleaned.get("task"):
            cleaned["title"] = (cleaned.get("title") or catalog().facts(name).title or name)[:200]
        return cleaned

    def make_first_batch(self) -> Batch:
        """Make the first batch of the project, which is saved by now."""
        wanted = self.cleaned_data
        return make_batch(
            self.instance,
            wanted["task"],
            self.instance.created_by,
            assignments=wanted["assignments_per_instance"],
            seconds=round(60 * wanted["minutes"]),
            publish=wanted["publish"],
        )


class ChangedAccount(_UserForm):
    """What staff say of an account; its password is for its owner alone to choose."""

    requester = forms.BooleanField(
        label="Requester",
        required=False,
        help_text="Makes projects of its own and manages those; sees no labels, no runs and nothing of other projects.",
    )

    class Meta:
        """Which fields."""

        model = User
        fields: ClassVar = ["email", "groups", "is_staff", "is_active"]
        labels: ClassVar = {"email": "E-mail", "is_staff": "Staff", "is_active": "Open"}
        help_texts: ClassVar = {
            "email": "For a new password by mail, if this server sends any. It may be left out.",
            "groups": "What is published to these groups can be worked on.",
            "is_staff": "Staff see labels, runs and all answers, make projects, and open accounts.",
            "is_active": "Nobody can log in to an account that is closed. What it has done stays.",
        }
        widgets: ClassVar = dict.fromkeys(("groups", "requesters"), forms.CheckboxSelectMultiple)
        field_classes: ClassVar = dict.fromkeys(("groups", "requesters"), ChosenGroups)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.initial.setdefault("requester", bool(self.instance.pk) and makes_projects(self.instance))

    def _save_m2m(self) -> None:
        super()._save_m2m()  # type: ignore[misc] # not in its stubs
        let_make_projects(self.instance, self.cleaned_data["requester"])


class NewAccount(ChangedAccount):
    """An account that is opened."""

    class Meta(ChangedAccount.Meta):
        """The name, too."""

        fields: ClassVar = ["username", "email", "groups", "is_staff"]
        labels: ClassVar = {"username": "Name", **ChangedAccount.Meta.labels}
        help_texts: ClassVar = {"username": "Letters, digits and @ . + - _", **ChangedAccount.Meta.help_texts}


class NewGroup(_GroupForm):
    """A group that is made."""

    class Meta:
        """Its name alone: what its members may do is decided by what is published to it."""

        model = Group
        fields: ClassVar = ["name"]
        labels: ClassVar = {"name": "Name of a new group"}


class Rejection(forms.Form):
    """Why an assignment is rejected."""

    reason = forms.CharField(
        label="Why it does not count",
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Its worker can read this. The answers are kept, and the instance is free for another worker.",
    )


class ReservationForm(forms.Form):
    """For whom a batch, or instances of it, are."""

    whole = forms.CharField(
        label="The whole batch is for",
        required=False,
        help_text="Names with which workers log in, with commas between. Left empty, it is for the project's groups.",
    )
    instances = forms.CharField(
        label="Single instances",
        required=False,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text="One a line: its number, and the names of those who are to have it, as 3: ann, ben. "
        "No more of them get it than there are workers for each instance.",
    )


class GoldForm(forms.Form):
    """How the gold questions of a batch are given."""

    percent = forms.FloatField(
        label="Share of a worker's assignments, %",
        min_value=0,
        max_value=100,
        help_text="A draw decides for each worker which of their assignments is a gold question, while there are any.",
    )
    feedback = forms.BooleanField(
        label="Tell workers after the submission how they did",
        required=False,
        help_text="Else they are never told. Who is told the right answers can pass them on.",
    )
    seed = forms.IntegerField(label="Seed of the draw", min_value=0, max_value=2**63 - 1)
    labelled = forms.IntegerField(
        label="Add so many instances that have labels",
        min_value=0,
        max_value=100_000,
        help_text="Drawn by the seed among those that are no gold questions yet.",
    )

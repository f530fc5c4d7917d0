"""The API's part about accounts and groups, which is staff's."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import Group, User
from django.contrib.auth.password_validation import validate_password
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Router, Status
from ninja.errors import HttpError
from pydantic import Field

from turkle_app.annotation.account_table import checked_user, read_accounts
from turkle_app.annotation.api.service import (
    UNUSABLE,
    Answer,
    Asked,
    Number,
    Page,
    Problem,
    TokenAuth,
    all_there,
    page_of,
)
from turkle_app.annotation.password_links import password_path
from turkle_app.annotation.people import let_make_projects, makes_projects, person

router = Router(auth=TokenAuth(staff=True), tags=["people"])
_REFUSALS = {frozenset({401, 403, 404, UNUSABLE, 429}): Problem}


class UserRecord(Answer):
    """An account.

    Attributes:
        is_staff: Whether it has the rights of staff.
        is_superuser: A right of Django's that means nothing more here.
        requester: Whether it may make projects and manage those.
        has_password: Whether its owner has chosen one.
        groups: The numbers of its groups.
    """

    id: int
    username: str
    first_name: str
    last_name: str
    email: str
    is_active: bool
    is_staff: bool
    is_superuser: bool
    requester: bool
    has_password: bool
    date_joined: datetime
    groups: list[int]


class OpenedUser(UserRecord):
    """An account that was opened.

    Attributes:
        password_link: Where its owner chooses a password, once and for three days; null if it was opened with one.
    """

    password_link: str | None


class ChangedUser(Asked):
    """What is to be changed of an account; what is not named stays.

    Attributes:
        id: May be sent, and has to be that of the address.
        username: May be sent, and has to be the account's: names stay.
        password: A new one; links are the better way, since nobody but its owner then knows it.
        is_superuser: May be sent, and has to be what it is.
        date_joined: May be sent; it stays.
        has_password: May be sent; it stays.
        groups: The numbers of all groups that it is to be in.
    """

    id: int | None = None
    username: str | None = None
    password: str | None = None
    first_name: str | None = None
    last_name: str | None = None
    email: str | None = None
    is_active: bool | None = None
    is_staff: bool | None = None
    is_superuser: bool | None = None
    requester: bool | None = None
    has_password: bool | None = None
    date_joined: datetime | None = None
    groups: list[int] | None = None


class NewUser(Asked):
    """An account that is to be opened.

    Attributes:
        password: Left out, the answer has a link by which its owner chooses one.
        groups: The numbers of the groups that it is to be in.
    """

    username: str
    password: str = ""
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    is_active: bool = True
    is_staff: bool = False
    is_superuser: bool = False
    requester: bool = False
    groups: list[int] = Field(default_factory=list)


class UserTable(Asked):
    """Accounts as a table.

    Attributes:
        csv_text: The text of a CSV, as the page “Accounts of a table” takes it.
    """

    csv_text: str


class Link(Answer):
    """Where the owner of an account chooses a password.

    Attributes:
        username: The name of the account.
        link: The address, which works once and for three days; null if the table gave a password.
    """

    username: str
    link: str | None


class GroupRecord(Answer):
    """A group.

    Attributes:
        users: The numbers of its members.
    """

    id: int
    name: str
    users: list[int]


class NewGroup(Asked):
    """A group that is to be made, with the numbers of its members."""

    name: str
    users: list[int] = Field(default_factory=list)


class Members(Asked):
    """The numbers of accounts that are to be members, too."""

    users: list[int]


@router.get("/users/", response={200: Page[UserRecord], **_REFUSALS}, operation_id="list_users")
def list_users(request: HttpRequest, page: int = 1) -> Any:
    """List the accounts. Workers without one are not among them."""
    return page_of(request, _users(), user_record)


@router.post("/users/", response={201: OpenedUser, **_REFUSALS}, operation_id="open_user")
def open_user(request: HttpRequest, asked: NewUser) -> Any:
    """Open an account."""
    if asked.is_superuser:
        raise HttpError(403, "Superusers are made on the server's machine, by createsuperuser.")
    texts = ("username", "first_name", "last_name", "email", "password")
    user = checked_user({name: getattr(asked, name) for name in texts})
    user.is_staff, user.is_active = asked.is_staff, asked.is_active
    groups = _groups(asked.groups)
    with transaction.atomic():
        user.save()
        user.groups.set(groups)
        let_make_projects(user, asked.requester)
    return Status(201, user_record(user) | {"password_link": _link(request, user)})


@router.post("/users/table/", response={201: list[Link], **_REFUSALS}, operation_id="open_users")
def open_users(request: HttpRequest, asked: UserTable) -> Any:
    """Open the accounts of a table, all of them or none."""
    users = read_accounts(asked.csv_text.encode()).open()
    return Status(201, [{"username": user.username, "link": _link(request, user)} for user in users])


@router.get("/users/username/{username}/", response={200: UserRecord, **_REFUSALS}, operation_id="user_by_name")
def user_by_name(request: HttpRequest, username: str) -> Any:
    """Return the account of a name."""
    return user_record(get_object_or_404(_users(), username=username.replace("\0", "")))


@router.get("/users/{number}/", response={200: UserRecord, **_REFUSALS}, operation_id="user")
def user(request: HttpRequest, number: Number) -> Any:
    """Return an account."""
    return user_record(get_object_or_404(_users(), pk=number))


@router.patch("/users/{number}/", response={200: UserRecord, **_REFUSALS}, operation_id="change_user")
def change_user(request: HttpRequest, number: Number, asked: ChangedUser) -> Any:
    """Change what is named of an account; nobody takes their own rights."""
    found = get_object_or_404(_users(), pk=number)
    values = {name: value for name, value in asked.dict(exclude_unset=True).items() if value is not None}
    for name in ("id", "username", "is_superuser"):
        if values.pop(name, getattr(found, name)) != getattr(found, name):
            raise HttpError(UNUSABLE, f"{name} of an account stays what it is.")
    if found == person(request) and (values.get("is_staff") is False or values.get("is_active") is False):
        raise HttpError(UNUSABLE, "Nobody takes their own rights: nobody might be left who has them.")
    groups = _groups(values.pop("groups", [])) if "groups" in values else None
    for name in ("first_name", "last_name", "email", "is_active", "is_staff"):
        setattr(found, name, values.get(name, getattr(found, name)))
    found.full_clean(exclude=["password"])
    if password := values.get("password"):
        validate_password(password, found)
        found.set_password(password)
    with transaction.atomic():
        found.save()
        if groups is not None:
            found.groups.set(groups)
        if "requester" in values:
            let_make_projects(found, values["requester"])
    return user_record(found)


@router.post("/users/{number}/link/", response={201: Link, **_REFUSALS}, operation_id="make_link")
def make_link(request: HttpRequest, number: Number) -> Any:
    """Make a link by which the owner of an account that is open chooses a new password."""
    found = get_object_or_404(_users(), pk=number, is_active=True)
    return Status(201, {"username": found.username, "link": request.build_absolute_uri(password_path(found))})


@router.get("/groups/", response={200: Page[GroupRecord], **_REFUSALS}, operation_id="list_groups")
def list_groups(request: HttpRequest, page: int = 1) -> Any:
    """List the groups."""
    return page_of(request, Group.objects.order_by("pk"), group_record)


@router.post("/groups/", response={201: GroupRecord, **_REFUSALS}, operation_id="make_group")
def make_group(request: HttpRequest, asked: NewGroup) -> Any:
    """Make a group."""
    group, members = Group(name=asked.name), _members(asked.users)
    group.full_clean()
    with transaction.atomic():
        group.save()
        group.user_set.set(members)
    return Status(201, group_record(group))


@router.get("/groups/name/{name}/", response={200: Page[GroupRecord], **_REFUSALS}, operation_id="groups_by_name")
def groups_by_name(request: HttpRequest, name: str) -> Any:
    """List the one group of a name."""
    found = Group.objects.filter(name=name.replace("\0", "")).order_by("pk")
    get_object_or_404(found)
    return page_of(request, found, group_record)


@router.get("/groups/{number}/", response={200: GroupRecord, **_REFUSALS}, operation_id="group")
def group(request: HttpRequest, number: Number) -> Any:
    """Return a group."""
    return group_record(get_object_or_404(Group, pk=number))


@router.post("/groups/{number}/users/", response={200: GroupRecord, **_REFUSALS}, operation_id="add_members")
def add_members(request: HttpRequest, number: Number, asked: Members) -> Any:
    """Make accounts members of a group, too."""
    found = get_object_or_404(Group, pk=number)
    found.user_set.add(*_members(asked.users))
    return group_record(found)


def user_record(user: User) -> dict[str, object]:
    """Return an account as it is sent: a `UserRecord`."""
    names = ("id", "username", "first_name", "last_name", "email", "is_active", "is_staff", "is_superuser")
    return {name: getattr(user, name) for name in names} | {
        "requester": makes_projects(user),
        "has_password": user.has_usable_password(),
        "date_joined": user.date_joined,
        "groups": sorted(group.pk for group in user.groups.all()),
    }


def group_record(group: Group) -> dict[str, object]:
    """Return a group as it is sent: a `GroupRecord`."""
    members = group.user_set.order_by("pk").values_list("pk", flat=True)
    return {"id": group.pk, "name": group.name, "users": list(members)}


def _users() -> QuerySet[User]:
    return User.objects.filter(anonymous=None).prefetch_related("groups").order_by("pk")


def _groups(numbers: Sequence[int]) -> list[Group]:
    return all_there(Group.objects.all(), numbers, "group")


def _members(numbers: Sequence[int]) -> list[User]:
    return all_there(_users(), numbers, "account")


def _link(request: HttpRequest, user: User) -> str | None:
    return None if user.has_usable_password() else request.build_absolute_uri(password_path(user))

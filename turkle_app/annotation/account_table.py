"""A table of accounts as CSV: what is wrong with it, and the accounts that it opens, all of them or none."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import Group, User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction

from harness.kit.errors import UserError

NAME = "username"
GROUPS = "groups"
BETWEEN_GROUPS = ";"
_TEXTS = ("first_name", "last_name", "email")
_PASSWORD, _STAFF, _ACTIVE = "password", "is_staff", "is_active"
COLUMNS = (NAME, GROUPS, *_TEXTS, _STAFF, _ACTIVE, _PASSWORD)
"""All columns that a table may have; those but for the groups are Turkle's."""
MOST_ACCOUNTS = 5_000
MOST_BYTES = 4 * 2**20
_MOST_TOLD = 20
_YES, _NO = frozenset({"true", "1", "yes"}), frozenset({"", "false", "0", "no"})


class UnusableAccounts(UserError):
    """What is wrong with a table of accounts, line by line.

    Attributes:
        problems: A sentence each.
    """

    def __init__(self, problems: Sequence[str]) -> None:
        more = len(problems) - _MOST_TOLD
        self.problems = [*problems[:_MOST_TOLD], *([f"There are {more} more like these."] if more > 0 else [])]
        super().__init__(" ".join(self.problems))


@dataclass(frozen=True)
class NewAccounts:
    """Accounts that have been read and checked.

    Attributes:
        users: They, not saved yet; those without a password of the table have none that works.
        groups: The names of the groups of each.
    """

    users: Sequence[User]
    groups: Sequence[Sequence[str]]

    def open(self) -> list[User]:
        """Save all of them, with the groups that are missing.

        Raises:
            UnusableAccounts: If there is an account of one of the names by now.
        """
        with transaction.atomic():
            if taken := taken_names([user.username for user in self.users]):
                raise UnusableAccounts([f"There is an account {name} already." for name in taken])
            for user, names in zip(self.users, self.groups, strict=True):
                user.save()
                user.groups.set([Group.objects.get_or_create(name=name)[0] for name in names])
        return list(self.users)


def read_accounts(data: bytes) -> NewAccounts:
    """Read a table of accounts.

    Args:
        data: CSV in UTF-8 with a line of column names out of `COLUMNS`; `username` has to be there.

    Raises:
        UnusableAccounts: If an account of it cannot be opened.
    """
    users: list[User] = []
    groups: list[list[str]] = []
    problems: list[str] = []
    for line, row in _rows(data):
        names = [name.strip() for name in row.get(GROUPS, "").split(BETWEEN_GROUPS) if name.strip()]
        problems += [
            f"Line {line}: The group {name[:30]}… has too long a name." for name in names if _is_too_long(name)
        ]
        try:
            users.append(checked_user(row))
        except ValidationError as error:
            problems.append(f"Line {line}: {' '.join(error.messages)}")
        groups.append(names)
    counts = Counter(user.username for user in users)
    problems += [f"{name} stands in the table more than once." for name, count in counts.items() if count > 1]
    if problems:
        raise UnusableAccounts(problems)
    if not users:
        raise UnusableAccounts(["The table holds no account."])
    return NewAccounts(users, groups)


def checked_user(row: Mapping[str, str]) -> User:
    """Return the account that a row describes, not saved.

    Args:
        row: Column -> text; columns that are missing are taken for empty.

    Raises:
        ValidationError: If its name, its address or its password cannot be used, or there is an account of this name.
    """
    user = User(username=row.get(NAME, "").strip(), **{name: row.get(name, "").strip() for name in _TEXTS})
    user.is_staff = _switch(row, _STAFF, otherwise=False)
    user.is_active = _switch(row, _ACTIVE, otherwise=True)
    user.set_unusable_password()
    user.full_clean()
    if password := row.get(_PASSWORD, ""):
        validate_password(password, user)
        user.set_password(password)
    return user


def taken_names(names: Sequence[str]) -> list[str]:
    """Return which of these names there are accounts of."""
    return list(User.objects.filter(username__in=names).order_by("username").values_list("username", flat=True))


def _switch(row: Mapping[str, str], column: str, *, otherwise: bool) -> bool:
    text = row.get(column, "").strip().casefold()
    if text not in _YES | _NO:
        raise ValidationError(f"{column} is {text[:20]!r}: write true or false.")
    return otherwise if not text else text in _YES


def _rows(data: bytes) -> Iterator[tuple[int, dict[str, str]]]:
    """Line number and cells of each row that is not empty."""
    if len(data) > MOST_BYTES:
        raise UnusableAccounts([f"The table is larger than {MOST_BYTES // 2**20} MiB."])
    try:
        reader = csv.reader(io.StringIO(data.decode("utf-8-sig")), strict=True)
        header = [name.strip() for name in next(reader, [])]
        _check_header(header)
        for count, row in enumerate(row for row in reader if any(row)):
            if count >= MOST_ACCOUNTS:
                raise UnusableAccounts([f"The table holds more than {MOST_ACCOUNTS:,} accounts."])
            if len(row) != len(header):
                raise UnusableAccounts(
                    [f"Line {reader.line_num} has {len(row)} cells; there are {len(header)} columns."]
                )
            yield reader.line_num, dict(zip(header, row, strict=True))
    except UnicodeDecodeError:
        raise UnusableAccounts(["The table is not text in UTF-8. Save it as “CSV UTF-8”."]) from None
    except csv.Error as error:
        raise UnusableAccounts([f"The table is no CSV: {error}."]) from None


def _check_header(header: Sequence[str]) -> None:
    known = ", ".join(COLUMNS)
    if unknown := sorted(set(header) - set(COLUMNS)):
        raise UnusableAccounts([f"There is no column {unknown[0]!r} of accounts. Those that there are: {known}."])
    if NAME not in header:
        raise UnusableAccounts([f"The first line names no column {NAME!r}. The columns that there are: {known}."])
    if len(set(header)) < len(header):
        raise UnusableAccounts(["Two columns have the same name."])


def _is_too_long(group: str) -> bool:
    return len(group) > (Group._meta.get_field("name").max_length or 0)

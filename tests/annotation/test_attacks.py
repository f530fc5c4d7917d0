"""Forged requests, strangers' words, addresses that lead elsewhere, tokens of others, before the pages of people."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import Group, User
from django.test import Client, override_settings
from django.urls import get_resolver
from django.utils import timezone

from tests.annotation.addresses import addresses
from tests.annotation.conftest import TASK, TEMPLATE, client_of
from tests.annotation.people import batch, worker
from tests.server.addresses import views
from tests.task_folders import csv_text, make_task
from turkle_app.access import audience_of
from turkle_app.annotation.claims import claim, free_expired, give_back, reject, submit
from turkle_app.annotation.login_limits import MOST_BY_ADDRESS, MOST_BY_NAME
from turkle_app.annotation.models import Assignment, Batch, Copilot, FailedLogin, Project, State, Suggestion
from turkle_app.annotation.sheet_token import sheet_token
from turkle_app.annotation.uploads import keep, kept

pytestmark = [pytest.mark.usefixtures("accounts"), pytest.mark.sqlite]

PASSWORD = "quite a long password"  # noqa: S105
OF_STRANGERS = ("page/", "sheet/")
EVIL = ["<script>alert(1)<\\script>", """'"><img src=x onerror=alert(1)>""", "</title></textarea><svg onload=alert(1)>"]


def with_password(name: str, **more: bool) -> User:
    user = worker(name, **more)
    user.set_password(PASSWORD)
    user.save()
    return user


def log_in(client: Client, **more: str):
    return client.post("/account/login/", {"username": "wanda", "password": PASSWORD, **more})


# Forged requests

WRITING = (
    "accept/", "skip/", "add/", "link/", "give-back/", "new/", "files/", "/new/<str:token>/", "/files/<str:token>/",
    "batch/<int:batch_id>/state/",
)  # fmt: skip


def kept_rows() -> tuple[list[object], ...]:
    tables = (Assignment, Batch, Project, User, Group, Copilot, Suggestion, FailedLogin)
    memberships = [list(each.groups.values_list("pk", flat=True)) for each in User.objects.order_by("pk")]
    return *(list(table.objects.order_by("pk").values()) for table in tables), memberships


@pytest.mark.claim("web-tokens")
def test_no_writing_view_takes_a_form_without_its_pages_token(accounts: Path) -> None:
    staff = with_password("wanda", staff=True)
    own = claim(batch().pk, staff)
    Copilot.objects.create(batch=own.batch, run="a run")
    meant = {
        "username": "new", "password": PASSWORD, "old_password": PASSWORD, "new_password1": "another long password",
        "new_password2": "another long password", "title": "changed", "task": TASK, "assignments_per_instance": "2",
        "minutes": "5", "name": "new", "how": "add", "reason": "x", "active": "no", "instance": "0", "is_staff": "on",
    }  # fmt: skip
    found = addresses(own, staff)
    strict = client_of(staff, strict=True)
    before, folders = kept_rows(), sorted(accounts.iterdir())
    written = set()
    for pattern, address in found.items():
        if pattern.startswith((*OF_STRANGERS, "api/")):
            continue
        answer = strict.post(address, meant)
        assert answer.status_code in {403, 405}, pattern
        if answer.status_code == 403:
            assert b"not sent from a page of this server" in answer.content, pattern
            written.add(pattern)
    assert kept_rows() == before
    assert sorted(accounts.iterdir()) == folders
    assert kept(found["manage/upload/<str:token>/"].split("/")[3]) is not None
    assert strict.get("/work/").status_code == 200
    writing = {pattern for pattern in found if pattern.endswith(WRITING) and not pattern.startswith("api/")}
    assert writing | {"account/login/", "account/logout/", "manage/groups/", "manage/new/"} <= written


@pytest.mark.claim("web-tokens")
def test_only_strangers_pages_and_programs_with_a_token_of_their_own_need_none_of_a_page() -> None:
    found = dict(views(get_resolver().url_patterns))
    exempt = {pattern for pattern, view in found.items() if getattr(view, "csrf_exempt", False)}
    exempt -= {pattern for pattern in exempt if audience_of(found[pattern]) == "programs"}
    assert exempt == {
        "sheet/<str:token>/",
        "page/<str:name>/<int:index>/",
        "page/uploaded/<str:token>/<int:index>/",
    }


# Strangers' words


def assert_harmless(page: BeautifulSoup, pattern: str) -> None:
    for element in page.find_all(True):
        assert not [name for name in element.attrs if name.lower().startswith("on")], (pattern, element)
        assert element.name != "script" or "alert(1)" not in element.text, pattern


@pytest.mark.slow
@pytest.mark.claim("web-text")
@pytest.mark.parametrize("evil", EVIL)
def test_words_of_people_are_text_on_every_page(accounts: Path, evil: str) -> None:
    name = evil.replace("/", "|")[:100]
    table = csv_text(["text", "Answer.a", "Answer.b"], ["text", evil, evil])
    make_task(accounts, name, template=TEMPLATE, table=table, facts={"title": evil, "content_warning": evil})
    members, staff, user = evil[:80], worker(evil, staff=True), worker("x" + evil, evil[:80])
    made = batch(members, title=evil, task=name, asked=3, fingerprint="")
    copilot = Copilot.objects.create(batch=made, run=evil)
    answered = submit(claim(made.pk, user).pk, {evil: [evil], "a": [evil]})
    reject(answered, staff, evil)
    Group.objects.create(name=f"new {evil}"[:150])
    staff.groups.add(Group.objects.get(name=members))
    own = claim(made.pk, staff)
    Suggestion.objects.create(copilot=copilot, instance_id=own.instance_id, answers={"a": [evil]})
    uploaded, _ = keep(f"u{name}"[:100], b"${text}<input name=a>", csv_text(["text"], [evil]).encode())
    shown = []
    for subject, assignment in ((user, answered), (staff, own)):
        client = client_of(subject)
        for pattern, usual in addresses(assignment, subject).items():
            if pattern.startswith(OF_STRANGERS):
                continue
            at_upload = "upload/<" in pattern
            address = f"/manage/upload/{uploaded}/" if at_upload else usual.replace(f"/{TASK}/", f"/{quoted(name)}/")
            answer = client.get(address, follow=True)
            assert answer.status_code in {200, 401, 403, 404, 405}, pattern
            if answer["Content-Type"].startswith("text/html"):
                assert_harmless(BeautifulSoup(answer.content, "html.parser"), pattern)
                shown += [pattern] * ("alert(1)" in answer.content.decode())
    assert {
        "", "task/<str:name>/<int:index>/", "work/", "work/done/", "work/<int:project_id>/", "manage/",
        "work/assignment/<int:number>/", "manage/assignment/<int:number>/", "manage/<int:project_id>/",
        "manage/<int:project_id>/change/", "manage/batch/<int:batch_id>/", "manage/batch/<int:batch_id>/change/",
        "manage/batch/<int:batch_id>/assignments/", "manage/batch/<int:batch_id>/help/",
        "manage/upload/<str:token>/", "manage/people/", "manage/people/<int:number>/", "manage/groups/", "manage/new/",
    } <= set(shown)  # fmt: skip


def quoted(name: str) -> str:
    return quote(name, safe="")


@pytest.mark.slow
@pytest.mark.claim("web-text")
@pytest.mark.parametrize("evil", EVIL)
def test_what_a_form_sent_comes_back_as_text(evil: str) -> None:
    staff = client_of(worker("stan", staff=True))
    made = batch()
    for address, form in {
        "/account/login/": {"username": evil, "password": "x", "next": evil},
        "/manage/groups/": {"name": evil},
        "/manage/new/": {"task": TASK, "title": evil, "assignments_per_instance": evil},
        f"/manage/{made.project_id}/change/": {"title": evil},
        f"/manage/batch/{made.pk}/change/": {"name": evil, "assignments_per_instance": evil},
        "/manage/people/new/": {"username": evil},
        "/manage/upload/": {"name": evil},
    }.items():
        answer = staff.post(address, form, follow=True)
        assert "alert(1)" in answer.content.decode(), address
        assert_harmless(BeautifulSoup(answer.content, "html.parser"), address)
    sought = staff.get(f"/manage/{made.pk}/assignments/", {"worker": evil, "state": evil})
    assert_harmless(BeautifulSoup(sought.content, "html.parser"), "assignments")


# Logging in


@pytest.mark.claim("web-log-in")
@pytest.mark.parametrize(
    "wanted",
    [
        "//evil.example", "/\\evil.example", "\\\\evil.example", "https:evil.example", "https:///evil.example",
        "///evil.example", "/%09/evil.example/x", "/\t/evil.example", "\n//evil.example", " //evil.example",
        "http://localhost@evil.example/", "http://localhost:80@evil.example/", "//localhost", "http://localhost/work/",
        "javascript:alert(1)", "data:text/html,x", "evil.example", "preview", "nothing", "choose-password", "?x", "\0",
        "/" + "a" * 5000, "/\ud800", "//[", "http://[x",
    ],
)  # fmt: skip
def test_who_logs_in_is_led_to_a_page_of_ours_only(wanted: str) -> None:
    with_password("wanda")
    sent = wanted.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    answer = log_in(client_of(), next=sent)
    assert answer.status_code == 302
    place = answer["Location"]
    assert place == "/work/" or (place.startswith("/") and place[1:2] not in {"/", "\\"})
    assert "\n" not in place
    assert "\t" not in place
    here = client_of(User.objects.get(username="wanda")).get("/account/login/", {"next": sent})
    assert (here.status_code, here["Location"]) == (302, place)


@pytest.mark.claim("web-log-in")
def test_a_key_of_a_session_from_before_logging_in_is_worth_nothing_after() -> None:
    staff, wanda = worker("stan", staff=True), with_password("wanda")
    client = client_of(staff)
    client.session["planted"] = "yes"
    before = client.session.session_key
    assert log_in(client).status_code == 302
    assert client.session.session_key != before
    assert "planted" not in client.session
    thief = client_of()
    thief.cookies["turkle_session"] = before
    assert thief.get("/manage/").status_code == 302
    made_up = client_of()
    made_up.cookies["turkle_session"] = "a" * 32
    assert log_in(made_up).status_code == 302
    assert made_up.cookies["turkle_session"].value not in {"a" * 32, before}
    assert int(made_up.session["_auth_user_id"]) == wanda.pk


@pytest.mark.claim("web-log-in")
def test_a_session_ends_with_its_account_and_with_what_it_was_allowed() -> None:
    staff = worker("stan", staff=True)
    client = client_of(staff)
    assert client.get("/manage/").status_code == 200
    User.objects.filter(pk=staff.pk).update(is_staff=False)
    assert client.get("/manage/").status_code == 403
    User.objects.filter(pk=staff.pk).update(is_active=False)
    assert client.get("/work/").status_code == 302


@pytest.mark.parametrize("method", ["get", "head", "put", "delete", "options", "patch"])
def test_only_a_form_logs_out(method: str) -> None:
    client = client_of(worker("wanda"))
    assert getattr(client, method)("/account/logout/").status_code in {403, 405}
    assert client.get("/work/").status_code == 200


@pytest.mark.claim("web-log-in")
@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "X-Client-IP", "True-Client-IP"])
def test_no_header_gives_further_tries(header: str) -> None:
    with_password("wanda")
    client = client_of()

    def tried(number: int, name: str) -> int:
        form = {"username": name, "password": "wrong"}
        return client.post("/account/login/", form, headers={header: f"10.0.0.{number}"}).status_code

    assert {tried(number, "wanda") for number in range(MOST_BY_NAME)} == {403}
    assert tried(99, "wanda") == 429
    FailedLogin.objects.bulk_create(
        FailedLogin(name=f"n{number}", address="127.0.0.1", at=timezone.now()) for number in range(MOST_BY_ADDRESS)
    )
    assert tried(98, "somebody") == 429


def test_behind_a_proxy_only_what_it_has_seen_itself_counts() -> None:
    client = client_of()
    with override_settings(TURKLE_ORIGINS=("https://work.example", "https://pages.example")):
        for number in range(3):
            form = {"username": f"n{number}", "password": "wrong"}
            client.post("/account/login/", form, headers={"X-Forwarded-For": f"10.0.0.{number},, 1.2.3.4"})
    assert set(FailedLogin.objects.values_list("address", flat=True)) == {"1.2.3.4"}


# Sheets


@pytest.fixture
def own(accounts: Path) -> Assignment:
    del accounts
    return claim(batch(asked=2).pk, worker("wanda"))


def sheet_of(number: int | str) -> str:
    return f"/sheet/{sheet_token(number)}/"  # type: ignore[arg-type]


@pytest.mark.claim("web-tokens")
def test_a_token_reaches_its_own_assignment_alone(own: Assignment) -> None:
    other = claim(own.batch_id, worker("olga"))
    client = client_of(own.worker)
    assert client.post(sheet_of(other.pk), {"a": "x", "assignment": own.pk, "worker": own.worker_id}).status_code == 200
    own.refresh_from_db()
    other.refresh_from_db()
    assert (own.state, other.state, other.worker.username) == (State.CLAIMED, State.SUBMITTED, "olga")
    swapped = f"{own.pk}.{sheet_token(other.pk).partition('.')[2]}"
    assert client.post(f"/sheet/{swapped}/", {"a": "x"}).status_code == 404
    assert Assignment.objects.get(pk=own.pk).state == State.CLAIMED


@pytest.mark.claim("web-tokens")
@pytest.mark.parametrize("number", ["999", "-1", "0", str(10**30)])
def test_a_token_of_no_assignment_is_nothing(own: Assignment, number: str) -> None:
    del own
    for answer in (client_of().get(sheet_of(number)), client_of().post(sheet_of(number), {"a": "x"})):
        assert answer.status_code == 404


def test_after_its_time_a_sheet_is_not_shown_and_taken_only_while_its_place_is_free(own: Assignment) -> None:
    Batch.objects.update(assignments_per_instance=1)
    Assignment.objects.filter(pk=own.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    free_expired()
    assert client_of().get(sheet_of(own.pk)).status_code == 410
    claim(own.batch_id, worker("olga"))
    assert client_of().post(sheet_of(own.pk), {"a": "late"}).status_code == 409
    own.refresh_from_db()
    assert (own.state, own.answers) == (State.EXPIRED, None)


@pytest.mark.claim("web-tokens")
@pytest.mark.parametrize("end", ["submitted", "returned", "skipped", "rejected"])
def test_what_is_over_takes_nothing_more(own: Assignment, end: str) -> None:
    if end in {"returned", "skipped"}:
        give_back(own, State(end))
    else:
        submit(own.pk, {"a": ["first"]})
    if end == "rejected":
        reject(own, worker("stan", staff=True), "x")
    before = Assignment.objects.filter(pk=own.pk).values().get()
    assert client_of().get(sheet_of(own.pk)).status_code == 410
    assert client_of().post(sheet_of(own.pk), {"a": "second"}).status_code == 409
    assert Assignment.objects.filter(pk=own.pk).values().get() == before


@pytest.mark.claim("web-tokens")
def test_the_sheet_of_a_closed_account_is_over(own: Assignment) -> None:
    User.objects.filter(pk=own.worker_id).update(is_active=False)
    assert client_of().get(sheet_of(own.pk)).status_code == 410
    refused = client_of().post(sheet_of(own.pk), {"a": "x"})
    assert refused.status_code == 410
    assert "account" in refused.content.decode()
    own.refresh_from_db()
    assert (own.state, own.answers) == (State.CLAIMED, None)


# Numbers that no database holds


@pytest.mark.parametrize("number", [2**31, 2**63, 10**30])
def test_a_number_that_no_database_holds_is_of_nothing(accounts: Path, number: int) -> None:
    del accounts
    staff = worker("stan", staff=True)
    client, made = client_of(staff), batch()
    for pattern, address in addresses(claim(made.pk, staff), staff).items():
        if "<int:" in pattern and not pattern.startswith(("page/", "task/")):
            steps = [str(number) if step.startswith("<int:") else part for step, part in
                     zip(pattern.split("/"), [*address.strip("/").split("/"), ""], strict=False)]  # fmt: skip
            for answer in (client.get("/" + "/".join(steps)), client.post("/" + "/".join(steps), {"how": "return"})):
                assert answer.status_code in {404, 405}, pattern
    for form in ({"groups": str(number)}, {"assignments_per_instance": str(number)}, {"minutes": str(number)}):
        page = {"task": TASK, "assignments_per_instance": "1", "minutes": "5"} | form
        assert client.post("/manage/new/", page).status_code == 200
    assert client.post("/manage/people/new/", {"username": "u", "groups": str(number)}).status_code == 200
    for field in ("project", "assignment"):
        assert client.post("/work/pace/", {field: str(number)}).status_code == 302
    assert client.get("/work/done/", {"page": str(number)}).status_code == 200

"""What workers see and press, without a browser."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from django.utils import timezone

from harness.catalog.template.wrapping import PREVIEWED
from tests.annotation.conftest import TASK, client_of
from tests.annotation.people import another, batch, worker
from tests.server.pages import soup, text
from turkle_app.annotation.claims import claim, reject, submit
from turkle_app.annotation.models import Assignment, BatchState

pytestmark = pytest.mark.usefixtures("accounts")


def offered(page: BeautifulSoup) -> dict[str, str]:
    """What the form of a preview sends."""
    fields = page.select("form[action$='/accept/'] input[type=hidden]")
    return {each["name"]: each["value"] for each in fields if each["name"] != "csrfmiddlewaretoken"}


def test_the_list_counts_what_is_left_and_what_is_done() -> None:
    made, wanda = batch(seconds=1800), worker("wanda")
    submit(claim(made.pk, wanda).pk, {})
    claim(made.pk, worker("olga"))
    page = text(soup(client_of(wanda), "/work/"))
    assert "2 left for you · 1 done by you · 4 in all · 30 min for each" in page


def test_the_next_batch_is_previewed_when_one_is_done_and_the_list_counts_all_that_are_published() -> None:
    first, wanda = batch(), worker("wanda")
    later = another(first.project, name="Later", state=BatchState.PUBLISHED)
    another(first.project, name="A draft")
    client, place = client_of(wanda), f"/work/{first.project_id}/"
    assert "8 left for you · 0 done by you · 8 in all" in text(soup(client, "/work/"))
    for made in (first, later):
        for index in range(4):
            wanted = offered(soup(client, place))
            assert wanted["batch"] == str(made.pk)
            client.post(f"{place}accept/", wanted)
            own = Assignment.objects.get(state="claimed")
            assert (own.batch, own.index) == (made, index)
            submit(own.pk, {})
    assert "You have answered 8 of 8 instances" in text(soup(client, place))


def test_a_batch_of_another_project_is_not_accepted_by_its_number() -> None:
    seen, hidden, wanda = batch(), batch("others"), worker("wanda")
    client_of(wanda).post(f"/work/{seen.project_id}/accept/", {"batch": hidden.pk})
    assert [each.batch for each in Assignment.objects.all()] == [seen]
    assert client_of(wanda).post(f"/work/{seen.project_id}/skip/", {"batch": hidden.pk}).status_code == 404


def test_with_nothing_published_the_list_says_who_decides() -> None:
    batch("others")
    assert "There is nothing to do" in text(soup(client_of(worker("wanda")), "/work/"))


def test_a_preview_shows_the_next_instance_and_claims_nothing() -> None:
    made, wanda = batch(), worker("wanda")
    page = soup(client_of(wanda), f"/work/{made.project_id}/")
    assert page.iframe["src"] == f"/page/{TASK.replace(' ', '%20')}/0/?{PREVIEWED}"
    assert "allow-same-origin" not in page.iframe["sandbox"]
    assert Assignment.objects.count() == 0


def test_accepting_a_preview_gives_that_very_instance_or_says_that_it_is_taken() -> None:
    made, wanda = batch(), worker("wanda")
    client = client_of(wanda)
    wanted = offered(soup(client, f"/work/{made.project_id}/"))
    claim(made.pk, worker("olga"), wanted["instance"])
    refused = client.post(f"/work/{made.project_id}/accept/", wanted, follow=True)
    assert "Others have taken this instance" in refused.content.decode()
    assert Assignment.objects.filter(worker=wanda).count() == 0
    taken = client.post(f"/work/{made.project_id}/accept/", follow=True)
    assert taken.redirect_chain[-1][0].startswith("/work/assignment/")
    assert Assignment.objects.get(worker=wanda).index == 1


def test_who_has_accepted_is_led_to_it_and_has_a_sheet_in_a_sandbox() -> None:
    made, wanda = batch(), worker("wanda")
    own = claim(made.pk, wanda)
    client = client_of(wanda)
    assert client.get(f"/work/{made.project_id}/")["Location"] == f"/work/assignment/{own.pk}/"
    assert "Go on with it" in text(soup(client, "/work/"))
    frame = soup(client, f"/work/assignment/{own.pk}/").iframe
    assert frame["src"].startswith("/sheet/")
    assert "allow-forms" in frame["sandbox"]
    assert "allow-same-origin" not in frame["sandbox"]


@pytest.mark.parametrize(("how", "state", "to"), [("skip", "skipped", "/work/100/"), ("return", "returned", "/work/")])
def test_an_assignment_is_skipped_or_returned(how: str, state: str, to: str) -> None:
    made, wanda = batch(), worker("wanda")
    own = claim(made.pk, wanda)
    answer = client_of(wanda).post(f"/work/assignment/{own.pk}/give-back/", {"how": how})
    assert answer["Location"] == to
    own.refresh_from_db()
    assert own.state == state


def test_a_skipped_preview_is_followed_by_the_next() -> None:
    made, client = batch(), client_of(worker("wanda"))
    seen = []
    for _ in range(5):
        page = soup(client, f"/work/{made.project_id}/")
        seen.append(page.iframe["src"].partition("/?")[0][-1])
        client.post(f"/work/{made.project_id}/skip/", offered(page))
    assert seen == ["0", "1", "2", "3", "0"]


def test_the_pace_is_remembered_and_leads_back_to_where_it_was_set() -> None:
    made, wanda = batch(), worker("wanda")
    client = client_of(wanda)
    assert (
        client.post("/work/pace/", {"without_pause": "yes", "project": made.project_id})["Location"]
        == f"/work/{made.project_id}/"
    )
    own = claim(made.pk, wanda)
    place = f"/work/assignment/{own.pk}/"
    assert soup(client, place).find(id="assignment")["data-pause"] == "no"
    assert client.post("/work/pace/", {"without_pause": "no", "assignment": own.pk})["Location"] == place
    assert soup(client, place).find(id="assignment")["data-pause"] == "yes"


def test_the_state_is_told_to_the_page_around_the_sheet() -> None:
    made, wanda = batch(), worker("wanda")
    own = claim(made.pk, wanda)
    client = client_of(wanda)
    place = f"/work/assignment/{own.pk}/state/"
    assert client.get(place).json() == {"state": "claimed"}
    Assignment.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert client.get(place).json() == {"state": "expired"}
    submit(own.pk, {})
    assert client.get(place).json() == {"state": "submitted"}


def test_what_is_over_says_so_and_offers_the_next_one_while_there_is_one() -> None:
    made, wanda = batch(), worker("wanda")
    client = client_of(wanda)
    for number in range(4):
        own = submit(claim(made.pk, wanda).pk, {})
        page = text(soup(client, f"/work/assignment/{own.pk}/"))
        assert "took you" in page
        assert ("Accept the next" in page) == (number < 3)
    assert "Nothing is left for you" in text(soup(client, f"/work/{made.project_id}/"))


def test_a_rejection_is_shown_to_its_worker_with_the_reason() -> None:
    made, wanda, boss = batch(), worker("wanda"), worker("rejecting-boss", staff=True)
    own = submit(claim(made.pk, wanda).pk, {})
    reject(own, boss, "too <b>fast")
    client = client_of(wanda)
    for path in ("/work/done/", f"/work/assignment/{own.pk}/"):
        page = client.get(path).content.decode()
        assert "too &lt;b&gt;fast" in page
        assert "rejecting-boss" not in page


def test_a_task_that_is_gone_leaves_the_other_projects_usable(accounts: Path) -> None:
    batch(task="no such task", title="Broken", fingerprint="")
    batch()
    page = text(soup(client_of(worker("wanda")), "/work/"))
    assert "It cannot be worked on at the moment" in page
    assert "4 left for you" in page
    assert str(accounts) not in page

"""The goals on the bundled sites: listed, and tried, whichever folder is served."""

from __future__ import annotations

from pathlib import Path

from django.test import Client, override_settings

from harness.catalog import Catalog
from harness.kit.files.installation import BUNDLED_TASKS
from tests.server.pages import soup, text

GOALS = len(Catalog(BUNDLED_TASKS / "_sites").names())


def test_the_list_of_tasks_leads_to_the_goals_on_the_bundled_sites(browse: Client) -> None:
    link = soup(browse, "/").find("a", string=f"{GOALS} goals on websites")
    page = soup(browse, link["href"])
    assert len(page.select(".goals > li")) == GOALS
    assert "Put the Morrow Glass Kettle" in text(page) or "You move. Save the new address" in text(page)


def test_a_site_whose_pages_are_not_fetched_is_named_and_not_linked(browse: Client, own_cache: Path) -> None:
    del own_cache
    page = soup(browse, "/sites/")
    (miniwob,) = (each for each in page.select("section") if "MiniWoB++" in text(each.h2))
    assert "It is not on this machine" in text(miniwob)
    assert not miniwob.select("a")
    assert all(each.select("a") for each in page.select("section") if each is not miniwob)


def test_a_goal_is_tried_on_a_visit_that_begins_where_a_solver_does(browse: Client) -> None:
    links = [link["href"] for link in soup(browse, "/sites/").select(".goals a")]
    move = next(link for link in links if link.startswith("http://shop.localhost/"))
    visitor = Client(SERVER_NAME="shop.localhost")
    led = visitor.get(move.removeprefix("http://shop.localhost"))
    assert (led.status_code, led["Location"]) == (302, "/")
    assert visitor.get(led["Location"]).status_code == 200


def test_a_visit_begins_at_a_page_of_the_site_and_nowhere_else(browse: Client) -> None:
    del browse
    visitor = Client(SERVER_NAME="shop.localhost")
    assert visitor.get("/visit-anew/?at=/cart/")["Location"] == "/cart/"
    for elsewhere in ("//evil.example/", "http://evil.example/", "/\\evil.example", "javascript:x", "evil", ""):
        assert visitor.get("/visit-anew/", {"at": elsewhere})["Location"] == "/", elsewhere


def test_no_goal_can_be_read_where_agents_are_served(agent: Client, tmp_path: Path) -> None:
    del tmp_path
    assert agent.get("/sites/").status_code == 404
    with override_settings(TURKLE_AGENT_MODE=True):
        assert Client(SERVER_NAME="shop.localhost").get("/visit-anew/?at=/cart/").status_code == 403

"""Tools that the pages of bundled sites offer (WebMCP), for agents that act by them."""

from __future__ import annotations

import json

import pytest

from harness.episode.action_sets import actions_of
from harness.episode.assignment import Page
from harness.episode.site_actions import SiteActions
from harness.episode.trajectory import Trajectory
from harness.records.config import Limits
from harness.run.site_control import TOOLS_COOKIE
from tests.site import in_page
from tests.sites.served import begin, site_browser
from tests.solvers.models.site_pages import Visit, work
from turkle_app.sites.registry import SITES

KETTLE = "http://shop.test/product/brookfield-electric-kettle-1-7-l/"


@pytest.fixture(scope="module")
def session():
    with site_browser("shop", page_tools=True) as live:
        yield live


@pytest.fixture
def state(session):
    made = begin(session, "shop")
    session.site.set_cookie("http://shop.test", TOOLS_COOKIE, "yes")
    return made


def opened(session, url: str) -> SiteActions:
    session.site.open(url)
    return SiteActions(session.site, session.input, Trajectory(Limits(max_steps=20)), actions_of("page-tools"))


def test_a_form_is_a_tool_that_does_what_a_person_does_with_it(session, state):
    act = opened(session, KETTLE)
    tool = next(each for each in act.page_tools() if each.name == "add_to_cart")
    assert json.loads(tool.schema)["properties"]["colour"]["enum"] == ["Steel", "Black", "Cream"]
    result = act.call_tool("add_to_cart", '{"colour": "Black", "quantity": 2}')
    assert result.ok
    assert act.tabs()[0].url == "http://shop.test/cart/"
    (line,) = state.told()["cart"]
    assert (line["colour"], line["quantity"]) == ("Black", 2)


@pytest.mark.usefixtures("state")
def test_a_link_is_followed_by_its_words(session):
    act = opened(session, "http://shop.test/")
    assert act.call_tool("follow_link", '{"text": "Kitchen"}').ok
    assert "kitchen" in act.tabs()[0].url


def test_a_tool_says_what_it_could_not_do_and_does_nothing_then(session, state):
    act = opened(session, KETTLE)
    assert "not done" in act.call_tool("add_to_cart", '{"colour": "Pink"}').message
    assert "not done" in act.call_tool("add_to_cart", '{"size": "XL"}').message
    assert act.tabs()[0].url == KETTLE
    assert state.told()["cart"] == []


@pytest.mark.usefixtures("state")
@pytest.mark.parametrize(("name", "arguments"), [("buy_all", "{}"), ("add_to_cart", "[]"), ("add_to_cart", "no JSON")])
def test_what_is_no_tool_or_no_arguments_is_refused(session, name, arguments):
    result = opened(session, KETTLE).call_tool(name, arguments)
    assert (result.ok, str(result.code)) == (False, "wrong_argument")


def test_a_page_offers_none_to_whom_did_not_ask_for_them(session):
    begin(session, "shop")
    assert opened(session, KETTLE).page_tools() == []


@pytest.mark.slow
def test_a_browser_without_them_has_no_such_thing():
    with site_browser("shop") as usual:
        begin(usual, "shop")
        usual.site.set_cookie("http://shop.test", TOOLS_COOKIE, "yes")
        assert opened(usual, KETTLE).page_tools() == ()
        assert in_page(usual.site, "typeof document.modelContext") == "undefined"


def test_a_model_is_shown_the_tools_of_each_page_and_gets_to_the_goal_by_them(session, state):
    act = opened(session, "http://shop.test/")
    replies = iter(
        [
            """call_tool('search', '{"q": "electric kettle"}')""",
            """call_tool('follow_link', '{"text": "Brookfield Electric Kettle 1.7 l"}')""",
            """call_tool('add_to_cart', '{"colour": "Black"}')""",
            "finish()",
        ]
    )
    service = work(
        Visit(act, Page("http://shop.test/", (), (), 1, "A black kettle", ("http://shop.test",))),
        lambda _: f"Thought: next\nAction: {next(replies)}",
    )
    shown = [request.messages[-1].text for request in service.requests]
    assert ["add_to_cart:" in each for each in shown] == [False, False, True, False]
    assert all("follow_link:" in each for each in shown)
    assert [line["colour"] for line in state.told()["cart"]] == ["Black"]


@pytest.mark.slow
@pytest.mark.parametrize("name", [each for each in SITES if each in {"board", "shop", "travel"}])
def test_the_first_page_of_each_site_offers_some(name):
    with site_browser(name, page_tools=True) as live:
        begin(live, name)
        live.site.set_cookie(f"http://{name}.test", TOOLS_COOKIE, "yes")
        tools = opened(live, f"http://{name}.test/").page_tools()
        assert {"follow_link"} < {each.name for each in tools}
        assert all(json.loads(each.schema)["type"] == "object" and each.description for each in tools)

"""What meets published nodes of Mind2Web-Live and what does not, written by hand for each match function in the file.

A row names a node by the index of its task and its number there, so that nothing of the file is copied. What is said of
it was read off the node, and not made by the code that is tested.
"""

from __future__ import annotations

import pytest

from harness.catalog.site_facts import KeyNode
from tests.papers.webcanvas.conftest import real
from tests.scoring.evaluators.made import Recording, ScriptedJudge

pytestmark = real
Nodes = dict[tuple[int, int], KeyNode]
KOHLS = "https://www.kohls.com/catalog/x.jsp"


@pytest.fixture(scope="module")
def nodes(real_nodes: list[tuple[tuple[int, int], KeyNode]]) -> Nodes:
    return dict(real_nodes)


@pytest.mark.parametrize(
    ("index", "number", "shown", "is_hit"),
    [
        # url_included_match without a key: host, path and fragment.
        (0, 1, "https://www.gamestop.com/", True),
        (0, 1, "https://gamestop.com/stores?store=1", True),
        (0, 1, "https://www.google.com/search?q=www.gamestop.com", False),
        (0, 1, "https://www.game.com/", False),
        (1, 3, "https://www.flightaware.com/commercial/aeroapi/#compare-plans-section", True),
        (1, 3, "https://www.flightaware.com/commercial/aeroapi/", False),
        (1, 3, "https://www.flightaware.com/commercial/aeroapi/?at=%23compare-plans-section", False),
        (13, 2, "https://new.mta.info/project/jamaica-bus-depot-expansion", True),
        (13, 2, "https://new.mta.info/project/jamaica-bus-depot-expansion/news?page=2", True),
        (13, 2, "https://new.mta.info/project/jamaica-bus-depot", False),
        (60, 4, "https://sports.yahoo.com/nba/teams/toronto/schedule/", True),
        (60, 4, "https://sports.yahoo.com/nba/teams/toronto/schedule", False),
        (89, 2, "https://www.amtrak.com/routes.html", True),
        (89, 2, "https://www.amtrak.com/train-routes", False),
        # url_included_match with a key: a part of its first value.
        (10, 2, f"{KOHLS}?CN=Gender:Womens+Department:Clothing", True),
        (10, 2, f"{KOHLS}?CN=Gender%3AWomens", True),
        (10, 2, f"{KOHLS}?CN=Gender:Mens+Department:Clothing", False),
        (10, 2, f"{KOHLS}?cn=Gender:Womens", False),
        (39, 3, f"{KOHLS}?CN=Gender:Mens+Brand:Calvin%20Klein", True),
        (39, 3, f"{KOHLS}?CN=Brand:Calvin+Klein", True),
        (39, 3, f"{KOHLS}?CN=Brand:Calvin%2BKlein", False),
        (62, 2, "https://www.carmax.com/cars?year=2018-2023", True),
        (62, 2, "https://www.carmax.com/cars/2018", False),
        (78, 4, "https://www.yellowpages.com/x?refinements=neighborhood%3AHenderson&refinements=a", True),
        (78, 4, "https://www.yellowpages.com/x?refinements=a&refinements=neighborhood%3AHenderson", False),
        # url_exactly_match: the first value of its key, and all of it.
        (0, 2, "https://www.gamestop.com/search/?store=2630", True),
        (0, 2, "https://www.gamestop.com/anywhere?q=ps5&store=2630", True),
        (0, 2, "https://www.gamestop.com/search/?store=26301", False),
        (0, 2, "https://www.gamestop.com/search/?store=1&store=2630", False),
        (0, 2, "https://www.gamestop.com/search/?store=", False),
        (0, 2, "https://www.gamestop.com/store/2630", False),
        (6, 4, "https://www.governmentjobs.com/careers/mbta?department[0]=MBTA%20-%20Safety", True),
        (6, 4, "https://www.governmentjobs.com/careers/mbta?department%5B0%5D=MBTA+-+Safety", True),
        (6, 4, "https://www.governmentjobs.com/careers/mbta?department[1]=MBTA%20-%20Safety", False),
        (6, 6, "https://www.governmentjobs.com/careers/mbta?sort=PostingDate%7CDescending", True),
        (6, 6, "https://www.governmentjobs.com/careers/mbta?sort=PostingDate%257CDescending", False),
        (8, 3, "https://people.yellowpages.com/whitepages/address?street=Nice+st+-+1234", True),
        (8, 3, "https://people.yellowpages.com/whitepages/address?street=Nice+St+-+1234", False),
        (20, 2, "https://www.flightaware.com/live/findflight?origin=VIDP&destination=MMSD", True),
        (20, 2, "https://www.flightaware.com/live/findflight?origin=MMSD&destination=VIDP", False),
        (37, 4, "https://www.gamestop.com/search/?q=hd&srule=price-low-to-high", True),
        (37, 4, "https://www.gamestop.com/search/?q=hd&srule=price-high-to-low", False),
        (67, 3, "https://soundcloud.com/search/sets?filter.genre=dance%20%26%20edm", True),
        (67, 3, "https://soundcloud.com/search/sets?filter.genre=dance & edm", False),
        (85, 4, "https://www.discogs.com/sell/list?condition=Very+Good+%28VG%29", True),
        (85, 4, "https://www.discogs.com/sell/list?condition=Very+Good+Plus+%28VG%2B%29", False),
        (97, 3, "https://www.imdb.com/chart/moviemeter/?sort=release_date%2Cdesc", True),
        (97, 3, "https://www.imdb.com/chart/moviemeter/?sort=release_date%2Casc", False),
    ],
)
def test_address_meets_the_node_or_not(nodes: Nodes, index: int, number: int, shown: str, is_hit: bool) -> None:
    assert Recording().shows(shown).part(nodes[index, number]).score == float(is_hit)


@pytest.mark.parametrize(
    ("index", "number", "shown", "answer", "score"),
    [
        # url_semantic_match: the judge is told the value of the key, decoded, and nothing else of the address.
        (25, 2, "https://www.gamestop.com/search/?q=ps5+digital&lang=default", "ps5 digital", 0.9),
        (25, 2, "https://www.gamestop.com/search/?q=xbox%20one", "xbox one", 0.1),
        (25, 2, "https://www.gamestop.com/search/?lang=default", None, 0.0),
        (36, 4, "https://www.yelp.com/search?find_loc=Central+New+York%2C+NY", "Central New York, NY", 1.0),
        (36, 4, "https://www.yelp.com/search?find_desc=Central+New+York", None, 0.0),
        (67, 2, "https://soundcloud.com/search/sets?q=pop%20workout%20mix&filter.genre=pop", "pop workout mix", 0.8),
    ],
)
def test_judge_is_told_the_value_of_the_key(
    nodes: Nodes, *, index: int, number: int, shown: str, answer: str | None, score: float
) -> None:
    judge = ScriptedJudge({} if answer is None else {answer: score})
    assert Recording().shows(shown).part(nodes[index, number], judge).score == score
    assert [told for _, told in judge.asked] == ([] if answer is None else [answer])


LIST = "<button id=addNewListButton><svg><path></path></svg><span>New list</span></button><button id=b>Delete</button>"
YEARS = "<label id=l>To</label><select id=year-filter-max><option id=o value=2020>2020</option></select><input id=i>"
REGIONS = (
    "<div id=region-filters-section><h2 id=h>Region</h2><ul>"
    + "<li><input type=checkbox><label><span class=filter__facet-name>Iowa</span></label></li>" * 6
    + "<li><input type=checkbox><label id=l><span class=filter__facet-name id=s>Ohio</span></label></li></ul></div>"
)
SEND = "<form><input class='hs-button' id=other type=submit><input class='hs-button primary large' type=submit></form>"
MENARDS, CARS = "https://www.menards.com/main/myLists.html", "https://www.cargurus.com/Cars/x"
JOBS, INDUSTRY = "https://jobs.target.com/search-jobs", "https://industry.flightaware.com/airports"


@pytest.mark.parametrize(
    ("index", "number", "page", "acted", "at", "is_hit"),
    [
        # element_path_exactly_match: the element, what stands in it, and what it is pressed with; on that site alone.
        (96, 3, LIST, "#addNewListButton", MENARDS, True),
        (96, 3, LIST, "#addNewListButton span", MENARDS, True),
        (96, 3, LIST, "#addNewListButton path", MENARDS, True),
        (96, 3, LIST, "#b", MENARDS, False),
        (96, 3, LIST, "#addNewListButton", "https://www.menards.com/other", True),
        (96, 3, LIST, "#addNewListButton", "https://www.lowes.com/main/myLists.html", False),
        (14, 7, YEARS, "#year-filter-max", CARS, True),
        (14, 7, YEARS, "#i", CARS, False),
        (14, 7, YEARS, "#l", CARS, False),
        (38, 8, REGIONS, "#s", JOBS, True),
        (38, 8, REGIONS, "li:nth-child(7) > label", JOBS, True),
        (38, 8, REGIONS, "li:nth-child(6) span", JOBS, False),
        (38, 8, REGIONS, "#h", JOBS, False),
        (61, 8, SEND, ".large", INDUSTRY, True),
        (61, 8, SEND, "#other", INDUSTRY, False),
        (61, 8, SEND, ".large", "https://www.flightaware.com/airports", False),
    ],
)
def test_acted_element_meets_the_node_or_not(
    nodes: Nodes, *, index: int, number: int, page: str, acted: str, at: str, is_hit: bool
) -> None:
    assert Recording().acts(page, acted, url=at).part(nodes[index, number]).score == float(is_hit)


GIFT = "<input id=name><input id=to><textarea id=message></textarea>"
RENTER = "<input id=firstName><input id=lastName>"
PRICES = "<input id=price-range-input-min><input id=price-range-input-max>"
MAIL = (
    "<div class='hs_email hs-email hs-fieldtype-text field hs-form-field'>"
    "<div class=input><input class=hs-input></div></div>"
)
ARMOUR, BUDGET = (
    "https://www.underarmour.com/en-us/p/gift_cards/x",
    "https://www.budget.com/en/reservation/get-e-receipt",
)


@pytest.mark.parametrize(
    ("index", "number", "page", "filled", "held", "at", "is_hit"),
    [
        # element_value_exactly_match: all of what that element holds, with its case and its blanks.
        (30, 3, RENTER, "#lastName", "Smith", BUDGET, True),
        (30, 3, RENTER, "#lastName", "smith", BUDGET, False),
        (30, 3, RENTER, "#lastName", "Smith ", BUDGET, False),
        (30, 3, RENTER, "#lastName", "Smithson", BUDGET, False),
        (30, 3, RENTER, "#firstName", "Smith", BUDGET, False),
        (30, 3, RENTER, "#lastName", "Smith", "https://www.avis.com/en", False),
        (14, 4, PRICES, "#price-range-input-max", "$25,000", CARS, True),
        (14, 4, PRICES, "#price-range-input-max", "25000", CARS, False),
        (14, 4, PRICES, "#price-range-input-min", "$25,000", CARS, False),
        (61, 5, MAIL, ".hs-input", "abc@abc.com", INDUSTRY, True),
        (61, 5, MAIL, ".hs-input", "abc@abc.co", INDUSTRY, False),
        # The file has this name misspelt, and what is right is therefore wrong.
        (7, 3, GIFT, "#name", "Johm", ARMOUR, True),
        (7, 3, GIFT, "#name", "John", ARMOUR, False),
        # Without a path it is any element's; a button holds nothing, and what it says counts.
        (46, 4, "<button id=a> ADD  TO CART </button>", "#a", None, "https://www.menards.com/main/search.html", True),
        (46, 4, "<button id=a>Add to cart</button>", "#a", None, "https://www.menards.com/main/search.html", False),
    ],
)
def test_value_of_the_element_meets_the_node_or_not(
    nodes: Nodes, *, index: int, number: int, page: str, filled: str, held: str | None, at: str, is_hit: bool
) -> None:
    event = "click" if held is None else "input"
    done = Recording().acts(page, filled, value=held, event=event, url=at)
    assert done.part(nodes[index, number]).score == float(is_hit)


@pytest.mark.parametrize(
    ("filled", "held", "at", "score"),
    [
        # element_value_semantic_match: the judge is told what that element holds.
        ("#message", "A gift card for you", ARMOUR, 0.9),
        ("#message", "See you soon", ARMOUR, 0.0),
        ("#to", "A gift card for you", ARMOUR, 0.0),
        ("#message", "A gift card for you", "https://www.rei.com/gift-card", 0.0),
    ],
)
def test_judge_is_told_what_the_element_holds(nodes: Nodes, filled: str, held: str, at: str, score: float) -> None:
    judge = ScriptedJudge({"A gift card for you": 0.9})
    done = Recording().acts(GIFT, filled, value=held, event="input", url=at)
    assert done.part(nodes[7, 7], judge).score == score


def test_every_match_function_of_the_file_has_its_rows(nodes: Nodes) -> None:
    seen = {(node.target, node.match) for node in nodes.values()}
    told = {(0, 1), (0, 2), (25, 2), (96, 3), (30, 3), (7, 7)}
    assert {(nodes[each].target, nodes[each].match) for each in told} == seen

"""Pages and demonstrations made by hand: three small sites on which the same kinds of things are done."""

from __future__ import annotations

from harness.papers.mind2web.demonstrations.asking import AskedStep
from harness.papers.mind2web.demonstrations.demonstration import (
    Candidate,
    DemonstratedStep,
    Demonstration,
    DoneOperation,
)
from harness.papers.mind2web.mindact.marked_page import MarkedPage
from harness.papers.mind2web.mindact.page_element import PageElement, StepQuery, elements_of

SEARCH = """
<html><head><title>Shop</title><script>steal()</script></head><body backend_node_id="1">
  <nav backend_node_id="2"><a backend_node_id="3" href="/">Home</a><a backend_node_id="4" href="/cart">Cart</a></nav>
  <form role="search" backend_node_id="5">
    <label for="q" backend_node_id="6">What are you looking for?</label>
    <input id="q" name="q" type="search" placeholder="Search products" backend_node_id="7">
    <select name="sort" aria-label="Order" backend_node_id="8">
      <option backend_node_id="9" selected>Relevance</option><option backend_node_id="10">Price: low to high</option>
    </select>
    <button type="submit" backend_node_id="11"><span backend_node_id="12">Search</span></button>
  </form>
  <ul backend_node_id="13">
    <li backend_node_id="14"><a backend_node_id="15" href="/p/1">Glass kettle &lt;b&gt;</a></li>
    <li backend_node_id="16"><a backend_node_id="17" href="/p/2">Wool socks</a></li>
    <li backend_node_id="18"><a backend_node_id="19" href="/p/3">Steel pan</a></li>
  </ul>
</body></html>
"""
IDS = tuple(str(number) for number in range(1, 20))
TASK = "Find the cheapest glass kettle"


def asked(
    html: str = SEARCH, ids: tuple[str, ...] = IDS, *, task: str = TASK, previous: tuple[str, ...] = ()
) -> AskedStep:
    """A step as solvers are asked it."""
    candidates = tuple(Candidate(backend_node_id=each, tag="x") for each in ids)
    return AskedStep(
        task=task, website="shop", previous=previous, raw_html=html, cleaned_html=html, candidates=candidates
    )


def elements(html: str = SEARCH, ids: tuple[str, ...] = IDS) -> list[PageElement]:
    """The candidates of a page."""
    return elements_of(MarkedPage(html), asked(html, ids).candidates)


def query(*previous: str, task: str = TASK) -> StepQuery:
    """What is compared with."""
    return StepQuery(task, previous)


def page_of_links(number: int, right: int, words: str, button: str) -> str:
    """A page of many links, one of them in the words of the task, a field and a button."""
    rows = "".join(
        f'<li backend_node_id="{100 + row}"><a backend_node_id="{300 + row}" href="#">'
        f"{words if row == right else f'Entry number {row}'}</a></li>"
        for row in range(number)
    )
    return (
        f'<body backend_node_id="1"><ul backend_node_id="2">{rows}</ul><form backend_node_id="3">'
        f'<input name="q" backend_node_id="4"><button backend_node_id="5">{button}</button></form></body>'
    )


def a_step(html: str, right: str, op: str = "CLICK", value: str = "") -> DemonstratedStep:
    """A step on a page, whose acceptable element has this id."""
    names = list(MarkedPage(html).by_id)
    return DemonstratedStep(
        action_uid=f"{right}-{len(html)}",
        raw_html=html,
        cleaned_html=html,
        operation=DoneOperation(op=op, original_op=op, value=value),  # type: ignore[arg-type]
        positives=(Candidate(backend_node_id=right, tag="x", is_original_target=True),),
        negatives=tuple(Candidate(backend_node_id=each, tag="x") for each in names if each != right),
    )


def demonstrations(sites: tuple[str, ...] = ("shop", "travel", "board"), each: int = 4) -> list[Demonstration]:
    """Demonstrations of three steps: press the link that the task names, write into the field, press the button."""
    made = []
    for site in sites:
        for number in range(each):
            words = f"{site} thing {'abcdefgh'[number]}"
            html = page_of_links(80, 10 * number + 3, words, f"Go on {site}")
            made.append(
                Demonstration(
                    annotation_id=f"{site}-{number}",
                    website=site,
                    domain="Constructed",
                    subdomain="Constructed",
                    confirmed_task=f"Open the {words} and write a word",
                    action_reprs=(f"[a]  {words} -> CLICK", "[input]  q -> TYPE: a word", "[button]  Go -> CLICK"),
                    steps=(
                        a_step(html, str(300 + 10 * number + 3)),
                        a_step(html, "4", "TYPE", "a word"),
                        a_step(html, "5"),
                    ),
                )
            )
    return made

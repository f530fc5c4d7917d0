"""A solver for some thirty of the pages of MiniWoB++, without a model: it knows the sentences in which they ask.

Run it from the folder of the project, once the pages are there:

    python -m harness tasks fetch miniwob
    python -m harness.evaluate --dataset miniwob --split paper --solver examples.miniwob_solver:MiniwobSolver

It is told what any solver is told, the goal, and looks at the page and acts as any solver does: so what it reaches
shows that these pages can be solved with the actions on websites. A sentence that it does not know it leaves alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from turkbench.harness.observe.snapshot import TEXT, Node, Snapshot

from turkbench import Page, SiteActions

MOST_LOOKS = 30
"""How often it opens one thing more to look for what is hidden."""
_PLACES = {"1st": 0, "2nd": 1, "3rd": 2, "4th": 3}
_TITLES = {"x": "Close"}
"""What a button is called that shows a sign."""


class Looked:
    """A look at the page: its elements that have numbers, and what they say."""

    def __init__(self, shown: Snapshot) -> None:
        self._shown = shown
        self.elements = [place for place, node in enumerate(shown.nodes) if node.ref]

    def node(self, place: int) -> Node:
        """The node at a place."""
        return self._shown.nodes[place]

    def words(self, place: int) -> str:
        """All that can be seen of the texts in a node."""
        return " ".join("".join(self._texts(place)).split())

    def _texts(self, place: int) -> Iterator[str]:
        node = self.node(place)
        if node.type == TEXT and node.shown:
            yield node.text
        for child in self._shown.children[place]:
            yield from self._texts(child)

    def label(self, place: int) -> str:
        """What the element says in which a box stands."""
        return self.words(self.node(place).parent)

    def find(self, is_it: Callable[[int], bool]) -> list[int]:
        """The numbers by which the elements can be pressed of which something holds."""
        return [self.node(place).ref for place in self.elements if is_it(place)]

    def tagged(self, *tags: str, words: str | None = None) -> list[int]:
        """The numbers of the elements with one of some tags, and if they are given with these words."""

        def is_it(place: int) -> bool:
            return self.node(place).text in tags and (words is None or self.words(place).lower() == words.lower())

        return self.find(is_it)

    def having(self, attribute: str, part: str) -> list[int]:
        """The numbers of the elements of which an attribute has a part, as a class has."""
        return self.find(lambda place: part in (self.node(place).get(attribute) or "").split())


class MiniwobSolver:
    """Does what a page asks for, if it knows the sentence."""

    def solve(self, page: Page, act: SiteActions) -> None:
        """Do what the goal asks for.

        Args:
            page: Its goal ends with what the page asks for.
            act: The actions on it; ``LimitReached`` is let pass.
        """
        asked = page.goal.partition("It asks: ")[2]
        for sentence, routine in _ROUTINES:
            if found := re.fullmatch(sentence, asked):
                routine(act, *found.groups())
                return


def look(act: SiteActions) -> Looked:
    """Look at the page as it is now."""
    return Looked(act.observation.snapshot())


def click_first(act: SiteActions, numbers: list[int]) -> None:
    """Press the first of some elements, if there is one."""
    if numbers:
        act.click_element(numbers[0])


def submit(act: SiteActions) -> None:
    """Press the last button, which hands in the work."""
    click_first(act, look(act).tagged("button")[-1:])


def button(act: SiteActions, *names: str) -> None:
    """Press buttons, one after the other."""
    for name in names:
        seen = look(act)
        click_first(act, seen.tagged("button", words=name) or seen.having("title", _TITLES.get(name, name)))


def only_button(act: SiteActions) -> None:
    """Press the one button."""
    submit(act)


def link(act: SiteActions, words: str) -> None:
    """Press what looks like a link."""
    click_first(act, look(act).tagged("span", "a", words=words))


def hidden_link(act: SiteActions, words: str) -> None:
    """Open tabs or sections, one by one, until a link is there."""
    for opened in range(MOST_LOOKS):
        seen = look(act)
        if numbers := seen.tagged("span", words=words):
            click_first(act, numbers)
            return
        headers = seen.having("class", "ui-accordion-header") or seen.having("class", "ui-tabs-anchor")
        if opened >= len(headers):
            return
        act.click_element(headers[opened])


def in_tree(act: SiteActions, name: str) -> None:
    """Open folders, those in sight first, until a name is there."""
    opened: set[str] = set()
    for _ in range(MOST_LOOKS):
        seen = look(act)
        if numbers := seen.tagged("span", words=name) or seen.tagged("li", words=name):
            click_first(act, numbers)
            return
        closed = [
            place
            for place in seen.elements
            if "expandable" in (seen.node(place).get("class") or "").split() and seen.words(place) not in opened
        ]
        if not closed:
            return
        opened.add(seen.words(closed[0]))
        inner = [place for place in seen.elements if seen.node(place).get("class") == "hitarea expandable-hitarea"]
        act.click_element(seen.node(next(place for place in inner if place > closed[0])).ref)


def boxes(act: SiteActions, names: str) -> None:
    """Tick the boxes, or the one circle, with some labels, and submit."""
    wanted = {name.strip() for name in names.split(",")}
    seen = look(act)
    for number in seen.find(lambda place: seen.node(place).text == "input" and seen.label(place) in wanted):
        act.click_element(number)
    submit(act)


def from_list(act: SiteActions, option: str) -> None:
    """Choose from a list, and submit."""
    act.select_option(look(act).tagged("select")[0], option)
    submit(act)


def into_fields(act: SiteActions, *texts: str) -> None:
    """Write a text into each field, in order, and submit."""
    for number, text in zip(look(act).tagged("input"), texts, strict=False):
        act.fill(number, text)
    submit(act)


def date(act: SiteActions, month: str, day: str, year: str) -> None:
    """Write a date, and submit."""
    into_fields(act, f"{year}-{month}-{day}")


def time(act: SiteActions, hour: str, minute: str, half: str) -> None:
    """Write a time, and submit."""
    into_fields(act, f"{int(hour) % 12 + (12 if half == 'PM' else 0):02}:{minute}")


def focus(act: SiteActions, place: str = "1st") -> None:
    """Go into a text field."""
    act.click_element(look(act).tagged("input")[_PLACES[place]])


def dialog_close(act: SiteActions) -> None:
    """Close a dialog."""
    button(act, "x")


def widget(act: SiteActions, kind: str) -> None:
    """Press something of a kind."""
    click_first(act, look(act).having("data-type", kind))


def tab(act: SiteActions, name: str) -> None:
    """Show a tab."""
    click_first(act, look(act).tagged("a", words=name))


def section(act: SiteActions) -> None:
    """Open the one section, and submit."""
    click_first(act, look(act).having("class", "ui-accordion-header"))
    submit(act)


def point(act: SiteActions, place: str) -> None:
    """Press a point in a grid."""
    click_first(act, look(act).having("id", place))


def spinner(act: SiteActions, number: str) -> None:
    """Count up or down to a number, and submit."""
    way = "ui-spinner-up" if int(number) > 0 else "ui-spinner-down"
    for _ in range(abs(int(number))):
        click_first(act, look(act).having("class", way))
    submit(act)


_ROUTINES: tuple[tuple[str, Callable[..., None]], ...] = (
    (r"Click the button\.", only_button),
    (r"Click button (\w+)\.", button),
    (r"Click button (\w+), then click button (\w+)\.", button),
    (r'Click on the "(.+)" button\.', button),
    (r'Close the dialog box by clicking the "x"\.', dialog_close),
    (r'Click the button in the dialog box labeled "(.+)"\.', button),
    (r'Click on the link "(.+)"\.', link),
    (r"Click on (Tab #\d)\.", tab),
    (r'Switch between the tabs to find and click on the link "(.+)"\.', hidden_link),
    (r'Expand the sections below, to find and click on the link "(.+)"\.', hidden_link),
    (r"Expand the section below and click submit\.", section),
    (r'Navigate through the file tree\. Find and click on the folder or file named "(.+)"\.', in_tree),
    (r"Select (.+) from the list and click Submit\.", from_list),
    (r"Select (-?\d+) with the spinner and hit Submit\.", spinner),
    (r"Select (.+) and click Submit\.", boxes),
    (r'Enter "(.+)" into the text field and press Submit\.', into_fields),
    (r'Enter the username "(.+)" and the password "(.+)" into the text fields and press login\.', into_fields),
    (r'Enter the password "((.+))" into both text fields and press submit\.', into_fields),
    (r"Enter (\d\d)/(\d\d)/(\d{4}) as the date and hit submit\.", date),
    (r"Enter (\d+):(\d\d) ([AP]M) as the time and press submit\.", time),
    (r"Focus into the textbox\.", focus),
    (r"Focus into the (\w+) input textbox\.", focus),
    (r'Click on a "(.+)" widget\.', widget),
    (r"Click on the grid coordinate (\(.+\))\.", point),
)
"""What pages ask for -> what does it, given the groups of the sentence."""

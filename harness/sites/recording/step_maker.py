"""Makes the steps of a trace of what a person did: a word is one step and not as many as it has characters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from harness.catalog.trace import TraceAction
from harness.sites.recording.recorded_step import NOT_RECORDED, PersonAct, RecordedStep

_NOWHERE = -1
"""The tab in which the next step is done, where that is to be said: the one before was closed."""


class StepMaker:
    """Takes acts in order, and keeps the steps that they come to.

    Attributes:
        steps: So far.
        tab: The tab that the next step is done in, unless it says otherwise.
    """

    def __init__(self, start: str = "") -> None:
        """Begin with the first tab.

        Args:
            start: The address that it shows.
        """
        self._start = start
        self.steps: list[RecordedStep] = []
        self.tab = 0
        self._count = 0

    def take(self, act: PersonAct) -> None:
        """Take one act."""
        take: Callable[[PersonAct], None] = {
            "click": self._click,
            "hover": self._hover,
            "input": self._input,
            "change": self._change,
            "key": self._key,
            "moved": self._moved,
            "opened": self._opened,
            "closed": self._closed,
        }.get(act.kind, self._asked)
        if act.element is not None or act.kind in ("goto", "go_back", "go_forward", "reload"):
            self._be_in(act)
        take(act)

    def forget(self, number: int) -> RecordedStep | None:
        """Take a step out; gives it, None if there is none of that number."""
        found = next((step for step in self.steps if step.number == number), None)
        if found:
            self.steps.remove(found)
        return found

    @property
    def _last(self) -> RecordedStep | None:
        return self.steps[-1] if self.steps else None

    def _add(self, do: TraceAction, act: PersonAct, value: str = "", **more: object) -> None:
        self._count += 1
        step = RecordedStep(
            number=self._count,
            do=do,
            element=act.element,
            value=value,
            url=act.url,
            after=act.url,
            tab=act.tab,
            label=act.label,
            control=act.control,
            held=None if act.secret else act.value,
            secret=act.secret,
            picture=act.picture,
        )
        self.steps.append(replace(step, **more))  # type: ignore[arg-type]

    def _be_in(self, act: PersonAct) -> None:
        """See that the step before what is done in another tab leads there."""
        if act.tab != self.tab:
            self._add("switch_tab", PersonAct(kind="opened", tab=act.tab, url=act.url), str(act.tab))
            self.tab = act.tab

    def _was_on(self, act: PersonAct) -> RecordedStep | None:
        """The last step, if it was done to the same element of the same page."""
        last = self._last
        if last is None or last.element is None or act.element is None:
            return None
        here = (act.tab, act.element.css, act.url)
        return last if (last.tab, last.element.css, last.after) == here else None

    def _click(self, act: PersonAct) -> None:
        if act.control == "text" and (last := self._was_on(act)) and last.do in ("click", "fill"):
            return  # where one writes already
        self._add("click", act)

    def _hover(self, act: PersonAct) -> None:
        self._add("hover", act)

    def _input(self, act: PersonAct) -> None:
        value = NOT_RECORDED if act.secret else act.value or ""
        held = None if act.secret else act.value
        last = self._was_on(act)
        if last and last.do == "fill":
            self.steps[-1] = replace(last, value=value, held=held)
        elif last and last.do == "click" and not last.nodes:
            # Who writes somewhere goes there first.
            self.steps[-1] = replace(last, do="fill", value=value, held=held, secret=act.secret)
        else:
            self._add("fill", act, value)

    def _change(self, act: PersonAct) -> None:
        last = self._was_on(act)
        if last and last.do == "select_option":
            self.steps[-1] = replace(last, value=act.value or "", held=act.value)
        else:
            self._add("select_option", act, act.value or "")

    def _key(self, act: PersonAct) -> None:
        last = self._was_on(act)
        if last and last.do == "fill" and act.value == "Enter" and act.control == "text":
            self.steps[-1] = replace(last, do="fill_search")
            return
        is_focused = last is not None or act.control != "text"
        if last and last.do == "click" and act.control == "text" and not last.nodes:
            self.steps.pop()  # the step itself goes there
            is_focused, act = False, replace(act, picture=last.picture)
        self._add("press", act, act.value or "", focused=is_focused, held=None)

    def _moved(self, act: PersonAct) -> None:
        in_tab = [place for place, step in enumerate(self.steps) if step.tab == act.tab]
        if not in_tab and act.tab == self.tab:
            in_tab = [len(self.steps) - 1]  # the step by which a page opened the tab
        if self.steps and in_tab:
            self.steps[in_tab[-1]] = replace(self.steps[in_tab[-1]], after=act.url)

    def _opened(self, act: PersonAct) -> None:
        if act.by_page:
            if self._last:
                self.steps[-1] = replace(self.steps[-1], after=act.url)
        else:
            # An empty one shows a page of the browser's own.
            self._add("new_tab", act, act.url if act.url.startswith("http") else "")
        self.tab = act.tab

    def _closed(self, act: PersonAct) -> None:
        if not act.by_page:
            self._add("close_tab", act, str(act.tab))
        if act.tab == self.tab:
            self.tab = _NOWHERE

    def _asked(self, act: PersonAct) -> None:
        """Something that was asked of the browser itself."""
        before = next((step.after for step in reversed(self.steps) if step.tab == act.tab), self._start)
        do: TraceAction = act.kind  # type: ignore[assignment]
        self._add(do, act, act.url if do == "goto" else "", url=before, held=None)


def way_of(before: tuple[int, tuple[int, ...]], place: int, entries: tuple[int, ...], way: str) -> str:
    """What a person asked of the browser that shows another address without anything having been done to its page.

    Args:
        before: Which entry of the tab's history was shown, and the numbers of all.
        place: Which is shown now.
        entries: The numbers of all.
        way: How the one that is shown came about, in the browser's words.

    Returns:
        ``go_back``, ``go_forward``, ``reload`` or ``goto``; empty if it was the page itself that went on.
    """
    was, known = before
    if entries == known and place != was:
        return "go_back" if place < was else "go_forward"
    if way == "reload":
        return "reload" if entries == known else ""
    return "goto" if way in ("typed", "address_bar", "generated", "auto_bookmark", "keyword", "auto_toplevel") else ""

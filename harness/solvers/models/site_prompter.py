"""The set of prompts ``site``: what a model is told that works on a website, and how its replies are read.

Each turn is a request of its own: the rules, and one message with the goal, the tabs, the steps so far and the page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from harness.actions.call import ActionCall, ActionError
from harness.actions.signature import ActionSpec
from harness.actions.spec import to_prompt
from harness.episode.observation import element_number
from harness.episode.site_observation import OpenTab
from harness.kit.text import shorten
from harness.models.messages import Image, Message, Reply, Text
from harness.observe import numbered
from harness.observe.snapshot import Snapshot
from harness.solvers.models.grammars import ELEMENT, site_grammar
from harness.solvers.models.prompt_sets import PROMPT_SETS, PromptSet
from harness.solvers.models.prompting import SITE_WORDS, WORDS, Prompter, say_of_site
from harness.solvers.models.recipe import Recipe, SiteRecipe
from harness.solvers.models.replies import ReplyItem, complaints, read_reply
from harness.solvers.models.site_step import PastStep, ReadReply, SiteNews

LONGEST = 80
"""Characters of what an element says."""
_NAMING = ("aria-label", "alt", "title", "placeholder", "name")


def element_words(snapshot: Snapshot, ref: int) -> str:
    """An element by its role and what it says.

    Args:
        snapshot: In which it has its number.
        ref: The number.

    Returns:
        E.g. ``button 'Add to cart'``; empty if no element has this number there.
    """
    place = next((place for place, node in enumerate(snapshot.nodes) if node.ref == ref and ref), None)
    if place is None:
        return ""
    node = snapshot.nodes[place]
    role = node.get("role") or (node.control.kind if node.control else "") or {"a": "link"}.get(node.text, node.text)
    said = snapshot.text_of(place) if role != "select" else ""
    labels = node.control.labels if node.control else ()
    told = [said, *(snapshot.text_of(each) for each in labels), *(node.get(name) for name in _NAMING)]
    if node.control and node.control.kind == "button":
        told.append(node.control.value)
    name = next((" ".join(each.split()) for each in told if each and each.strip()), "")
    return f"{role} {shorten(name, LONGEST)!r}" if name else role


PROTOCOL = "site"

_MARK = re.compile(r"^[ \t]*(Thought|Action):", re.MULTILINE)


class SitePrompter(Prompter):
    """Writes the messages of one recipe about websites.

    Attributes:
        site: What of protocol ``site`` it uses.
    """

    def __init__(self, recipe: Recipe, known: Mapping[str, ActionSpec]) -> None:
        """Prepare.

        Args:
            recipe: How the model is asked.
            known: The action set of the run.
        """
        super().__init__(recipe, known)
        self.site = recipe.site or SiteRecipe()

    @property
    def thinks(self) -> bool:
        """Whether the model is asked for a thought before each action."""
        return self.site.planning == "thought"

    # ---- what is sent ---------------------------------------------------------------------------------------------

    def system(self, demonstrations: int = 0) -> Message:  # noqa: ARG002 - there are none of websites
        """The rules: who is asked, for what, and with which actions."""
        rules = [say_of_site("site_rules"), say_of_site("site_trust")]
        if self.recipe.output == "tools":
            ending = "thought_beside_tool" if self.thinks else "tool_alone"
            return _system(say_of_site("site_role_with_tools"), *rules, say_of_site(ending))
        ending = "thought_first" if self.thinks else "action_alone"
        return _system(say_of_site("site_role"), *rules, to_prompt(self.specs), say_of_site(ending))

    def messages(
        self,
        goal: str,
        tabs: Sequence[OpenTab],
        steps: Sequence[tuple[int, PastStep]],
        news: SiteNews,
        page: Sequence[Text | Image],
    ) -> tuple[Message, ...]:
        """A whole request: the rules, and one turn as ``turn`` writes it."""
        return self.system(), self.turn(goal, tabs, steps, news, page)

    def turn(
        self,
        goal: str,
        tabs: Sequence[OpenTab],
        steps: Sequence[tuple[int, PastStep]],
        news: SiteNews,
        page: Sequence[Text | Image],
    ) -> Message:
        """One turn.

        Args:
            goal: Of the task.
            tabs: Those that are open.
            steps: Those that are told again, with their numbers.
            news: What is told in this turn alone.
            page: The page as it is shown.
        """
        text = [self.past(goal, tabs, steps)]
        if news.progress:
            text.append(news.progress)
        if news.result:
            text.append(say_of_site("last_result", result=news.result))
        if news.trouble:
            text.append(news.trouble)
        return as_message(text, page)

    def past(self, goal: str, tabs: Sequence[OpenTab], steps: Sequence[tuple[int, PastStep]]) -> str:
        """The goal, the tabs and the steps so far, as text; what each says is as in ``turn``."""
        open_ = "\n".join(map(str, tabs))
        return "\n\n".join((say_of_site("goal", goal=goal), say_of_site("open_tabs", tabs=open_), self._steps(steps)))

    def _steps(self, steps: Sequence[tuple[int, PastStep]]) -> str:
        if not steps:
            return say_of_site("no_steps")
        first = steps[0][0]
        lines = [say_of_site("forgotten_steps", count=first - 1)] if first > 1 else []
        for number, step in steps:
            if step.thought:
                lines.append(_indented("past_thought", thought=_on_one_line(step.thought)))
            element = f" [{step.element}]" if step.element else ""
            lines.append(
                say_of_site("past_step", number=number, action=step.action, element=element, outcome=step.outcome)
            )
            if step.progress:
                lines.append(_indented("past_progress", progress=_on_one_line(step.progress)))
        return say_of_site("past_steps", steps="\n".join(lines))

    def element_told(self, call: ActionCall, snapshot: Snapshot) -> str:
        """What the element of an action is called when the step is told again; empty if it has none."""
        number = element_number(call.args.get(ELEMENT, ""))
        return "" if number is None else element_words(snapshot, number)

    def grammar(self, refs: Sequence[int]) -> str | None:
        """What the reply is held to, of a model that is held to a grammar.

        Args:
            refs: The numbers that the page shows now.
        """
        return site_grammar(self.specs, refs, thought=self.thinks) if self.recipe.grammar else None

    # ---- what comes back ------------------------------------------------------------------------------------------

    def read(self, reply: Reply) -> ReadReply:
        """What a reply asks for; anything at all may stand in it, and none of it is executed."""
        if self.recipe.output == "tools":
            return ReadReply(read_reply(reply, self.specs, "tools"), reply.text.strip())
        if not self.thinks:
            return ReadReply(read_reply(reply, self.specs, "text"))
        thought, action = _parted(reply.text)
        if action is None:
            return ReadReply((ReplyItem(ActionError(reply.text, say_of_site("no_thought_line"))),))
        return ReadReply(read_reply(Reply(action), self.specs, "text"), thought)

    def complaints(self, reply: Reply, items: Sequence[ReplyItem]) -> str:
        """Why a reply was not acted on, in lines of text for the model."""
        return complaints(reply, items, self.recipe.output, self.recipe.max_output_tokens)


def _parted(text: str) -> tuple[str, str | None]:
    """The thought and the action of a reply; None for the action if no line begins one.

    What a model goes on to write behind its first action, such as what it thinks comes of it, is in neither.
    """
    marks = list(_MARK.finditer(text))
    place = next((place for place, mark in enumerate(marks) if mark[1] == "Action"), None)
    if place is None:
        return "", None
    end = marks[place + 1].start() if place + 1 < len(marks) else len(text)
    thought = _MARK.sub("", text[: marks[place].start()])
    return thought.strip(), text[marks[place].end() : end].strip()


def _system(*parts: str) -> Message:
    return Message("system", (Text("\n\n".join(parts)),))


def as_message(text: Sequence[str], page: Sequence[Text | Image]) -> Message:
    """A message of the user: pictures, and behind them all texts as one.

    Args:
        text: What stands before the page.
        page: The page as it is shown.
    """
    pictures = tuple(each for each in page if isinstance(each, Image))
    texts = [*text, *(each.text for each in page if isinstance(each, Text))]
    return Message("user", (*pictures, Text("\n\n".join(texts))))


def _indented(name: str, **values: object) -> str:
    return f"   {say_of_site(name, **values)}"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _needs(recipe: Recipe) -> Sequence[str]:
    """Numbers to act by."""
    if recipe.encoding in numbered() or recipe.screenshot.startswith("marks"):
        return ()
    return (f"numbers to act by: --encoding {' or '.join(numbered())}, or --screenshot marks",)


PROMPTS = PromptSet(
    SitePrompter,
    (SITE_WORDS, WORDS),
    retries=1,
    actions=("webcanvas", "page-tools", "all"),
    kind="site",
    protocols=(PROTOCOL,),
    encoding="axtree",
    needs=_needs,
)
"""The set ``site``; others for websites are this one with other words."""


def site_prompter_for(recipe: Recipe, specs: Mapping[str, ActionSpec]) -> SitePrompter:
    """What writes the messages of a recipe about websites.

    Args:
        recipe: How the model is asked, in a set that is for websites.
        specs: The action set of the run.
    """
    prompter = PROMPT_SETS[recipe.prompts].prompter(recipe, specs)
    assert isinstance(prompter, SitePrompter)  # noqa: S101 - a recipe that does not fit is refused before
    return prompter

"""The set of prompts ``autowebglm``: the order of AutoWebGLM's prompt (Lai et al. 2024, appendix D), in own words.

One message: the page, the functions, the commands before with the text of their elements, the tabs, how far the page is
scrolled, and the task.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from harness.actions.autowebglm import ELEMENT as LETTERS
from harness.actions.call import ActionCall
from harness.actions.grammar import to_gbnf
from harness.actions.signature import ActionSpec
from harness.episode.observation import element_number
from harness.episode.site_observation import OpenTab
from harness.kit.words import Words
from harness.models.messages import Image, Message, Reply, Text
from harness.observe import lettered
from harness.observe.encoding import letters
from harness.observe.snapshot import Snapshot
from harness.papers.autowebglm.encoding import segment
from harness.papers.wording.original_words import OriginalWords
from harness.records.config import ActionSetName
from harness.solvers.models.grammars import MOST_NUMBERS
from harness.solvers.models.prompt_sets import PromptSet
from harness.solvers.models.prompting import SITE_WORDS, WORDS
from harness.solvers.models.recipe import Recipe
from harness.solvers.models.replies import read_reply
from harness.solvers.models.site_prompter import PROTOCOL, SitePrompter
from harness.solvers.models.site_step import PastStep, ReadReply, SiteNews

NAME: ActionSetName = "autowebglm"
_WORDS = Words("harness.papers.autowebglm")
_ORIGINAL = OriginalWords(NAME, _WORDS)


class AutoWebGLMPrompter(SitePrompter):
    """Writes the message of one recipe in the order of AutoWebGLM's prompt.

    Attributes:
        words: In which words.
    """

    words: Words = _WORDS

    def framed(self, text: str) -> str:
        """The page's text between the tags of a page."""
        return self.words.say("autowebglm_page", text=text)

    def messages(
        self,
        goal: str,
        tabs: Sequence[OpenTab],
        steps: Sequence[tuple[int, PastStep]],
        news: SiteNews,
        page: Sequence[Text | Image],
    ) -> tuple[Message, ...]:
        """One message of the user, which holds everything."""
        request = self.words.say(
            "autowebglm_request",
            functions="\n\n".join(map(_stub, self.specs.values())),
            previous="\n".join(_past(step) for _, step in steps) or "None",
            tabs="\n".join(map(_tab, tabs)),
            position=news.position,
            task=goal,
        )
        texts = [each.text for each in page if isinstance(each, Text)]
        told = [each for each in (news.result, news.trouble) if each]
        pictures = tuple(each for each in page if isinstance(each, Image))
        return (Message("user", (*pictures, Text("\n\n".join([*texts, request, *told])))),)

    def element_told(self, call: ActionCall, snapshot: Snapshot) -> str:
        """The text of the element of a command, as the page showed it."""
        number = element_number(call.args.get(LETTERS, ""))
        return "" if number is None else segment(snapshot, number)

    def grammar(self, refs: Sequence[int]) -> str | None:
        """One command on what the page shows."""
        if not self.recipe.grammar:
            return None
        shown = tuple(map(letters, refs[:MOST_NUMBERS]))
        fit = [_narrowed(spec, shown) for spec in self.specs.values() if shown or not _has_element(spec)]
        return to_gbnf({spec.name: spec for spec in fit})

    def read(self, reply: Reply) -> ReadReply:
        """The commands of a reply; the first is done."""
        return ReadReply(read_reply(reply, self.specs, "text"))


class OriginalAutoWebGLMPrompter(AutoWebGLMPrompter):
    """The same in the paper's words, which a user took from its repository."""

    words = _ORIGINAL


def _stub(spec: ActionSpec) -> str:
    """A function as a stub in Python, as the paper tells of it."""
    arguments = "".join(f"\n       {each.name}: {each.doc}" for each in spec.parameters)
    told = f'"""\n    {spec.doc}\n\n    Args:{arguments}\n    """'
    return f"def {spec.signature} -> {'str' if spec.returns else 'None'}:\n    {told}"


def _past(step: PastStep) -> str:
    """A command before, with the text of its element; what came of it if it failed, and what the user answered."""
    element = f" #HTML Segment: {step.element}" if step.element else ""
    is_told = not step.outcome.startswith("ok: ") or step.action.startswith("user_input(")
    return f"{step.action}{element}{f' #{step.outcome}' if is_told else ''}"


def _tab(tab: OpenTab) -> str:
    return f"{tab.number + 1}. {tab.title}{' <-- current tab' if tab.shown else ''}"


def _has_element(spec: ActionSpec) -> bool:
    return any(each.name == LETTERS for each in spec.parameters)


def _narrowed(spec: ActionSpec, shown: tuple[str, ...]) -> ActionSpec:
    parameters = (replace(each, choices=shown) if each.name == LETTERS else each for each in spec.parameters)
    return replace(spec, parameters=tuple(parameters))


def _needs(recipe: Recipe) -> Sequence[str]:
    """An encoding with letters, by which its functions act."""
    return () if recipe.encoding in lettered() else (f"--encoding {' or '.join(lettered())}",)


PROMPTS = PromptSet(
    AutoWebGLMPrompter,
    (_WORDS, SITE_WORDS, WORDS),
    retries=1,
    actions=(NAME,),
    kind="site",
    protocols=(PROTOCOL,),
    outputs=("text",),
    encoding=NAME,
    needs=_needs,
)
ORIGINAL = replace(PROMPTS, prompter=OriginalAutoWebGLMPrompter, words=(_ORIGINAL, *PROMPTS.words))
"""The same in the words of the paper's repository."""

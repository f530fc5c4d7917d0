"""The set of prompts ``turkingbench``: what is sent, and in which order, as in the benchmark's public code.

Source: JHU-CLSP/turking-bench, ``src/evaluation/text.py``, ``vision.py`` and ``prompts.py``. The structure is theirs,
the sentences are ours; ``docs/notes/parity.md`` lists what differs. One message of instructions; then each
demonstration as a
request of the same form and its reply; then the request, which tells the input's name (not its kind) and the HTML. A
picture comes behind the text. Nothing frames the page, and no earlier request is in a later one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from harness.actions.call import ActionCall
from harness.actions.signature import ActionSpec
from harness.kit.words import Words
from harness.models.messages import Image, Message, Text
from harness.papers.wording.original_words import OriginalWords
from harness.solvers.models.prompt_sets import PromptSet
from harness.solvers.models.prompting import Prompter
from harness.solvers.models.recipe import Recipe

NAME = "turkingbench"
_WORDS = Words("harness.papers.turkingbench")
_ORIGINAL = OriginalWords(NAME, _WORDS)
COMMANDS = ("modify_text", "modify_checkbox", "modify_radio", "modify_select", "modify_range")
"""The commands, in the order in which the original tells them."""
PREFIX = "self.actions."
"""What each command of the original begins with."""
HTML_ENCODINGS = ("full", "relevant-5-10", "relevant")
"""What can stand behind ``HTML:``."""
PICTURES = ("none", "viewport")


class TurkingBenchPrompter(Prompter):
    """Writes the messages of one recipe as TurkingBench's models were sent them; for protocol ``field`` and text.

    Attributes:
        words: In which words.
    """

    words: Words = _WORDS

    def __init__(self, recipe: Recipe, known: Mapping[str, ActionSpec]) -> None:
        super().__init__(recipe, known)
        self.specs = {name: known[name] for name in COMMANDS}

    def framed(self, text: str) -> str:
        """The page's HTML as it is."""
        return text

    def legend(self, width: int, height: int, marks: Mapping[int, str | None]) -> str:  # noqa: ARG002 - as its base
        """Nothing: what the picture is stands in the instructions."""
        return ""

    def system(self, demonstrations: int) -> Message:  # noqa: ARG002 - they are not announced
        """The instructions, which the original has the assistant say."""
        name = "instructions" if self.recipe.screenshot == "none" else "instructions_with_picture"
        commands = "\n".join(f"{PREFIX}{spec.signature}" for spec in self.specs.values())
        return Message("assistant", (Text(self.words.say(name, commands=commands)),))

    def field_request(self, page: Sequence[Text | Image], field: str) -> Message:
        """The input's name and the HTML, and the picture behind them."""
        html = "".join(each.text for each in page if isinstance(each, Text))
        text = Text(self.words.say("field_request", field=field, page=html))
        return Message("user", (text, *(each for each in page if isinstance(each, Image))))

    def example_reply(self, calls: Sequence[ActionCall], number: int) -> list[Message]:  # noqa: ARG002 - as its base
        """The command of a demonstration."""
        return [Message("assistant", (Text("\n".join(f"{PREFIX}{_plain(call)}" for call in calls)),))]


class OriginalTurkingBenchPrompter(TurkingBenchPrompter):
    """The same in the paper's words, which a user took from its repository."""

    words = _ORIGINAL


def _plain(call: ActionCall) -> ActionCall:
    """The call with one text for its value, in which ``|`` parts boxes; as it is where a value holds that sign."""
    values = call.args["value"]
    if not isinstance(values, list) or any("|" in str(value) for value in values):
        return call
    return ActionCall(call.name, {**call.args, "value": "|".join(map(str, values))})


def _needs(recipe: Recipe) -> Sequence[str]:
    """A page as HTML, the pictures that its models were shown, and one try."""
    wanted = [
        (f"--encoding {' or '.join(HTML_ENCODINGS)}", recipe.encoding in HTML_ENCODINGS),
        (f"--screenshot {' or '.join(PICTURES)}", recipe.screenshot in PICTURES),
        ("--retries 0", recipe.retries == 0),
    ]
    return [flag for flag, is_so in wanted if not is_so]


# Its models wrote what they would: they are held to no grammar.
PROMPTS = PromptSet(
    TurkingBenchPrompter,
    (_WORDS,),
    retries=0,
    protocols=("field",),
    outputs=("text",),
    encoding="full",
    picture="viewport",
    has_fixed=True,
    has_grammar=False,
    needs=_needs,
)
ORIGINAL = replace(PROMPTS, prompter=OriginalTurkingBenchPrompter, words=(_ORIGINAL, _WORDS))
"""The same in the words of the paper's repository."""

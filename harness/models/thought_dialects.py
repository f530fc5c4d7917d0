"""How models write their thoughts into their text: the framings of chat templates, each with where it is described.

A framing is made of marks. A row of ``DIALECTS`` holds its marks as patterns; marks whose name says what they are,
such as ``<inner_thought>`` or ``<|reasoning_end|>``, are known by ``named`` and need no row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

MarkKind = Literal["thought", "end", "answer", "close"]
"""What begins at a mark: a thought, what comes after one, an answer, or nothing, since a message ends with it."""


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """A framing.

    Attributes:
        name: What it is called, as a preset names it.
        source: Where it is described; vllm and sglang are the servers' own readers of it.
        thought: What begins a thought.
        first: What begins one at the very beginning of a text, where the prompt has the rest of its mark.
        end: What ends it, with the answer behind it; empty if only an answer's mark or a message's end does.
        answer: What begins an answer.
        close: What ends a message, so that what stands behind it belongs to nothing until another mark begins.
        by_message: Whether each thought is a message of its own, which the end of a message ends.
        needs_start: Whether the end alone says nothing.
        prose: Whether the marks are words that anybody may write: they are sure where a preset or template names them.
        words: Words of prose by which a chat template names it; empty if none is known to.
    """

    name: str
    source: str
    thought: str = ""
    first: str = ""
    end: str = ""
    answer: str = ""
    close: str = ""
    by_message: bool = False
    needs_start: bool = False
    prose: bool = False
    words: str = ""


_HEADER = r"(?:[^<\n]{0,80}(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>)?"

DIALECTS: Sequence[Dialect] = (
    Dialect(
        name="harmony",
        source="openai/harmony, docs/format.md (gpt-oss)",
        thought=rf"<\|channel\|>\s{{0,8}}(?:analysis|commentary)\b{_HEADER}",
        answer=rf"<\|channel\|>\s{{0,8}}final\b{_HEADER}",
        close=r"<\|(?:return|call)\|>",
        by_message=True,
    ),
    Dialect(
        # A server that drops special tokens leaves the names of channels and roles, glued to what they frame.
        name="harmony without tokens",
        source="seen in replies of gpt-oss: https://github.com/oobabooga/textgen/issues/7374",
        first=r"\s{0,8}analysis(?=[A-Z\"'“*#\d]|[\s\S]*?assistant(?:final|commentary))",
        thought=r"assistant(?:analysis|commentary)(?:[ ]to=\S{1,80}(?:[ ]?json)?)?",
        answer=r"assistantfinal",
    ),
    Dialect(
        name="muse",
        source="vllm-project/vllm, vllm/reasoning/muse_glimmer_utils.py",
        thought=r"to=self<\|message\|>",
        answer=r"to=user<\|message\|>",
        close=r"<\|eom\|>",
        by_message=True,
    ),
    Dialect(
        name="cohere",
        source="vllm/reasoning/cohere_command_reasoning_parser.py; sglang/srt/parser/reasoning_parser.py, "
        "CohereCommand4Detector",
        thought=r"<\|START_THINKING\|>",
        end=r"<\|END_THINKING\|>",
        answer=r"<\|START_(?:RESPONSE|TEXT)\|>",
        close=r"<\|END_(?:RESPONSE|TEXT)\|>|<\|END_OF_TURN_TOKEN\|>",
    ),
    Dialect(
        name="gemma",
        source="ggml-org/llama.cpp, models/templates/gemma4.jinja; sglang/srt/parser/reasoning_parser.py, "
        "Gemma4Detector",
        thought=r"<\|channel>\s{0,8}(?:thought|thinking|analysis|commentary)\b",
        end=r"<channel\|>",
        answer=r"<\|channel>\s{0,8}(?:final|answer|response)\b",
        close=r"<turn\|>",
    ),
    Dialect(
        name="kimi",
        source="moonshotai/Kimi-VL-A3B-Thinking, model card; sglang/srt/parser/reasoning_parser.py, KimiDetector",
        thought=r"◁think▷",
        end=r"◁/think▷",
    ),
    Dialect(
        name="kimi k3",
        source="vllm/reasoning/kimi_k3_reasoning_parser.py; ggml-org/llama.cpp, models/templates/Kimi-K3.jinja",
        thought=r"<\|open\|>think<\|sep\|>",
        end=r"<\|close\|>think<\|sep\|>",
        answer=r"<\|open\|>(?:response|message)<\|sep\|>",
        close=r"<\|close\|>(?:response|message)<\|sep\|>|<\|end_of_msg\|>",
    ),
    Dialect(
        name="inkling",
        source="sglang/srt/parser/reasoning_parser.py, InklingDetector",
        thought=r"<\|content_thinking\|>",
        answer=r"<\|content_text\|>",
        close=r"<\|(?:message_model|end_message|content_model_end_sampling)\|>",
        by_message=True,
    ),
    Dialect(
        # The marks of Solar Open 2, <|think:start|> and <|think:end|>, are known by their names.
        name="solar",
        source="upstage/Solar-Open-100B, chat template; vllm, SolarOpenReasoningParser",
        thought=r"<\|think\|>",
        end=r"<\|/think\|>",
        answer=r"<\|content\|>",
        by_message=True,
    ),
    Dialect(
        name="apertus",
        source="vllm-project/vllm, vllm/reasoning/apertus_reasoning_parser.py",
        thought=r"<\|inner_prefix\|>",
        end=r"<\|inner_suffix\|>",
    ),
    Dialect(
        name="pangu",
        source="openPangu-Embedded, model card; vllm/reasoning/pangu_reasoning_parser.py",
        thought=r"\[unused16\]",
        end=r"\[unused17\]",
    ),
    Dialect(
        name="hyperclova",
        source="vllm/reasoning/hyperclovax_seed_think_14b_reasoning_parser.py",
        first=r"\s{0,8}/think(?:ing)?\n",
        thought=r"<\|im_start\|>assistant/think(?:ing)?\b",
        by_message=True,
    ),
    Dialect(
        name="sky",
        source="NovaSky-AI/SkyThought, skythought/skythought_evals/models/model_configs.yaml (system prompt)",
        thought=r"<\|begin_of_thought\|>",
        end=r"<\|end_of_thought\|>",
        answer=r"<\|begin_of_solution\|>",
        close=r"<\|end_of_solution\|>",
    ),
    Dialect(
        name="mistral",
        source="mistralai/Magistral-Small, chat template; vllm/reasoning/mistral_reasoning_parser.py",
        thought=r"\[THINK\]",
        end=r"\[/THINK\]",
    ),
    Dialect(
        name="open webui",
        source="open-webui/open-webui, backend/open_webui/utils/middleware.py (how thoughts are put into messages)",
        thought=r"<details\s[^<>\n]{0,80}type=[\"']?reasoning[\"']?[^<>\n]{0,200}>",
        end=r"</details>",
        needs_start=True,
    ),
    Dialect(
        name="roles",
        source="chat templates of ChatML, Llama 3, DeepSeek, GLM and harmony: whose message begins, and where it ends",
        answer=r"<\|begin_of_(?:text|box)\|>|<[|｜]begin[▁_]of[▁_]sentence[|｜]>"
        r"|<\|(?:im_start|start|begin)\|>\s{0,8}assistant\b|<[|｜](?:assistant|Assistant)[|｜]>|<\|message\|>"
        r"|<\|start_header_id\|>assistant<\|end_header_id\|>|<\|turn>\s{0,8}model\b",
        close=r"<\|(?:im_start|start|begin)\|>\s{0,8}(?:user|system|developer|tool)\b[^<\n]{0,80}"
        r"|<[|｜](?:user|User|system|observation)[|｜]>|<\|start_header_id\|>\w{1,20}<\|end_header_id\|>"
        r"|<\|(?:end|im_end|eot|eot_id|eom_id|eos|eot_token|endoftext|endofturn|end_of_text|end_of_turn|im_sep)\|>"
        r"|<\|end_of_box\|>|<[|｜]end[▁_]of[▁_]sentence[|｜]>|<end_of_turn>",
    ),
    Dialect(
        name="granite",
        source="ibm-granite/granite-3.2-8b-instruct, chat template; vllm/reasoning/granite_reasoning_parser.py",
        thought=r"^[ \t*#]{0,8}Here(?:'s|’s|[ ]is)[ ]my[ ]thought[ ]process:?[*]{0,2}",
        answer=r"^[ \t*#]{0,8}Here(?:'s|’s|[ ]is)[ ]my[ ]response:?[*]{0,2}",
        prose=True,
        words="Here is my thought process:",
    ),
    Dialect(
        name="huatuo",
        source="FreedomIntelligence/HuatuoGPT-o1-8B, model card: `## Thinking` and `## Final Response`",
        thought=r"^#{1,4}[ ]Thinking[ \t]*:?[ \t]*$",
        answer=r"^#{1,4}[ ]Final[ ]Response[ \t]*:?[ \t]*$",
        prose=True,
        words="## Final Response",
    ),
    Dialect(
        name="ollama",
        source="ollama/ollama, cmd/cmd.go, thinkingOutputOpeningText (what `ollama run` prints)",
        thought=r"^Thinking\.\.\.[ \t]*$",
        answer=r"^\.\.\.done[ ]thinking\.?[ \t]*$",
        prose=True,
    ),
)
"""Those whose marks do not tell by their name what they are; the first that fits a mark counts."""

PROSE = tuple(each.name for each in DIALECTS if each.prose)
"""The names that a preset may give."""


def prose_of(template: str) -> tuple[str, ...]:
    """The framings by words that a model's chat template names."""
    return tuple(each.name for each in DIALECTS if each.words and each.words in template)


_TAG_NAME = r"[/]?[A-Za-z_][\w.:-]{0,60}"
_BRACKETS = "◁▷⟨⟩〈〉《》«»‹›⟦⟧【】「」『』"
GENERIC = "|".join(
    (
        rf"<{_TAG_NAME}(?:\s[^<>\n]{{0,200}})?/?>",
        rf"&lt;{_TAG_NAME}&gt;",
        r"</?[|｜][^<>|｜\n]{1,60}[|｜]>|<[|｜][\w/.: -]{1,60}>|<[\w/.: -]{1,60}[|｜]>",
        rf"[{_BRACKETS[::2]}]/?[\w:_ -]{{2,40}}[{_BRACKETS[1::2]}]",
        r"\[/?[A-Za-z_]{2,40}\]",
    )
)
"""Anything that may be a mark by its form; ``named`` says of what."""

_THOUGHTS = frozenset(
    {"think", "thinking", "thinks", "thought", "thoughts", "rethink", "reason", "reasons", "reasoning", "cot"}
    | {"reflect", "reflecting", "reflection", "reflections", "ponder", "pondering", "deliberate", "deliberation"}
    | {"contemplation", "contemplator", "introspection"}
    | {"思考", "思维", "推理", "思考过程", "思索", "생각", "思い", "мысли", "размышление"}
)
_NOTES = frozenset(
    {"analysis", "scratchpad", "scratch", "rationale", "planning", "plan", "monologue", "inner", "internal"}
    | {"brainstorm", "brainstorming", "musing", "musings", "considerations", "hypothesis"}
)
"""Names of tags that are thoughts where they are closed, and may be headings where they are not."""
_ENDS_IN = ("think", "thinking", "thought", "thoughts", "reasoning", "reflection")
_BEGIN = frozenset({"start", "begin", "open", "prefix"})
_END = frozenset({"end", "stop", "close", "closed", "finish", "done", "over", "suffix"})
_ANSWERS = frozenset(["answer", "response", "final", "solution", "output", "reply", "result", "text", "content"])
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")
_EDGE = re.compile(r"^(start|begin|open|end|close|stop)(?=[a-z]{4})|(?<=[a-z]{4})(start|begin|open|end|close|stop)$")
_NO_THOUGHT = re.compile(r"thinkers?$|thinkpad|unthink")
_PLACES = re.compile(r"<\|(?:box|point|quad|object_ref)_(?:start|end)\|>")
"""Tokens of Qwen-VL's vocabulary around a place in a picture, which models for computers write in their calls."""


@dataclass(frozen=True)
class NamedMark:
    """A mark that no row knows, as far as its form and its name tell.

    Attributes:
        kind: What begins at it; empty if that is not known.
        family: Which marks end what it begins: those of the same form.
        core: Its name without what says whether it opens or closes.
        closes: Whether it closes.
        needs_end: Whether it is a thought's only if it is closed.
    """

    kind: MarkKind | Literal[""]
    family: str
    core: str
    closes: bool
    needs_end: bool = False


@lru_cache(maxsize=4096)
def named(mark: str) -> NamedMark | None:
    """What a mark is by its name; None if it is no mark at all, such as a tag of HTML."""
    text = mark.replace("&lt;", "<").replace("&gt;", ">")
    if _PLACES.fullmatch(text):
        return None
    piped = "|" in text or "｜" in text
    inner = text[1:-1].strip("|｜").replace("/|", "/").replace("/｜", "/")
    name = inner.split(maxsplit=1)[0].rstrip("/") if text[0] == "<" and not piped else inner
    slash = "/" in inner[:1] or (piped and text[1] not in "|｜")
    words = [word.lower() for word in _WORD.findall(_EDGE.sub(r" \1\2 ", name.strip("/ ")))]
    core = " ".join(word for word in words if word not in _BEGIN | _END | {"of"})
    closes = slash or bool(_END & set(words))
    told = set(words)
    family = "token" if piped else text[0]
    is_thought = bool(told & _THOUGHTS) or any(word.endswith(_ENDS_IN) for word in words)
    if not piped and text[0] == "<" and inner.endswith("/") and is_thought:
        return None  # <think/> holds nothing
    if is_thought:
        header = text[0] == "[" and not mark.isupper()  # [Reasoning] may be a heading
        return NamedMark("end" if closes else "thought", family, core, closes, header)
    if told & _NOTES and (piped or text[0] != "["):
        return NamedMark("end" if closes else "thought", family, core, closes, needs_end=not piped)
    if piped:
        if told & _ANSWERS and "tool" not in told:
            return NamedMark("close" if closes else "answer", family, core, closes)
        return NamedMark("", family, core or name, closes)
    if "think" in name.lower() and not _NO_THOUGHT.search(name.lower()):
        return NamedMark("", family, core, closes)
    return None

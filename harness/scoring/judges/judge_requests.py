"""What judges of trajectories are asked: requests to a model, as pure functions of a trajectory.

The words are ours, in ``prompts/trajectories``; their structure, and what each judge is given, is
published: WebJudge in appendix B of Xue et al. 2025 (arXiv:2504.01382), its rivals in Pan et al. 2024, Xu et al. 2025
and He et al. 2024, and in Table 1 of the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from harness.kit.files.installation import hash_of_code
from harness.kit.text import counted
from harness.kit.words import Words, hash_of_words
from harness.models.messages import Image, Message, Request, Text
from harness.scoring.judges.failure_kinds import MEANINGS
from harness.scoring.judges.judgements import JudgedTrajectory
from harness.scoring.judges.result_folders import picture_suffix

JUDGE_WORDS = Words("harness.scoring.judges", "prompts/trajectories")
"""Ours."""
# Of the question that is asked after a verdict: apart, so that verdicts stand when its words change.
_KIND_WORDS = Words("harness.scoring.judges", "prompts/failure_kinds")
_VERDICT_ALONE = "verdict_request_without_pictures"
"""Where a paper asks WebJudge's last question in another way if no picture was kept."""
LONGEST_JUDGE_REPLY = 4096
"""Tokens."""
_MEDIA_TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".webp": "image/webp"}
_NONE = "(none)"
_STATUS = r'root ::= "Thoughts: " [^\n]{1,200} "\nStatus: " ("success" | "failure")'
_FORMS: Mapping[str, str] = {
    "points": 'root ::= "**Key Points**:" point{1,6}\n' r'point ::= "\n" [1-9] ". " [^\n]{1,100}',
    "picture": r'root ::= "**Reasoning**: " [^\n]{1,200} "\n**Score**: " [1-5]',
    "verdict": _STATUS,
    "last_page": _STATUS,
    "thoughts": _STATUS,
    "kind": r'root ::= "Thoughts: " [^\n]{1,200} "\nKind: " (' + " | ".join(f'"{kind}"' for kind in MEANINGS) + ")",
    "answer": r'root ::= [^\n]{1,200} "\n" ("SUCCESS" | "NOT SUCCESS")',
}
"""The form that each reply is asked for, as a GBNF grammar; bounded, since a small model comes to no end."""


def judge_prompts_hash(words: Words = JUDGE_WORDS) -> str:
    """SHA-256 over the words of all judges: equal hashes mean equal words.

    Args:
        words: Ours, or those of a paper.
    """
    if words is not JUDGE_WORDS:
        return hash_of_words(words.folder)
    return hash_of_code([("scoring/judges/prompts/trajectories", "*.md")])


def kind_prompts_hash() -> str:
    """SHA-256 over the words of the question for the kind of a failure."""
    return hash_of_code([("scoring/judges/prompts/failure_kinds", "*.md")])


def key_points_request(model: str, trajectory: JudgedTrajectory, words: Words = JUDGE_WORDS) -> Request:
    """WebJudge's first question: the key points of the task.

    Args:
        model: The provider's name of the model.
        trajectory: What is judged.
        words: In which words.
    """
    return _request(words, model, "points", [], task=trajectory.task)


def picture_request(
    model: str, trajectory: JudgedTrajectory, points: Sequence[str], name: str, words: Words = JUDGE_WORDS
) -> Request:
    """WebJudge's question about one picture: how much it tells.

    Args:
        model: The provider's name of the model.
        trajectory: What is judged.
        points: The key points.
        name: The picture.
        words: In which words.

    Raises:
        OSError: the picture cannot be read, or is none.
    """
    return _request(words, model, "picture", [_image(trajectory, name)], task=trajectory.task, points=_numbered(points))


def verdict_request(
    model: str,
    trajectory: JudgedTrajectory,
    points: Sequence[str],
    kept: Sequence[tuple[str, str]],
    words: Words = JUDGE_WORDS,
) -> Request:
    """WebJudge's last question: whether the task was done.

    Args:
        model: The provider's name of the model.
        trajectory: What is judged.
        points: The key points.
        kept: The pictures that were kept, in their order, each with what was noted about it.
        words: In which words.

    Raises:
        OSError: a picture cannot be read, or is none.
    """
    alone = not kept and words.has(_VERDICT_ALONE)
    return _request(
        words,
        model,
        "verdict",
        [_image(trajectory, name) for name, _ in kept],
        task=trajectory.task,
        points=_numbered(points),
        actions=_numbered(trajectory.actions),
        notes=_numbered(note for _, note in kept),
        asked_as=_VERDICT_ALONE if alone else "",
    )


def autonomous_request(model: str, trajectory: JudgedTrajectory, words: Words = JUDGE_WORDS) -> Request:
    """The one question of autonomous evaluation: actions and the last picture.

    Raises:
        OSError: the picture cannot be read, or is none.
    """
    actions = _numbered(trajectory.actions)
    return _request(words, model, "last_page", _last(trajectory), task=trajectory.task, actions=actions)


def agenttrek_request(model: str, trajectory: JudgedTrajectory, words: Words = JUDGE_WORDS) -> Request:
    """The one question of AgentTrek: actions with thoughts, and the last picture.

    Raises:
        OSError: the picture cannot be read, or is none.
    """
    steps = [
        f"Thought: {thought or _NONE}\nAction: {action or _NONE}"
        for thought, action in zip_longest(trajectory.thoughts, trajectory.actions)
    ]
    return _request(words, model, "thoughts", _last(trajectory), task=trajectory.task, steps=_numbered(steps))


def webvoyager_request(model: str, trajectory: JudgedTrajectory, words: Words = JUDGE_WORDS) -> Request:
    """The one question of WebVoyager: all pictures, and the final answer.

    Raises:
        OSError: a picture cannot be read, or is none.
    """
    pictures = [_image(trajectory, name) for name in trajectory.pictures]
    numbers = {"number": str(len(pictures)), "pictures": counted(len(pictures), "picture")}
    answer = trajectory.answer or _NONE
    return _request(words, model, "answer", pictures, task=trajectory.task, answer=answer, **numbers)


def failure_kind_request(asked: Request, verdict: str) -> Request:
    """The question that follows a verdict of failure: of which kind it is.

    Args:
        asked: The question that was answered with the verdict; what it shows is shown again.
        verdict: The reply to it.
    """
    said = Text("\n\n" + _KIND_WORDS.say("kind_request", verdict=verdict))
    user = Message("user", (*asked.messages[-1].parts, said))
    return replace(asked, messages=(Message("system", (Text(_role("kind")),)), user))


def held_to_form(request: Request) -> Request:
    """A question as a model in the process is asked it: it can write nothing but the form that it is asked for.

    Args:
        request: One of the questions above; one that is not in our words is left as it is.
    """
    form = next((form for name, form in _FORMS.items() if request.messages[0].text == _role(name)), None)
    return replace(request, grammar=form)


def without_pictures(request: Request) -> Request:
    """A question as a model is asked it that takes no pictures: it is told that they are left out.

    Args:
        request: One of the questions above.
    """
    return replace(request, messages=tuple(_without_pictures(message) for message in request.messages))


def _without_pictures(message: Message) -> Message:
    texts = tuple(part for part in message.parts if not isinstance(part, Image))
    if len(texts) == len(message.parts):
        return message
    return Message(message.role, (*texts, Text("\n\n" + JUDGE_WORDS.say("no_pictures"))))


def _request(
    words: Words, model: str, name: str, images: Sequence[Image], asked_as: str = "", **values: str
) -> Request:
    said = words.say(asked_as or f"{name}_request", **values)
    messages = (Message("system", (Text(_role(name, words)),)), Message("user", (Text(said), *images)))
    return Request(model, messages, max_tokens=LONGEST_JUDGE_REPLY)


def _role(name: str, words: Words = JUDGE_WORDS) -> str:
    trust = JUDGE_WORDS.say("trust")
    if name == "kind":
        kinds = "\n".join(f"{kind}: {meaning};" for kind, meaning in MEANINGS.items())
        return _KIND_WORDS.say("kind_role", trust=trust, kinds=kinds)
    return words.say(f"{name}_role", trust=trust)


def _last(trajectory: JudgedTrajectory) -> list[Image]:
    return [_image(trajectory, name) for name in trajectory.pictures[-1:]]


def _image(trajectory: JudgedTrajectory, name: str) -> Image:
    data = trajectory.picture(name)
    suffix = picture_suffix(data)
    if suffix is None:
        raise OSError(f"{name} is no picture")
    return Image(data, _MEDIA_TYPES[suffix])


def _numbered(lines: Iterable[str]) -> str:
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1)) or _NONE

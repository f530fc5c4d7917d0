"""From a provider's name to a client; a provider's library is imported only when that provider is asked for."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from urllib.parse import urlsplit

from harness.kit.registry import Registry, registry
from harness.models.client import Client, MissingExtra, RequestRefused
from harness.models.keys import OTHER_KEY, key, optional_key
from harness.models.providers.surroundings import host_of


@dataclass(frozen=True)
class Provider:
    """How a provider is reached.

    Attributes:
        client: Dotted path of the class of its client.
        package: The provider's library, as pip names it.
        imports: Names of what the client imports beyond what every command needs.
        extra: The extra that has it.
        key_name: The environment variable of its key; None if it has none.
        address: Of its own server; empty if it has none.
        vendor: The provider with whose name its prices, its ends of models and its counts of tokens are kept, where
            it is the same by another protocol; empty where that is its own.
        tells_likelihoods: Whether it is asked how likely the tokens of a reply were.
    """

    client: str
    package: str
    imports: tuple[str, ...]
    extra: str
    key_name: str | None
    address: str = ""
    vendor: str = ""
    tells_likelihoods: bool = False


OPENAI = Provider(
    "harness.models.providers.openai_client:OpenAIClient",
    "openai",
    ("openai", "httpx2"),
    "openai",
    "OPENAI_API_KEY",
    "https://api.openai.com/v1",
    tells_likelihoods=True,
)
OPENAI_RESPONSES = replace(
    OPENAI,
    client="harness.models.providers.responses_client:ResponsesClient",
    vendor="openai",
    tells_likelihoods=False,
)
ANTHROPIC = Provider(
    "harness.models.providers.anthropic_client:AnthropicClient",
    "anthropic",
    ("anthropic", "httpx2"),
    "anthropic",
    "ANTHROPIC_API_KEY",
    "https://api.anthropic.com",
)
GOOGLE = Provider(
    "harness.models.providers.google_client:GoogleClient",
    "google-genai",
    ("google.genai", "httpx2"),
    "google",
    "GEMINI_API_KEY",
    "https://generativelanguage.googleapis.com",
)
LOCAL = Provider(
    "harness.models.providers.local:LocalClient",
    "xllamacpp",
    ("xllamacpp",),
    "local",
    key_name=None,
    tells_likelihoods=True,
)

PROVIDERS: Registry[Provider] = registry("providers")

HOSTS = {
    "api.openai.com": "OPENAI_API_KEY",
    "openrouter.ai": "OPENROUTER_API_KEY",
    "api.anthropic.com": "ANTHROPIC_API_KEY",
    "generativelanguage.googleapis.com": "GEMINI_API_KEY",
    "api.mistral.ai": "MISTRAL_API_KEY",
    "api.deepseek.com": "DEEPSEEK_API_KEY",
    "api.groq.com": "GROQ_API_KEY",
    "api.together.xyz": "TOGETHER_API_KEY",
    "api.x.ai": "XAI_API_KEY",
}
"""Environment variables of the keys of well-known servers."""


def vendor_of(provider: str) -> str:
    """With whose name a provider's prices and counts of tokens are kept."""
    return (PROVIDERS[provider].vendor if provider in PROVIDERS else "") or provider


def make_client(provider: str, *, base_url: str | None = None, api_key_env: str | None = None) -> Client:
    """A client for a provider; nothing is sent yet.

    A key is sent only to the server that it is for: with a base URL, the key is the one of ``HOSTS``, or else that in
    ``MODEL_API_KEY``, which need not be set.

    Args:
        provider: A name of ``PROVIDERS``.
        base_url: Address of another server that speaks the provider's protocol, without name, password or query.
        api_key_env: The environment variable that holds the key, instead of the usual one.

    Returns:
        The client.

    Raises:
        RequestRefused: If the provider is unknown, its key is not set, or the base URL is none.
        MissingExtra: If the provider's library is not installed.
    """
    if provider not in PROVIDERS:
        raise RequestRefused(f"no provider is named {provider!r}: choose one of {', '.join(PROVIDERS)}")
    known = PROVIDERS[provider]
    if known.key_name is None:
        if base_url is not None or api_key_env is not None:
            raise RequestRefused(
                f"the provider {provider} runs the model in this process: it has no address and no key"
            )
        return _class(known)()
    if base_url is not None:
        check_address(base_url)
    name, value = _key(known.key_name, base_url, api_key_env)
    made = _class(known)
    where = {} if base_url is None else {"base_url": base_url.rstrip("/")}
    return made(**where, key=value, key_name=name if value is not None else "")


def check_client(provider: str, *, base_url: str | None = None, api_key_env: str | None = None) -> None:
    """See that a client can be made and has its key, without importing the provider's library.

    Args:
        provider: A name of ``PROVIDERS``.
        base_url: As for ``make_client``.
        api_key_env: As for ``make_client``.

    Raises:
        NoAccess: If its key is not set.
        MissingExtra: If the provider's library is not installed.
    """
    known = PROVIDERS[provider]
    if not all(map(_is_installed, known.imports)):
        raise MissingExtra(known.package, known.extra)
    if known.key_name is not None:
        _key(known.key_name, base_url, api_key_env)


def load_library(provider: str) -> None:
    """Import what calls of a provider's models need, for processes that are forked from this one.

    Nothing where it is not installed, which is told to whoever asks a model, nor where the model runs in the process,
    since such a library may start threads.

    Args:
        provider: A name of ``PROVIDERS``.
    """
    known = PROVIDERS[provider]
    if known.key_name is not None:
        with suppress(MissingExtra):
            _class(known)


def check_address(base_url: str) -> None:
    """See that a base URL can be used, and holds nothing secret: it stands in run directories and in messages.

    Args:
        base_url: What was given as ``--base-url``.

    Raises:
        RequestRefused: If it is no address of HTTP, or holds a name, a password, a query or a fragment.
    """
    if set(base_url) & set("@?#"):
        raise RequestRefused(
            "--base-url must not hold a name, a password or a query: keys go into an environment variable"
        )
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise RequestRefused(f"--base-url {base_url!r} is not an address such as http://127.0.0.1:8000/v1")
    if parts.scheme == "http" and host_of(base_url) in HOSTS:
        raise RequestRefused(
            f"--base-url {base_url!r} would send the key of {host_of(base_url)} through the network in the open: "
            "write https://"
        )


def _key(usual: str, base_url: str | None, api_key_env: str | None) -> tuple[str, str | None]:
    if api_key_env is not None:
        return api_key_env, key(api_key_env)
    if base_url is None:
        return usual, key(usual)
    host = host_of(base_url)
    if host in HOSTS:
        return HOSTS[host], key(HOSTS[host])
    return OTHER_KEY, optional_key(OTHER_KEY)


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # what it would be in
        return False


def _class(provider: Provider) -> Callable[..., Client]:
    module, _, name = provider.client.partition(":")
    try:
        made: Callable[..., Client] = getattr(import_module(module), name)
    except ImportError as error:
        if (error.name or "").partition(".")[0] in {each.partition(".")[0] for each in provider.imports}:
            raise MissingExtra(provider.package, provider.extra) from None
        raise
    return made

"""Named models with all that decides how they are asked: ``presets.toml``."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from decimal import Decimal
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from harness.kit.errors import UserError
from harness.kit.options import given, view
from harness.kit.text import did_you_mean
from harness.models.asking_options import OUTPUTS, PROMPTS, PROTOCOLS, PresetChange
from harness.models.call_options import ModelChoice
from harness.models.client import ModelRetired, RequestRefused, Retirement, today
from harness.models.cost import Price
from harness.models.providers.provider_table import PROVIDERS, check_address, vendor_of
from harness.models.providers.surroundings import proxy_of
from harness.models.thought_dialects import PROSE

FILE = files(__package__) / "presets.toml"

MOST_INPUT_TOKENS = 100_000
"""Of one request, where neither the preset nor its user says so: room for several pages of the benchmark, whose whole
HTML is 14,000 to 17,000 on average, and not above the lengths from which providers charge more."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "modality": ("text", "vision"),
    "screenshot": ("none", "viewport", "full", "element", "marks"),
    "protocol": PROTOCOLS,
    "output": OUTPUTS,
    "prompts": PROMPTS,
    "thoughts": ("", *PROSE),
}

_SNAPSHOT = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8})$")
"""What a dated version adds to the name of a model."""


class UnknownPreset(UserError):
    """No preset of that name; the message lists the known ones."""


class WrongPreset(UserError):
    """A preset that cannot be meant so; the message says what would do."""


@dataclass(frozen=True)
class Preset:
    """A model, and how it is asked.

    Attributes:
        name: The preset's name.
        provider: A name of ``harness.models.providers.provider_table.PROVIDERS``.
        model: The provider's name of the model.
        modality: ``text`` or ``vision``: whether it is shown pictures.
        encoding: How it is shown the page's text, a name of ``harness.observe.ENCODINGS``.
        screenshot: Which pictures it is shown: ``none``, ``viewport``, ``full``, ``element`` or ``marks``.
        protocol: ``field``, ``form`` or ``site``.
        output: ``text``, ``tools`` or ``computer``.
        demos: Demonstrations.
        max_input_tokens: Of one request.
        max_output_tokens: Of one reply, hidden reasoning included.
        temperature: Of the sampling; None leaves it to the provider.
        likelihoods: Whether to ask how likely each token of a reply was; None is no.
        context: Tokens of request and reply together that the model can hold; None if not known.
        pictures: Whether the model takes pictures; None if not known.
        price: None if not known.
        base_url: The server, where it is not the provider's own.
        api_key_env: The environment variable of the key, where it is not the provider's usual one.
        retirement: When its provider shuts the model down, or did; None if that is not announced, or not known.
        note: A remark.
        prompts: The set of prompts, a name of ``CHOICES``.
        thoughts: The words by which the model is known to frame its thoughts in its text
            (``harness.models.thought_dialects.PROSE``); empty if there are none.
        stands_in_for: The end of the preset's own model, where that is gone and its provider's recommendation is asked
            in its place; else None.
        dialect: How the model uses a computer (docs/how-to/computer-use.md), where its name does not say so; else None.
    """

    name: str
    provider: str
    model: str
    modality: str
    encoding: str
    screenshot: str
    protocol: str
    output: str
    demos: int
    max_input_tokens: int
    max_output_tokens: int
    temperature: float | None = None
    likelihoods: bool | None = None
    context: int | None = None
    pictures: bool | None = None
    price: Price | None = None
    base_url: str | None = None
    api_key_env: str | None = None
    retirement: Retirement | None = None
    note: str = ""
    prompts: str = "harness"
    thoughts: str = ""
    stands_in_for: Retirement | None = None
    dialect: str | None = None

    def __post_init__(self) -> None:
        for key, values in CHOICES.items():
            if getattr(self, key) not in values:
                raise WrongPreset(f"{self.name}: {key} {getattr(self, key)!r} is none of {', '.join(values)}")
        if self.demos < 0 or self.max_input_tokens < 1 or self.max_output_tokens < 1:
            raise WrongPreset(f"{self.name}: demonstrations cannot be negative, and tokens must be 1 at least")
        if (self.modality == "vision") != (self.screenshot != "none"):
            raise WrongPreset(f"{self.name}: modality {self.modality} does not go with screenshot {self.screenshot!r}")
        if self.modality == "vision" and self.pictures is False:
            raise WrongPreset(f"{self.name}: {self.model} takes no pictures; use --no-vision or another --model")
        if self.modality == "text" and self.encoding == "none":
            raise WrongPreset(f"{self.name}: without text and pictures a model sees nothing; choose an --encoding")
        if self.context is not None and self.max_input_tokens + self.max_output_tokens > self.context:
            raise WrongPreset(
                f"{self.name}: --max-input-tokens {self.max_input_tokens} and --max-output-tokens "
                f"{self.max_output_tokens} are more than the {self.context} tokens that {self.model} holds"
            )

    def news(self, day: date, *, agreed: bool) -> str:
        """What its user should know before the first call.

        With an address of its own, whoever serves there decides which models there are, and nothing is said.

        Args:
            day: Today.
            agreed: Whether the model is to be asked although it is gone.

        Returns:
            A sentence; empty if there is nothing to say.

        Raises:
            ModelRetired: its provider has shut the model down, and nobody agreed to ask it all the same.
        """
        if self.base_url is not None:
            return ""
        said = []
        if self.stands_in_for:
            said.append(f"{self.name}: {self.stands_in_for.words(day)}, so {self.model} answers")
        if self.retirement and (words := self.retirement.words(day)):
            if self.retirement.is_over(day) and not agreed:
                raise ModelRetired(
                    f"{words}: {self.retirement.instead} takes its place today; name that or another model, or give "
                    "--retired-anyway to ask for this one all the same"
                )
            said.append(words)
        return "; ".join(said)


_CHANGEABLE = frozenset(each.name for each in fields(Preset)) - {"screenshot"}
"""The attributes that an option of the same name changes; which picture is shown, whoever asks decides."""


def presets() -> Mapping[str, Preset]:
    """All presets by name, in the file's order, with the prices of today.

    Raises:
        WrongPreset: If the file cannot be read.
    """
    return _presets(today())


def resolve(name: str, options: ModelChoice | Mapping[str, Any]) -> Preset:
    """A preset with what its user wants otherwise.

    Args:
        name: Of the preset.
        options: Of the run, as a record or by name. Those of ``PresetChange`` that are given count; a solver has others
            besides.

    Returns:
        The preset. A model that its provider has shut down gives way to the one that it recommends, unless a model, a
        server or ``retired_anyway`` is given. With another model, price and context are that model's, where they are
        known. What another server charges is not known.

    Raises:
        UnknownPreset: There is none of that name.
        WrongPreset: They cannot be meant so.
    """
    known = presets()
    if name not in known:
        raise UnknownPreset(f"there is no preset {name!r}.{did_you_mean(name, known)} Known: {', '.join(known)}")
    chosen = view(PresetChange, options)
    wanted = {key: value for key, value in given(chosen).items() if key in _CHANGEABLE}
    if chosen.base_url is not None:
        try:
            check_address(chosen.base_url)
        except RequestRefused as error:
            raise WrongPreset(str(error)) from None
    vision = chosen.vision
    preset = known[name]
    changes: dict[str, Any] = {}
    if gone := _gone(preset, wanted):
        if not chosen.retired_anyway:
            wanted.setdefault("model", gone.instead)
        if wanted.get("model") == gone.instead:
            changes["stands_in_for"] = gone
    if wanted.get("model", preset.model) != preset.model:
        changes |= _other_model(preset, wanted["model"], known.values())
    if vision is not None:
        kept = "viewport" if preset.screenshot == "none" else preset.screenshot
        changes |= {"modality": "vision", "screenshot": kept} if vision else {"modality": "text", "screenshot": "none"}
    if not _is_its_own_server(preset, chosen.base_url):
        changes["price"] = None
    changed = {**changes, **wanted}
    context = changed.get("context", preset.context)
    if (
        context is not None
        and "max_input_tokens" not in wanted
        and ("model" in changed or "max_output_tokens" in wanted)
    ):
        room = context - changed.get("max_output_tokens", preset.max_output_tokens)
        changed["max_input_tokens"] = max(min(preset.max_input_tokens, room), 1)
    return replace(preset, **changed)


def proxy_told(preset: Preset) -> dict[str, str]:
    """The proxy on the way to a model's server, for ``run.json``: ``proxy`` and its address; empty if there is none."""
    address = preset.base_url or PROVIDERS[preset.provider].address
    proxy = proxy_of(address) if address else ""
    return {"proxy": proxy} if proxy else {}


def price_of(provider: str, model: str, on: date | None = None) -> Price | None:
    """The price of a model by ``presets.toml``.

    Args:
        provider: As in ``Preset``.
        model: As in ``Preset``; a dated version has the price of its model, unless it has one of its own.
        on: The day; None for today.

    Returns:
        The price; None if it is not known.
    """
    found = _of_model("price", provider, model)
    if found is None:
        return None
    on = on or today()
    periods = [dict(each) for each in (found if isinstance(found, list) else [found])]
    begun = [each for each in periods if each.pop("since", date.min) <= on]
    return Price.from_record(begun[-1]) if begun else None


def retirement_of(provider: str, model: str) -> Retirement | None:
    """What is announced of the end of a model, by ``presets.toml``.

    Args:
        provider: As in ``Preset``.
        model: As in ``Preset``; a dated version ends with its model, unless it has a day of its own.

    Returns:
        The retirement; None if none is known.
    """
    found = _of_model("retirement", provider, model)
    return None if found is None else Retirement(model, **found)


def list_table(names: Iterable[str] | None = None, remarks: Mapping[str, str] | None = None) -> str:
    """Presets as a table for people, each with the model that it asks today.

    Args:
        names: Which; None for all.
        remarks: Name of a preset -> what else is to stand at the end of its line.

    Returns:
        Lines of text.
    """
    known = presets()
    head = ("PRESET", "MODEL", "SEES", "ENCODING", "PROTOCOL", "OUTPUT", "DEMOS", "$ PER MILLION TOKENS", "")
    said = remarks or {}
    rows = [head, *(_row(resolve(name, {}), said.get(name, "")) for name in (known if names is None else names))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def _row(preset: Preset, remark: str) -> tuple[str, ...]:
    pictures = preset.screenshot if preset.encoding == "none" else f"{preset.screenshot} + text"
    sees = "text" if preset.modality == "text" else pictures
    if preset.price is None:
        price = "unknown"
    elif preset.price.free:
        price = "free"
    else:
        rates = preset.price.rates
        price = f"{rates.input.normalize():f} in, {rates.output.normalize():f} out"
    ends = "" if preset.retirement is None else f"until {preset.retirement.on}"
    if preset.stands_in_for:
        ends = f"its own retired {preset.stands_in_for.on}"
    shape = (preset.encoding, preset.protocol, preset.output, str(preset.demos))
    last = "; ".join(filter(None, (ends, remark)))
    return preset.name, f"{preset.provider}: {preset.model}", sees, *shape, price, last


def _gone(preset: Preset, wanted: Mapping[str, Any]) -> Retirement | None:
    """The end of a preset's own model, if that is over; None where a server of one's own has it, or it is served."""
    ends = None if preset.base_url or "base_url" in wanted else preset.retirement
    return ends if ends and ends.is_over(today()) else None


def _is_its_own_server(preset: Preset, base_url: str | None) -> bool:
    """Whether an address is the one whose prices are known: the preset's, or its provider's own; None is."""
    usual = preset.base_url or PROVIDERS[preset.provider].address
    return base_url is None or base_url.rstrip("/") == usual.rstrip("/")


def _other_model(preset: Preset, model: str, known: Iterable[Preset]) -> dict[str, Any]:
    """What another model brings with it."""
    same = [each for each in known if (each.provider, each.model) == (preset.provider, model)]
    price = price_of(preset.provider, model)
    if preset.provider == "local":
        price = preset.price  # whatever file it is, it runs here
    brought: dict[str, Any] = {
        "price": price,
        "retirement": retirement_of(preset.provider, model),
        "context": None,
        "pictures": None,
        "note": "",
    }
    if not same:
        return brought
    brought = {key: getattr(same[0], key) for key in brought}
    if same[0].temperature is None:  # It reasons: it takes no other temperature, and its thoughts count as output.
        longest = max(preset.max_output_tokens, same[0].max_output_tokens)
        brought |= {"temperature": None, "max_output_tokens": longest}
    return brought


def _of_model(table: str, provider: str, model: str) -> Any:
    """What a table of the file says of a model, or of the model that it is a dated version of; None if nothing."""
    known = _file().get(table, {}).get(vendor_of(provider), {})
    return known.get(model, known.get(_SNAPSHOT.sub("", model)))


@functools.cache
def _file() -> dict[str, Any]:
    try:
        return tomllib.loads(FILE.read_text("utf-8"), parse_float=Decimal)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise WrongPreset(f"{FILE} cannot be read: {error}") from error


@functools.cache
def _presets(on: date) -> Mapping[str, Preset]:
    return MappingProxyType({name: _preset(name, record, on) for name, record in _file()["presets"].items()})


def _preset(name: str, record: Mapping[str, Any], on: date) -> Preset:
    values = dict(record)
    if isinstance(values.get("temperature"), Decimal):
        values["temperature"] = float(values["temperature"])
    try:
        room = values["context"] - values["max_output_tokens"] if "context" in values else MOST_INPUT_TOKENS
        values.setdefault("max_input_tokens", min(room, MOST_INPUT_TOKENS))
        model = (values["provider"], values["model"])
        return Preset(name, price=price_of(*model, on), retirement=retirement_of(*model), **values)
    except (TypeError, KeyError, ValueError) as error:
        raise WrongPreset(f"{FILE}, preset {name}: {error}") from error

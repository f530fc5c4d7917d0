"""The grammar of action text for models that can be held to one, made from the actions' own specifications.

GBNF is the notation of llama.cpp (``grammars/README.md`` of its repository): a model that samples under such a grammar
can write nothing else. Every text of the grammar is read by ``harness.actions.parser.parse`` as calls of known actions,
without an error; the tests draw texts from it to show that.

The grammar is finite: every text has a longest form, so that a model cannot go on for ever inside a quote.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from harness.actions.signature import ActionSpec, Parameter

FIELD_PARAMETER = "name"
"""The parameter of an action that holds the name of a field."""
VALUE_PARAMETERS = frozenset({"value", "values"})
"""The parameters of an action that hold what the field is to be set to."""

_TERMINALS = {
    "None": '"None"',
    "bool": '"True" | "False"',
    # No leading zeros: the parser reads numbers as Python does.
    "int": '"-"? ("0" | [1-9] [0-9]{0,5})',
    "float": 'int ("." [0-9]{1,3})?',
}
_CHARACTER = r"""[^'\\\x00-\x1F\x7F] | "\\" ['\\nt]"""
_ESCAPES = {"\\": "\\\\", '"': '\\"'}


def to_gbnf(
    specs: Mapping[str, ActionSpec],
    field_names: Sequence[str] | None = None,
    options: Mapping[str, Sequence[str]] | None = None,
    *,
    setters: Mapping[str, Collection[str]] | None = None,
    max_calls: int = 1,
    max_text: int = 200,
    max_items: int = 8,
) -> str:
    """The grammar of one call or several, each on a line of its own.

    Args:
        specs: The actions that may be called, by name. Give only those that fit the field to ask for one of a kind.
        field_names: The fields that exist: a parameter ``name`` takes these alone. None for any text.
        options: Field -> the values that it can take: in a call for that field a text in ``value`` is one of them. A
            field that is not in it takes any text. Fields that ``field_names`` lacks are ignored.
        setters: Field -> the actions that can set it: no other action with a ``value`` names it. A field that is not in
            it can be set by all.
        max_calls: The most calls in one text.
        max_text: The most characters of a text in quotes, each escape counted as one.
        max_items: The most items of a list.

    Returns:
        The grammar; its first rule is ``root``.

    Raises:
        ValueError: There is no action to call, or no field although an action needs one.
    """
    if not specs:
        raise ValueError("a grammar needs at least one action")
    writer = _Writer(field_names, options or {}, setters or {}, max_text, max_items)
    calls = [writer.call(spec) for spec in specs.values()]
    if not any(calls):
        raise ValueError("a grammar of actions on fields needs at least one field")
    repeated = f' ("\\n" call){{0,{max_calls - 1}}}' if max_calls > 1 else ""
    rules = {"root": f"call{repeated}", "call": " | ".join(filter(None, calls)), **writer.rules}
    return "".join(f"{name} ::= {body}\n" for name, body in rules.items())


class _Writer:
    """Collects the rules that the calls of one grammar need."""

    def __init__(
        self,
        field_names: Sequence[str] | None,
        options: Mapping[str, Sequence[str]],
        setters: Mapping[str, Collection[str]],
        max_text: int,
        max_items: int,
    ) -> None:
        self.rules: dict[str, str] = {}
        self._names = field_names
        self._options = options
        self._setters = setters
        self._max_text = max_text
        self._max_items = max_items
        self._choices: dict[tuple[str, ...], str] = {}

    def call(self, spec: ActionSpec) -> str:
        """The name of the rule for calls of an action; empty if no call is possible."""
        named = next((each for each in spec.parameters if each.name == FIELD_PARAMETER), None)
        if self._names is None or named is None:
            forms = [self._form(spec, None)]
        else:
            # Where a value depends on the field, each field has a form of its own; the others share one.
            sets = any(each.name in VALUE_PARAMETERS for each in spec.parameters)
            names = [field for field in self._names if not sets or spec.name in self._setters.get(field, (spec.name,))]
            own = [field for field in names if sets and self._options.get(field)]
            shared = [field for field in names if field not in own]
            forms = [self._form(spec, [field]) for field in own]
            if shared or not named.required:
                forms.append(self._form(spec, shared))
        if not forms:
            return ""
        rule = f"do-{spec.name.replace('_', '-')}"
        self.rules[rule] = " | ".join(forms)
        return rule

    def _form(self, spec: ActionSpec, fields: Sequence[str] | None) -> str:
        """Calls with all arguments, or with fewer of those that may be left out.

        Args:
            spec: The action.
            fields: What may be named; None for any text.
        """
        arguments = ""
        for number, parameter in reversed(list(enumerate(spec.parameters))):
            kinds = self._kinds(parameter, fields)
            if not kinds:
                # There is no field to name: this argument is left out, and so are those that follow it.
                arguments = ""
                continue
            argument = kinds[0] if len(kinds) == 1 else f"({' | '.join(kinds)})"
            parts = ['", "' if number else "", argument, arguments]
            arguments = " ".join(part for part in parts if part)
            if not parameter.required:
                arguments = f"({arguments})?"
        return " ".join(part for part in (f'"{spec.name}("', arguments, '")"') if part)

    def _kinds(self, parameter: Parameter, fields: Sequence[str] | None) -> list[str]:
        """The rules of the types that a parameter takes."""
        texts: Sequence[str] | None = parameter.choices or None
        if parameter.name == FIELD_PARAMETER:
            texts = fields
        elif parameter.name in VALUE_PARAMETERS and fields is not None and len(fields) == 1:
            texts = self._options.get(fields[0]) or None
        if texts is None:
            return [self._kind(kind, "text") for kind in parameter.kinds]
        if not texts:
            return [self._kind(kind, "") for kind in parameter.kinds if "str" not in kind]
        choice = self._choices.setdefault(tuple(dict.fromkeys(texts)), f"choice-{len(self._choices)}")
        self.rules[choice] = " | ".join(_terminal(repr(text)) for text in dict.fromkeys(texts))
        return [self._kind(kind, choice) for kind in parameter.kinds]

    def _kind(self, kind: str, text: str) -> str:
        """The rule of one type; ``text`` is that of texts."""
        if kind.startswith("list["):
            item = self._kind(kind[5:-1], text)
            self.rules[f"list-{item}"] = f'"[" ({item} (", " {item}){{0,{self._max_items - 1}}})? "]"'
            return f"list-{item}"
        if kind == "str":
            if text == "text":
                self.rules["text"] = f'"\'" character{{0,{self._max_text}}} "\'"'
                self.rules["character"] = _CHARACTER
            return text
        if kind == "float":
            self.rules["int"] = _TERMINALS["int"]
        rule = kind.lower()
        self.rules[rule] = _TERMINALS[kind]
        return rule


def _terminal(text: str) -> str:
    """A text as GBNF writes what must stand there."""
    return '"' + "".join(_ESCAPES.get(character, character) for character in text) + '"'

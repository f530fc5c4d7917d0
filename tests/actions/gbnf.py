"""A small reader of GBNF that draws texts from a grammar: enough of the notation for the grammars of this project."""

from __future__ import annotations

import re
from random import Random

TOKEN = re.compile(
    r'\s*(?:"(?P<text>(?:[^"\\]|\\.)*)"|\[(?P<set>(?:[^\]\\]|\\.)+)\]|(?P<rule>[a-zA-Z0-9-]+)'
    r"|\{(?P<least>\d+),(?P<most>\d+)\}|(?P<sign>[()|?]))"
)
AWKWARD = 'ab Z09_.,;:#()[]{}<>|&!?*+-=/@`~"$%^ é中\u2028\u00a0😀'


class Grammar:
    """The rules of a grammar, read once."""

    def __init__(self, text: str) -> None:
        self.rules = {}
        for line in text.splitlines():
            name, _, body = line.partition(" ::= ")
            assert name not in self.rules, f"{name} twice"
            tokens = []
            position = 0
            while body[position:].strip():
                token = TOKEN.match(body, position)
                assert token, f"{name}: {body[position:]!r}"
                tokens.append(token)
                position = token.end()
            self.rules[name] = self._alternatives(tokens)
            assert not tokens, f"{name}: {tokens} is left over"

    def draw(self, chance: Random, rule: str = "root") -> str:
        """A text of the grammar; every branch and every number of repetitions can come up."""
        return self._drawn(self.rules[rule], chance)

    def _alternatives(self, tokens):
        branches = [[]]
        while tokens and tokens[0]["sign"] != ")":
            token = tokens.pop(0)
            match token.lastgroup:
                case "text":
                    item = (
                        "text",
                        re.sub(r"\\(.)", lambda escape: "\n" if escape[1] == "n" else escape[1], token["text"]),
                    )
                case "set":
                    item = ("set", re.compile(f"[{token['set']}]"))
                case "rule":
                    item = ("rule", token["rule"])
                case "most":
                    branches[-1][-1] = ("repeat", branches[-1][-1], int(token["least"]), int(token["most"]))
                    continue
                case _ if token["sign"] == "|":
                    branches.append([])
                    continue
                case _ if token["sign"] == "?":
                    branches[-1][-1] = ("repeat", branches[-1][-1], 0, 1)
                    continue
                case _:
                    item = self._alternatives(tokens)
                    assert tokens.pop(0)["sign"] == ")"
            branches[-1].append(item)
        assert all(branches), "an empty branch"
        return ("one of", branches)

    def _drawn(self, item, chance: Random) -> str:
        match item:
            case ("text", text):
                return text
            case ("set", pattern):
                return chance.choice([each for each in AWKWARD + "'\\nt" if pattern.fullmatch(each)])
            case ("rule", name):
                return self._drawn(self.rules[name], chance)
            case ("repeat", inner, least, most):
                count = chance.choice([least, most, chance.randint(least, min(most, least + 6))])
                return "".join(self._drawn(inner, chance) for _ in range(count))
            case ("one of", branches):
                return "".join(self._drawn(each, chance) for each in chance.choice(branches))
        raise AssertionError(item)


def _unescaped(escape: re.Match[str]) -> str:
    return "\n" if escape[1] == "n" else escape[1]

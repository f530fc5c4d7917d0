"""What holds of the parser for every text, hostile ones above all."""

from __future__ import annotations

import builtins
import json
import sys

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from harness.actions.call import MAX_INTEGER, ActionCall, ActionError
from harness.actions.parser import MAX_RESULTS, PREFIXES, parse
from tests.actions.sample import SPECS

pytestmark = pytest.mark.claim("action-text")

integers = st.integers(-MAX_INTEGER, MAX_INTEGER)
numbers = integers | st.floats(allow_nan=False, allow_infinity=False)
awkward = st.lists(
    st.sampled_from(
        ["'", '"', "'''", '"""', "\\", "\n", "\r\n", "\t", "\0", "```", "#", ")", "(", "{x}", "\u2028", "😀"]
    )
    | st.text(max_size=3)
).map("".join)
texts = st.text() | awkward
values = {
    "str": texts,
    "bool": st.booleans(),
    "float": numbers,
    "list[str]": st.lists(texts, max_size=4),
    "None": st.none(),
}


@st.composite
def action_calls(draw):
    spec = draw(st.sampled_from(list(SPECS.values())))
    return ActionCall(
        spec.name,
        {parameter.name: draw(values[draw(st.sampled_from(parameter.kinds))]) for parameter in spec.parameters},
    )


FRAMES = ["{}", "Do {} now.", "```python\n{}\n```", "~~~\n# so\n{};\n~~~\nIt is 'done", "- {}\n", "{}\n```"]
FRAGMENTS = [
    "modify_text(", "modify_text('q', 'v')", "self.actions.", "click(", "scroll(dx=", "print(", "мodify_text(",
    "'", '"', "'''", '"""', "\\", "(", ")", "[", "]", "{", "}", ",", "=", ":", ";", "#", "*", "@", "-", ".", "1",
    "\n", "\n    ", " ", "\\\n", "\r\n", "```", "```python\n", "\n```\n", "~~~\n", "f'", "r'", "b'", "\\N{", "\\x",
    "1e999", "None", "x = ", "import os\n", "for x in y:\n", "def f():\n", "lambda: ", "\0", "\ud800", ">>> ",
]  # fmt: skip
any_text = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=5), max_size=40).map("".join) | st.text()


def only_literals(value):
    return (
        value is None
        or type(value) in (str, bool, int, float)
        or (type(value) is list and all(map(only_literals, value)))
    )


def checked(text):
    """The results for any text, after checking what holds of all of them."""
    results = parse(text, SPECS)
    assert len(results) <= MAX_RESULTS
    for result in results:
        if isinstance(result, ActionCall):
            assert all(map(only_literals, result.args.values()))
            assert SPECS[result.name].bind(keywords=result.args) == result
            assert json.dumps(result.to_json(), ensure_ascii=False).encode("utf-8")
        else:
            assert isinstance(result, ActionError)
            assert len(result.text) <= 200
            assert result.reason
            assert f"{result}".encode()
    return results


def typed(call):
    return repr(call)  # Unlike ==, it tells 1 from True and 1.0.


@given(action_calls(), st.sampled_from(PREFIXES), st.sampled_from(FRAMES))
def test_every_call_survives_the_way_through_its_text(call, prefix, frame):
    (parsed,) = checked(frame.format(f"{prefix}{call}"))
    assert typed(parsed) == typed(call)


@given(st.lists(action_calls(), min_size=1, max_size=5))
def test_every_list_of_calls_survives_in_order(made):
    lines = "\n".join(map(str, made))
    assert list(map(typed, checked(lines))) == list(map(typed, checked(f"```\n{lines}\n```"))) == list(map(typed, made))


@given(action_calls())
def test_every_call_survives_json(call):
    assert typed(ActionCall.from_json(json.loads(json.dumps(call.to_json())))) == typed(call)


@given(st.text(st.characters()))
def test_lone_surrogates_in_a_text_never_reach_a_call(text):
    (call,) = checked(f"type({text!r})")
    assert call.args["text"] == text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


@pytest.mark.slow
@given(any_text)
@settings(max_examples=500)
def test_any_text_gives_calls_of_literals_and_errors_and_never_raises(text):
    checked(text)


@given(any_text)
def test_any_text_between_calls_in_code_leaves_no_exception(text):
    assume("```" not in text)
    checked(f"```python\nclick(1, 2)\n{text}\nclick(1, 2)\n```")


@given(any_text)
def test_any_text_as_argument_gives_calls_of_literals_only(text):
    checked(f"modify_text('q', {text})")


HOSTILE_ARGUMENTS = [
    "sentinel()",
    "(sentinel())",
    "[sentinel()]",
    "[sentinel() for _ in 'x']",
    "(sentinel() for _ in 'x')",
    "{sentinel(): 1}",
    "{**sentinel()}",
    "f'{sentinel()}'",
    "rf'''{sentinel()}'''",
    "'a' f'{sentinel()}'",
    "'{}'.format(sentinel())",
    "'%s' % sentinel()",
    "'a' + sentinel()",
    "(x := sentinel())",
    "lambda: sentinel()",
    "(lambda: sentinel())()",
    "*sentinel()",
    "**sentinel()",
    "*[sentinel()]",
    "'a' if sentinel() else 'b'",
    "'a' or sentinel()",
    "not sentinel()",
    "-sentinel()",
    "await sentinel()",
    "yield_(sentinel())",
    "__import__('builtins').sentinel()",
    "().__class__.__base__.__subclasses__()",
    "''.__class__",
    "getattr(__builtins__, 'sentinel')()",
    "eval('sentinel()')",
    "exec('sentinel()')",
    "compile('sentinel()', '', 'eval')",
    "open('/etc/passwd').read()",
    "__builtins__['sentinel']()",
    "'a'[sentinel()]",
    "'a'.upper()",
    "1 .__class__",
    "b'a'",
    "...",
    "`sentinel()`",
    "${sentinel()}",
    "ｓentinel()",
    "modify_text('a', sentinel())",
    "type('x')",
    "[" * 300 + "sentinel()" + "]" * 300,
    "(" * 50_000,
    "-" * 50_000 + "1",
    "9" * 50_000,
]
HOSTILE_FRAMES = [
    "modify_text({})",
    "modify_text('q', {})",
    "modify_text('q', value={})",
    "self.actions.modify_text(name={}, value='v')",
    "modify_checkbox('q', ['a', {}])",
    "modify_checkbox('q', [[({},)]])",
    "x = modify_text('q', {})",
    "{}.modify_text('q', 'v')",
    "modify_text('q', {}",
    "modify_text('q', \0{})",
]
HOSTILE_STATEMENTS = [
    "import os; os.system('x')",
    "from builtins import sentinel; sentinel()",
    "sentinel()",
    "if sentinel(): modify_text('q', 'v')",
    "for _ in sentinel():\n    modify_text('q', 'v')",
    "while sentinel():\n    modify_text('q', 'v')",
    "with sentinel() as x:\n    modify_text('q', 'v')",
    "def f(x=sentinel()):\n    modify_text('q', 'v')",
    "class A(metaclass=sentinel()):\n    modify_text('q', 'v')",
    "@sentinel()\ndef f():\n    modify_text('q', 'v')",
    "[modify_text('q', 'v') for _ in sentinel()]",
    "modify_text('q', 'v') if sentinel() else 0",
    "modify_text('q', 'v').__class__.__mro__",
    "modify_text.__globals__['sentinel']()",
    "(modify_text)('q', 'v')",
    "print(modify_text('q', 'v'))",
    "modify_text = sentinel",
    "del modify_text",
    "x = y = sentinel()",
    "lambda: modify_text('q', 'v')",
    "assert sentinel()",
    "return modify_text('q', 'v')",
    "eval(\"modify_text('q', 'v')\")",
    "__import__('os').system('x')",
]


class Watch:
    """Notes what is executed while it is on: a hook of the interpreter cannot be taken away again."""

    def __init__(self):
        self.on = False
        self.seen = []
        sys.addaudithook(self.hook)

    def hook(self, event, args):
        if self.on and event in ("compile", "exec", "os.system", "subprocess.Popen", "open"):
            self.seen.append((event, args))


@pytest.fixture(scope="module")
def watch():
    return Watch()


@pytest.fixture
def executed(watch, monkeypatch):
    """What was executed since the test began: code, processes, files, and a function that texts here call."""
    parse("type('\ud800\\N{BULLET}') clack(", SPECS)  # Loads what is loaded on first use.
    monkeypatch.setattr(builtins, "sentinel", lambda: watch.seen.append("sentinel"), raising=False)
    watch.seen.clear()
    watch.on = True
    yield watch.seen
    watch.on = False


def test_the_watch_sees_what_is_executed(executed):
    exec("sentinel()")  # noqa: S102
    assert [entry if isinstance(entry, str) else entry[0] for entry in executed] == ["compile", "exec", "sentinel"]


@pytest.mark.parametrize("frame", HOSTILE_FRAMES)
def test_hostile_arguments_never_give_a_call_and_execute_nothing(frame, executed):
    for argument in HOSTILE_ARGUMENTS:
        text = frame.replace("{}", argument)
        for framed in (text, f"```python\n{text}\n```"):
            results = checked(framed)
            assert not [result for result in results if isinstance(result, ActionCall)], framed[:200]
    assert executed == []


def test_hostile_statements_in_code_never_give_a_call_and_execute_nothing(executed):
    for statement in HOSTILE_STATEMENTS:
        results = checked(f"```python\n{statement}\n```")
        assert not [result for result in results if isinstance(result, ActionCall)], statement
    assert executed == []


@given(
    st.sampled_from(HOSTILE_ARGUMENTS),
    st.sampled_from(HOSTILE_FRAMES),
    st.sampled_from(FRAMES),
    st.sampled_from(["", *FRAGMENTS]),
)
def test_hostile_arguments_stay_without_effect_in_any_surroundings(argument, frame, surroundings, before):
    checked(before + surroundings.format(frame.replace("{}", argument)))


REPEATED = [
    "(", "'", '"', "`", "```\n", "~~~", "modify_text(", "modify_text('", 'modify_text("""', "modify_text('a', 'b')\n",
    "modify_text(a) ", "modify_text([\n", 'modify_text(#"""\n"""', ")\\\n~~~click(", "x=(''\n", "a\n", "a.", "1,", "\\",
    "x = [", "\0", "for in in ", "self.actions.", " ", "if x:\n ",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("unit", REPEATED, ids=repr)
def test_long_hostile_texts_are_read_in_one_pass(unit):
    """Quadratic time would take minutes here."""
    text = (unit * (1_000_000 // len(unit) + 1))[:250_000]
    for start in ("", "```python\nmodify_text('q', ["):
        checked(start + text)


def test_a_megabyte_of_text_is_read():
    value = "x" * 90_000
    text = "\n".join(f"modify_text('q{number}', '{value}')" for number in range(12))
    assert len(text) > 1_000_000
    assert len(checked(text)) == 12

"""What the parser reads out of a model's text, and what it says about the rest."""

import json
import re

import pytest

from harness.actions.call import MAX_ARGUMENT, MAX_NESTING, ActionCall, ActionError
from harness.actions.parser import MAX_RESULTS, parse
from tests.actions.sample import SPECS
from tests.checkout import TURKINGBENCH
from tests.needs import needs, real_data


def calls(text):
    """The canonical texts of the calls, when the text gives nothing else."""
    results = parse(text, SPECS)
    assert all(isinstance(result, ActionCall) for result in results), results
    return [str(result) for result in results]


def error(text):
    """The one error that is all the text gives."""
    (result,) = parse(text, SPECS)
    assert isinstance(result, ActionError)
    return result


def kinds(text):
    """Results as canonical texts of calls, and None for errors."""
    return [str(result) if isinstance(result, ActionCall) else None for result in parse(text, SPECS)]


def value(literal):
    """The literal as the parser reads it, through a parameter that takes every kind of text."""
    (result,) = parse(f"modify_checkbox('q', {literal})", SPECS)
    assert isinstance(result, ActionCall), result
    return result.args["values"]


class TestLiterals:
    @pytest.mark.parametrize(
        ("literal", "expected"),
        [
            ("'a'", "a"),
            ('"a"', "a"),
            ("'''a\n'b'\n'''", "a\n'b'\n"),
            ('"""a "b" c"""', 'a "b" c'),
            ("''", ""),
            ("'' 'a'", "a"),
            ("'a' \"b\"\n   'c'", "abc"),
            ("('a'\n 'b')", "ab"),
            (r"'it\'s'", "it's"),
            (r"'a\nb\tc\\d'", "a\nb\tc\\d"),
            (r"'\x41\u00e9\U0001F600\101\N{BULLET}'", "Aé😀A•"),
            (r"'\d \/ \"'", '\\d \\/ "'),
            (r"'\ud83d\ude00'", "😀"),
            (r"'\ud83d'", "\ufffd"),
            (r"r'\n'", "\\n"),
            ("u'a'", "a"),
            ("'a\\\nb'", "ab"),
            ("'a\\\r\nb'", "ab"),
            ("'שלום 😀 \t'", "שלום 😀 \t"),
            ("'# no comment'", "# no comment"),
            ("'<b onclick=\"x()\">'", '<b onclick="x()">'),
            ("['a', 'b',]", ["a", "b"]),
            ("('a', 'b')", ["a", "b"]),
            ("('a',)", ["a"]),
            ("[]", []),
            ("()", []),
            ("True", True),
            ("true", True),
            ("false", False),
        ],
    )
    def test_python_and_json_literals_are_read(self, literal, expected):
        result = value(literal)
        assert (result, type(result)) == (expected, type(expected))

    @pytest.mark.parametrize(
        ("literal", "expected"),
        [("3", 3), ("-3", -3), ("+3", 3), ("2.5", 2.5), ("-.5", -0.5), ("1.", 1.0), ("1e2", 100.0), ("1.e2", 100.0),
         ("0x1F", 31), ("0b101", 5), ("0o17", 15), ("1_000", 1000), ("0", 0)],
    )  # fmt: skip
    def test_numbers_are_read(self, literal, expected):
        (call,) = parse(f"modify_range('q', {literal})", SPECS)
        assert isinstance(call, ActionCall)
        assert (call.args["value"], type(call.args["value"])) == (expected, type(expected))

    @pytest.mark.parametrize("null", ["None", "null"])
    def test_null_is_none(self, null):
        assert calls(f"get_html({null})") == ["get_html(None)"]

    @pytest.mark.parametrize(
        ("literal", "reason"),
        [
            ("name", "'name' is a name"),
            ("os.system('x')", "calls inside arguments are not allowed"),
            ("get_html('b')", "calls inside arguments are not allowed"),
            ("f'{x}'", "f-strings"),
            ("rf'x'", "f-strings"),
            ("b'x'", "bytes"),
            ("x'y'", "cannot stand before a quote"),
            ("'a' + 'b'", "follows a value"),
            ("'a'.upper()", "follows a value"),
            ("'a' if x else 'b'", "follows a value"),
            ("['a' for x in y]", "comprehensions"),
            ("['a', *x]", r"\*\* arguments"),
            ("lambda: 'a'", "functions"),
            ("{'a': 1}", "dictionaries"),
            ("{'a'}", "dictionaries"),
            ("(x := 'a')", "'x' is a name"),
            ("“a”", "straight quotes"),
            ("‘a’", "straight quotes"),
            ("--1", "starts no value"),
            ("not True", "'not' is a name"),
            ("007", "not a number"),
            ("5j", "starts no number"),
            ("3px", "starts no number"),
            ("9" * 5_000, "starts no number"),
            ("9" * 30, "too large"),
            ("1e999", "finite"),
            (r"'\x4'", "not complete"),
            (r"'\N{NO SUCH THING}'", "names no character"),
            (r"'\U00110000'", "is not a character"),
            ("['a', ,]", "starts no value"),
            ("...", "starts no value"),
        ],
    )  # fmt: skip
    def test_what_is_no_literal_is_an_error_that_shows_the_signature(self, literal, reason):
        result = error(f"modify_text('q', {literal})")
        assert re.search(reason, result.reason)
        assert result.reason.endswith("The action is modify_text(name: str, value: str).")

    def test_an_apostrophe_that_ends_a_text_is_pointed_out(self):
        result = error("modify_text('q', 'You don't have to.')")
        assert """ends at the quote ' before "t have to.')":""" in result.reason
        assert r"\'" in result.reason

    def test_a_text_that_does_not_end_is_pointed_out(self):
        assert "does not end" in error("modify_text('q', 'abc)").reason
        assert "does not end" in error("modify_text('q', 'abc\ndef')").reason

    def test_comments_and_line_breaks_may_stand_between_arguments(self):
        assert calls("modify_text(  # sets q\n  'q', # a ) here\n  'v',\n)") == ["modify_text('q', 'v')"]

    def test_nesting_is_bounded(self):
        def nested(depth):
            return f"modify_text('q', {'[' * depth}{']' * depth})"

        assert "must be str" in error(nested(MAX_NESTING)).reason
        assert "nested more than" in error(nested(MAX_NESTING + 1)).reason
        assert "nested more than" in error(nested(100_000)).reason

    def test_the_size_of_an_argument_is_bounded(self):
        longest = "x" * MAX_ARGUMENT
        assert calls(f"type('{longest}')") == [f"type('{longest}')"]
        result = error(f"type('{longest}x')")
        assert "too long" in result.reason
        assert len(result.text) == 200


class TestArguments:
    def test_arguments_by_name_and_by_position_give_equal_calls(self):
        expected = ["modify_text('q', 'v')"]
        assert calls("modify_text('q', 'v')") == expected
        assert calls("modify_text('q', value='v')") == expected
        assert calls("modify_text(value = 'v', name='q')") == expected

    def test_defaults_are_filled_in(self):
        assert calls("scroll(dy=3)") == ["scroll(0, 3)"]
        assert calls("capture_screen()") == ["capture_screen('viewport', None)"]

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("modify_text('q', 3)", "modify_text('q', '3')"),
            ("modify_text('q', 2.0)", "modify_text('q', '2')"),
            ("modify_text('q', 0.1)", "modify_text('q', '0.1')"),
            ("modify_text('q', -0.0)", "modify_text('q', '0')"),
            ("modify_text('q', 1e300)", "modify_text('q', '1e+300')"),
            ("modify_text('q', true)", "modify_text('q', 'True')"),
            ("modify_checkbox('q', 1)", "modify_checkbox('q', '1')"),
            ("modify_checkbox('q', [1, 'b'])", "modify_checkbox('q', ['1', 'b'])"),
            ("modify_range('q', '3')", "modify_range('q', '3')"),
            ("click('10', ' 2.5 ')", "click(10, 2.5)"),
            ("click(10, 20)", "click(10, 20)"),
        ],
    )
    def test_values_that_can_be_meant_in_one_way_are_converted(self, text, expected):
        assert calls(text) == [expected]

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("modify_text('q')", "missing: 'value'"),
            ("modify_text('q', 'a', 'b')", "3 arguments were given, at most 2 are taken"),
            ("modify_text('q', valeu='b')", "no argument 'valeu' (did you mean value?)"),
            ("modify_text('q', name='b')", "'name' is given twice"),
            ("modify_text(name='b', name='c')", "'name' is given twice"),
            ("modify_text(name='b', 'c')", "without a name comes after"),
            ("modify_text('q', None)", "'value' must be str, not None"),
            ("modify_text('q', ['a'])", "'value' must be str, not a list"),
            ("modify_checkbox('q', [['a']])", "'values' must be str | list[str] | bool, not a list"),
            ("click('ten', 1)", "'x' must be float, not str 'ten'"),
            ("click(True, 1)", "'x' must be float, not bool True"),
            ("click('1e999', 1)", "'x' must be float"),
            ("click('nan', 1)", "'x' must be float"),
            ("click('" + "9" * 5000 + "', 1)", "'x' must be float"),
            ("modify_text('q', 'a'", "closing ')' is missing"),
            ("modify_text('q', ", "closing bracket is missing"),
            ("modify_text(*['q', 'a'])", "* and ** arguments"),
            ("modify_text(**{'name': 'q'})", "* and ** arguments"),
            ("modify_text('q' 'a', value == 'b')", "'value' is a name"),
        ],
    )
    def test_arguments_that_do_not_fit_give_an_error_with_the_signature(self, text, reason):
        result = error(text)
        assert reason in result.reason
        assert "The action is " in result.reason
        assert result.text == text[:199] + "…" if len(text) > 200 else text


class TestPrefixes:
    @pytest.mark.parametrize("prefix", ["", "self.", "self.actions.", "actions.", "act."])
    @pytest.mark.parametrize("frame", ["{}", "Then {} it.", "```python\n{}\n```"])
    def test_known_prefixes_are_dropped(self, prefix, frame):
        assert calls(frame.format(f"{prefix}modify_text('q', 'v')")) == ["modify_text('q', 'v')"]

    @pytest.mark.parametrize(
        "call",
        [
            "os.modify_text('q', 'v')",
            "self.os.modify_text('q', 'v')",
            "self.actions.__class__.modify_text('q', 'v')",
            "x.self.actions.modify_text('q', 'v')",
            ".modify_text('q', 'v')",
            "getattr(a, 'b').modify_text('q', 'v')",
            "actions[0].modify_text('q', 'v')",
            "'x'.modify_text('q', 'v')",
            "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.modify_text('q', 'v')",
        ],
    )
    @pytest.mark.parametrize("frame", ["{}", "```python\n{}\n```"])
    def test_anything_else_before_the_dot_is_an_error(self, call, frame):
        assert kinds(frame.format(call)) == [None]

    def test_look_alike_names_are_other_names(self):
        cyrillic, fullwidth = "mоdify_text('q', 'v')", "ｍodify_text('q', 'v')"
        assert kinds(cyrillic) == kinds(fullwidth) == []
        assert kinds(f"```\n{cyrillic}\n{fullwidth}\n```") == [None, None]

    def test_a_name_inside_a_longer_name_is_another_name(self):
        assert parse("remodify_text('q', 'v') xclick(1, 2) click_(1, 2)", SPECS) == []


class TestFences:
    @pytest.mark.parametrize(
        "text",
        [
            "```\nclick(1, 2)\n```",
            "```python\nclick(1, 2)\n```",
            "```javascript\nclick(1, 2)\n```",
            "~~~ python title\nclick(1, 2)\n~~~~",
            "````\nclick(1, 2)\n````",
            "1. Like this:\n   ```\n   click(1, 2)\n   ```",
            "```python\nclick(1, 2)",
            "```python\r\nclick(1, 2)\r\n```\r\n",
            "```click(1, 2)```",
            "```click(1, 2)\n```",
            "```python\nclick(1, 2)```",
            "Use `click(1, 2)`.",
            "click(1, 2)\n```\nThat was it.",
        ],
    )
    def test_fences_of_every_form_are_understood(self, text):
        assert calls(text) == ["click(1, 2)"]

    def test_several_blocks_are_read_in_order(self):
        text = "First\n```\nclick(1, 1)\nclick(2, 2)\n```\nthen\n~~~\nclick(3, 3)\n~~~\nDone."
        assert calls(text) == ["click(1, 1)", "click(2, 2)", "click(3, 3)"]

    def test_a_block_that_is_not_closed_ends_where_the_next_begins(self):
        assert calls("```python\nclick(1, 1)\n\n```python\nclick(2, 2)\n```\nclick(9, 9)") == [
            "click(1, 1)",
            "click(2, 2)",
        ]

    def test_if_a_block_holds_an_attempt_prose_does_not_count(self):
        assert calls("click(9, 9)\n```\nclick(1, 2)\n```\nclick(9, 9)") == ["click(1, 2)"]
        assert kinds("click(9, 9)\n```python\nimport os\n```") == [None]
        assert kinds("click(9, 9)\n```\nclick_button('x')\n```") == [None]
        assert kinds("click(9, 9)\n```\nI will click(x)\n```") == [None]

    @pytest.mark.parametrize(
        "block",
        [
            '```html\n<button onclick="click(5, 5)">\n```',
            '```\n<button onclick="click(5, 5)">\n```',
            "```javascript\ndocument.forms[0].submit();\nbutton.click();\nalert('x')\n```",
            "```\nIt's hurtful to give up.\n```",
            "```\nDog(s) barking\n```",
            '```json\n{"click": 1}\n```',
            "```\n```",
        ],
    )
    def test_blocks_without_an_attempt_are_passed_over(self, block):
        assert calls(f"{block}\nSo: click(1, 2)") == ["click(1, 2)"]
        assert calls(f"{block}\n```\nclick(1, 2)\n```\n{block}") == ["click(1, 2)"]

    def test_fence_marks_inside_a_text_do_not_matter(self):
        assert calls("modify_text('q', '```')") == ["modify_text('q', '```')"]
        assert calls("```\nmodify_text('q', '``` ~~~')\n```") == ["modify_text('q', '``` ~~~')"]


class TestCode:
    def code(self, text):
        return kinds(f"```python\n{text}\n```")

    def test_comments_texts_and_named_literals_are_skipped(self):
        text = (
            "# click(9, 9)\n'''click(9, 9)\n'''\n\"doc\"\nhuman_html = '''HTML code'''\nx = [1,\n 2]\nclick(1, 2)  # go"
        )
        assert self.code(text) == ["click(1, 2)"]

    def test_calls_may_share_a_line_with_semicolons(self):
        assert self.code("click(1, 1); click(2, 2);") == ["click(1, 1)", "click(2, 2)"]

    @pytest.mark.parametrize("lead", ["- ", "* ", "1. ", "2) ", ">>> ", "Action: ", "Step 1: ", "   ", "x = "])
    def test_what_models_put_before_a_call_is_dropped(self, lead):
        assert self.code(f"{lead}click(1, 2)") == ["click(1, 2)"]

    @pytest.mark.parametrize(
        "line",
        [
            "import os",
            "from os import system",
            "x = y = click(1, 2)",
            "x += click(1, 2)",
            "(x := click(1, 2))",
            "[click(1, 2) for x in y]",
            "[\n  click(1, 2),\n  click(3, 4)\n]",
            "lambda: click(1, 2)",
            "return click(1, 2)",
            "await click(1, 2)",
            "not click(1, 2)",
            "*click(1, 2)",
            "click(1, 2) if x else click(3, 4)",
            "click(1, 2) and os.system('x')",
            "click(1, 2), click(3, 4)",
            "click(1, 2) click(3, 4)",
            "click(1, 2).submit()",
            "click(1, 2)[0]",
            "click(1, 2)(3)",
            "click(1, 2))",
            "print(click(1, 2))",
            "click(click(1, 2), 3)",
            "click",
            "self.actions.click",
            "'click(1, 2)'.strip()",
            "x = click",
            "x = ['a' for a in b]",
            "del x",
            "@click(1, 2)",
            "if x: click(1, 2)",
            "for x in y: click(1, 2)",
        ],
    )
    def test_a_statement_that_is_not_one_call_is_an_error_and_the_next_line_is_read(self, line):
        assert self.code(f"{line}\nclick(5, 6)") == [None, "click(5, 6)"]

    @pytest.mark.parametrize(
        "header",
        ["def solve(self):", "class A(B):", "for i in range(\n    3\n):", "while True:", "if x:", "with a as b:",
         "try:", "async def f():"],
    )  # fmt: skip
    def test_what_is_indented_under_a_compound_statement_is_not_read(self, header):
        text = f"  {header}\n      click(1, 1)\n\n\tclick(2, 2)\n  click(3, 3)"
        assert self.code(text) == [None, "click(3, 3)"]

    def test_lines_that_follow_each_other_share_one_error(self):
        first, call = parse("```\nimport os\n# a\nfoo bar\n\nx[0]\nclick(1, 2)\n```", SPECS)
        assert isinstance(first, ActionError)
        assert first.text == "import os\n# a\nfoo bar\n\nx[0]"
        assert "These 3 lines are not action calls" in first.reason
        assert str(call) == "click(1, 2)"

    def test_an_unknown_function_is_an_error_that_names_the_known_ones(self):
        result = error("```\nclick_button('x')\n```")
        assert result.text == "click_button('x')"
        assert result.reason.startswith("click_button is not an action (did you mean click?). ")
        assert "The actions are: modify_text, modify_checkbox, " in result.reason

    def test_calls_inside_the_arguments_of_an_unknown_function_are_not_read(self):
        assert self.code("print(\n  click(1, 2)\n)\nclick(3, 4)") == [None, "click(3, 4)"]

    def test_a_broken_call_does_not_hide_the_next_line(self):
        text = "modify_text('q', 'it's')\nmodify_text('q', 'abc)\nmodify_text('q'\nclick(1, 2)"
        assert self.code(text) == [None, None, None, "click(1, 2)"]


class TestProse:
    def test_calls_are_found_wherever_they_stand(self):
        text = "I'd use click(1, 2), then (type('x')) and `maximize()`. Done:scroll(0, 3)!"
        assert calls(text) == ["click(1, 2)", "type('x')", "maximize()", "scroll(0, 3)"]

    @pytest.mark.parametrize(
        "text", ["", "   ", "nothing to do", "foo (bar)", "print('x')", "import os", "I clicked (twice).", "\0"]
    )
    def test_text_without_an_attempt_gives_nothing(self, text):
        assert parse(text, SPECS) == []

    @pytest.mark.parametrize(
        "mention", ["modify_text(name, value)", "modify_radio()", "modify_text(name: str, value: str = 'x')", "click(x"]
    )
    def test_a_mention_is_an_error_only_if_there_is_nothing_else(self, mention):
        assert kinds(f"The action {mention} does it") == [None]
        assert kinds(f"The action {mention} does it:\ntype('x')") == ["type('x')"]
        assert kinds(f"type('x')\n{mention}\nclick('y')") == ["type('x')", None]

    def test_a_failed_attempt_is_an_error_beside_calls(self):
        assert kinds("modify_text('a', 'x') and modify_text('b', foo)") == ["modify_text('a', 'x')", None]

    def test_a_word_before_a_bracket_is_nothing_unless_it_is_a_call(self):
        assert kinds("Please type (or paste) it, type (1), click (the 'button').") == []
        assert kinds("Please type ('it').") == ["type('it')"]

    def test_a_method_of_the_result_is_an_error(self):
        assert kinds("modify_text('a', 'b').click(1, 2)") == [None, None]

    def test_a_sentence_may_end_before_and_after_a_call(self):
        assert calls("Done. click(1, 2). Then") == ["click(1, 2)"]

    def test_calls_inside_arguments_are_not_read(self):
        assert kinds("modify_text('a', get_html('b')) click(1, 2)") == [None, "click(1, 2)"]
        assert kinds("modify_text('a', get_html('b')\nclick(1, 2)") == [None, "click(1, 2)"]

    def test_calls_inside_texts_are_texts(self):
        assert calls("""type("click(1, 2)")""") == ["type('click(1, 2)')"]


class TestBounds:
    @pytest.mark.parametrize("frame", ["{}", "```\n{}\n```"])
    @pytest.mark.parametrize("line", ["click(1, 2)", "click('x', 2)", "click(x, y)"])
    def test_there_are_at_most_so_many_results_and_the_last_says_that_there_was_more(self, frame, line):
        full = parse(frame.format("\n".join([line] * MAX_RESULTS)), SPECS)
        assert len(full) == MAX_RESULTS
        assert not any("more than" in str(result) for result in full)
        over = parse(frame.format("\n".join([line] * (MAX_RESULTS + 1))), SPECS)
        assert len(over) == MAX_RESULTS
        assert over[:-1] == full[:-1]
        assert isinstance(over[-1], ActionError)
        assert "more than 1,000" in over[-1].reason

    def test_no_specs_means_no_calls(self):
        assert parse("click(1, 2)", {}) == []


DATA = TURKINGBENCH / "recorded"
FILES = sorted(DATA.glob("*.jsonl"))


def records():
    lines = [line for file in FILES for line in file.read_text(encoding="utf-8").splitlines()]
    return [record for record in map(json.loads, lines) if record["model_output"] is not None]


@needs(real_data("recorded"))
class TestRecordedOutputs:
    def found(self, record):
        return [result for result in parse(record["model_output"], SPECS) if isinstance(result, ActionCall)]

    def test_every_output_that_the_original_code_could_run_gives_a_call(self):
        ran = [record for record in records() if record["action_error"] is None]
        assert ran
        assert [record["model_output"] for record in ran if not self.found(record)] == []

    def test_the_value_in_the_call_is_the_one_that_the_page_held_afterwards(self):
        for record in records():
            mine = [call for call in self.found(record) if call.args.get("name") == record["field"]]
            if (
                record["action_error"] is None
                and record["value_read"]
                and record["type"] in ("text", "textarea", "radio")
                and len(mine) == 1
            ):
                assert [mine[0].args["value"]] == record["value_read"]

    def test_every_output_that_names_an_action_gives_a_call_or_an_error(self):
        for record in records():
            if "self.actions.modify_" in record["model_output"]:
                assert parse(record["model_output"], SPECS), record["model_output"]

    def test_nearly_all_outputs_give_a_call(self):
        outputs = records()
        assert sum(bool(self.found(record)) for record in outputs) >= 0.96 * len(outputs)

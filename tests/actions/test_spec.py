"""Specifications made from methods, and the texts made from specifications."""

from __future__ import annotations

import inspect

import pytest

from harness.actions.call import ActionCall
from harness.actions.signature import ActionSpec, Parameter
from harness.actions.spec import (
    action,
    check_examples,
    from_class,
    from_method,
    to_json_schema,
    to_markdown,
    to_prompt,
)
from tests.actions.sample import SPECS, SampleActions


def test_a_method_gives_its_name_parameters_meaning_and_examples():
    assert from_method(SampleActions.modify_text) == ActionSpec(
        name="modify_text",
        parameters=(
            Parameter("name", "str", "The field's name."),
            Parameter("value", "str", "The text to type; may be empty."),
        ),
        doc="Types a text into a field.\n\nWhat the field holds is replaced.",
        returns="Whether the field now holds the text.",
        examples=("modify_text('q1', 'hello')", "modify_text('q1', '')"),
    )


def test_defaults_and_unions_are_kept():
    assert SPECS["capture_screen"].signature == "capture_screen(mode: str = 'viewport', name: str | None = None)"
    assert SPECS["modify_checkbox"].parameters[1].kinds == ("str", "list[str]", "bool")


def test_annotations_that_are_evaluated_give_the_same_types():
    def click(x: float, values: str | list[str] | None = None) -> None:
        """Clicks.

        Args:
            x: Pixels.
            values: Values.
        """

    click.__annotations__ = {"x": float, "values": str | list[str] | None}
    assert from_method(click).signature == "click(x: float, values: str | list[str] | None = None)"


def test_a_class_gives_its_marked_public_methods_in_order_of_definition():
    assert list(SPECS) == [name for name in vars(SampleActions) if not name.startswith("_") and name != "helper"]


def test_actions_of_base_classes_count_and_an_override_replaces_them():
    class Special(SampleActions):
        @action
        def maximize(self) -> None:
            """Does it better."""

        @action
        def _hidden(self) -> None:
            """Is not public."""

    specs = from_class(Special)
    assert list(specs) == list(SPECS)
    assert specs["maximize"].doc == "Does it better."


def test_marking_a_method_leaves_it_as_it_is():
    def method() -> int:
        return 3

    assert action(method) is method
    assert method() == 3


def without_docstring(self, x: float): ...


def undescribed(self, x: float):
    """Does."""


def renamed(self, x: float):
    """Does.

    Args:
        x: Pixels.
        y: Pixels.
    """


def starred(self, *x: float):
    """Does.

    Args:
        x: Pixels.
    """


def keyword_only(self, *, x: float):
    """Does.

    Args:
        x: Pixels.
    """


def unannotated(self, x):
    """Does.

    Args:
        x: Pixels.
    """


def odd_type(self, x: dict[str, str]):
    """Does.

    Args:
        x: Pixels.
    """


def odd_default(self, x: float = "a"):
    """Does.

    Args:
        x: Pixels.
    """


@pytest.mark.parametrize(
    "method",
    [without_docstring, undescribed, renamed, starred, keyword_only, unannotated, odd_type, odd_default],
    ids=lambda method: method.__name__,
)
def test_signature_and_docstring_that_do_not_agree_are_refused(method):
    with pytest.raises(ValueError, match=f"action {method.__name__}: "):
        from_method(method)


def test_examples_that_are_calls_of_their_action_are_fine():
    assert check_examples(SPECS) == []


@pytest.mark.parametrize(
    ("examples", "problem"),
    [
        ((), "click has no example"),
        (
            ("click(1)",),
            "click: the example click(1) is broken: missing: 'y'. The action is click(x: float, y: float).",
        ),
        (("maximize()",), "click: the example maximize() is not one call of click"),
        (("click(1, 2); click(1, 2)",), "click: the example click(1, 2); click(1, 2) is not one call of click"),
        (("clack(1, 2)",), "click: the example clack(1, 2) is not one call of click"),
    ],
)
def test_a_broken_example_is_a_problem(examples, problem):
    broken = ActionSpec("click", SPECS["click"].parameters, "Clicks.", examples=examples)
    assert check_examples({**SPECS, "click": broken}) == [problem]


def test_the_tool_schema_has_types_defaults_and_required_arguments():
    assert to_json_schema(SPECS["capture_screen"]) == {
        "name": "capture_screen",
        "description": "Takes a screenshot.",
        "parameters": {
            "type": "object",
            "properties": {
                "mode": {"type": "string", "description": "What to take.", "default": "viewport"},
                "name": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "description": "A field.",
                    "default": None,
                },
            },
            "required": [],
            "additionalProperties": False,
        },
    }
    checkbox = to_json_schema(SPECS["modify_checkbox"])["parameters"]
    assert checkbox["properties"]["values"]["anyOf"] == [
        {"type": "string"},
        {"type": "array", "items": {"type": "string"}},
        {"type": "boolean"},
    ]
    assert checkbox["required"] == ["name", "values"]
    assert "Returns: Whether" in to_json_schema(SPECS["modify_text"])["description"]


def test_the_tool_schema_enumerates_the_choices_of_an_argument():
    def look(at: str = "page") -> None:
        """Looks.

        Args:
            at: At what.
        """

    schema = to_json_schema(from_method(look, {"at": ("page", "screen")}))
    assert schema["parameters"]["properties"] == {
        "at": {"type": "string", "enum": ["page", "screen"], "description": "At what.", "default": "page"}
    }


def test_the_input_of_a_tool_call_binds_as_arguments_by_name():
    assert SPECS["scroll"].bind(keywords={"dy": 3}) == ActionCall("scroll", {"dx": 0, "dy": 3})


def test_the_prompt_tells_each_action_with_arguments_and_examples():
    prompt = to_prompt({"modify_text": SPECS["modify_text"], "maximize": SPECS["maximize"]})
    first, *actions = prompt.split("\n\nm")
    assert first.startswith("Act by writing calls")
    assert actions == [
        inspect.cleandoc("""
            odify_text(name: str, value: str)
                Types a text into a field.

                What the field holds is replaced.
                name: The field's name.
                value: The text to type; may be empty.
                Returns: Whether the field now holds the text.
                Example: modify_text('q1', 'hello')
                Example: modify_text('q1', '')"""),
        inspect.cleandoc("""
            aximize()
                Makes the window as large as it can be.
                Example: maximize()"""),
    ]


def test_the_markdown_has_a_section_an_action():
    text = to_markdown({"capture_screen": SPECS["capture_screen"], "maximize": SPECS["maximize"]})
    assert (
        text
        == inspect.cleandoc(r"""
        ## `capture_screen`

        ```python
        capture_screen(mode: str = 'viewport', name: str | None = None)
        ```

        Takes a screenshot.

        | argument | type | default | meaning |
        | --- | --- | --- | --- |
        | `mode` | `str` | `'viewport'` | What to take. |
        | `name` | `str \| None` | `None` | A field. |

        ```python
        capture_screen('element', 'q1')
        ```

        ## `maximize`

        ```python
        maximize()
        ```

        Makes the window as large as it can be.

        ```python
        maximize()
        ```
    """)
        + "\n"
    )


class TestParameter:
    @pytest.mark.parametrize(
        ("type_", "value", "expected"),
        [
            ("str", 3, "3"),
            ("str", 2.0, "2"),
            ("str", 2.5, "2.5"),
            ("str", False, "False"),
            ("int", 2.0, 2),
            ("int", "2", 2),
            ("int", "2.0", 2),
            ("float", 2, 2),
            ("float", "2", 2),
            ("float", " -2.5e1 ", -25.0),
            ("float", ".5", 0.5),
            ("bool", "true", True),
            ("bool", "False", False),
            ("list[str]", "a", ["a"]),
            ("list[str]", [1, "a"], ["1", "a"]),
            ("list[int]", "3", [3]),
            ("float | str", "3", "3"),
            ("str | float", 3, 3),
            ("str | bool", True, True),
            ("str | None", None, None),
        ],
    )
    def test_a_value_is_converted_where_it_can_be_meant_in_one_way(self, type_, value, expected):
        accepted = Parameter("x", type_).accept(value)
        assert (accepted, type(accepted)) == (expected, type(expected))

    @pytest.mark.parametrize(
        ("type_", "value"),
        [("str", None), ("str", ["a"]), ("int", 2.5), ("int", "2.5"), ("int", True), ("float", True), ("float", "x"),
         ("float", "1e999"), ("float", "٣"), ("float", ""), ("bool", 1), ("bool", "yes"), ("list[str]", None),
         ("list[str]", [["a"]]), ("None", "None")],
    )  # fmt: skip
    def test_a_value_that_does_not_fit_is_refused(self, type_, value):
        with pytest.raises(ValueError, match="the argument 'x' must be"):
            Parameter("x", type_).accept(value)

    def test_a_text_that_is_none_of_the_choices_is_refused(self):
        parameter = Parameter("x", "str", choices=("a", "b"))
        assert parameter.accept("b") == "b"
        with pytest.raises(ValueError, match="the argument 'x' must be one of a, b, not str 'c'"):
            parameter.accept("c")

"""AMT's tools that make an answer of several parts: categories, spans of a text, shapes on an image."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.site import Shown, done
from tests.standins.conftest import ShowCrowd

LONDON = {"endOffset": 28, "label": "place", "startOffset": 22}
ADA = {"endOffset": 12, "label": "person", "startOffset": 0}


def answer(shown: Shown, name: str) -> Any:
    """What one hidden field of the page holds now."""
    return json.loads(shown.page(f"document.getElementsByName({name!r})[0].value"))


# Categories


def test_classifiers_are_choices_under_the_names_that_amt_gives_their_columns(crowd: ShowCrowd) -> None:
    shown = crowd(file="classifiers")
    found = {field.name: (field.kind, field.values, field.visible) for field in shown.actions.fields()}
    assert {name: kind for name, kind in found.items() if "." in name} == {
        "mood.label": ("radio", ("Positive", "It's bad", "Neutral"), True),
        "topics.labels": ("checkbox", ("Art", "Science", "None of the above"), True),
        "animal.label": ("radio", ("Cat", "Dog"), True),
        "animal.workerComment": ("textarea", (), False),
        "colours.labels": ("checkbox", ("Red", "Blue"), True),
    }


def test_what_is_chosen_is_sent(crowd: ShowCrowd) -> None:
    shown = crowd(file="classifiers")
    done(shown.actions.modify_radio("mood.label", "It's bad"))
    done(shown.actions.modify_checkbox("topics.labels", ["Art", "Science"]))
    done(shown.actions.modify_radio("animal.label", "Dog"))
    done(shown.actions.modify_checkbox("colours.labels", ["Red"]))
    shown.page("void (document.querySelector('crowd-image-classifier details').open = true)")
    shown.page("void Array.from(document.querySelectorAll('details')).forEach((each) => { each.open = true; })")
    done(shown.actions.modify_text("animal.workerComment", "it barks"))
    submission = shown.submit()
    assert submission.accepted
    assert {name: value for name, value in submission.values.items() if "." in name} == {
        "mood.label": ("It's bad",),
        "topics.labels": ("Art", "Science"),
        "animal.label": ("Dog",),
        "animal.workerComment": ("it barks",),
        "colours.labels": ("Red",),
    }


def test_a_classifier_without_a_choice_blocks_the_submission(crowd: ShowCrowd) -> None:
    blocked = crowd(file="classifiers").submit().blocked
    assert all(name in blocked for name in ("mood.label", "topics.labels", "animal.label", "colours.labels"))


def test_none_of_these_goes_with_no_other_category(crowd: ShowCrowd) -> None:
    shown = crowd(file="classifiers")
    done(shown.actions.modify_checkbox("topics.labels", ["Art"]))
    none = "document.querySelector('input[value^=None]')"
    shown.page(f"void {none}.click()")
    assert shown.page("document.querySelector('crowd-classifier-multi-select').value") == {
        "labels": ["None of the above"]
    }
    shown.page("void document.querySelector('input[value=Science]').click()")
    assert shown.page("document.querySelector('crowd-classifier-multi-select').value") == {"labels": ["Science"]}


def test_the_regions_of_a_tool_are_shown_and_its_full_instructions_unfold(crowd: ShowCrowd) -> None:
    shown = crowd(file="classifiers")
    text = shown.page("document.querySelector('crowd-classifier').innerText")
    for words in ("What is the mood?", "I am happy today.", "Choose one.", "All about moods"):
        assert words in text
    assert not shown.page("document.querySelector('full-instructions').checkVisibility()")
    shown.page("void document.querySelector('summary').click()")
    assert shown.page("document.querySelector('full-instructions').checkVisibility()")


def test_scripts_set_and_read_a_category_and_change_the_categories(crowd: ShowCrowd) -> None:
    shown = crowd(file="classifiers")
    shown.page("void (document.querySelector('crowd-classifier').value = { label: 'Neutral' })")
    assert shown.page("document.querySelector('crowd-classifier').value") == {"label": "Neutral"}
    shown.page("void document.querySelector('crowd-image-classifier').setAttribute('categories', '[\"Cow\"]')")
    field = next(field for field in shown.actions.fields() if field.name == "animal.label")
    assert field.values == ("Cow",)
    assert "Tell us more." in shown.page("document.querySelector('crowd-image-classifier').textContent")


# Spans of a text


def test_the_spans_that_a_page_brings_along_are_marked_and_sent(crowd: ShowCrowd) -> None:
    shown = crowd(file="entities")
    assert answer(shown, "names.entities") == [LONDON]
    assert shown.page("Array.from(document.querySelectorAll('mark'), (mark) => mark.innerText)") == ["London"]
    assert shown.page("document.querySelector('crowd-entity-annotation').value") == {"entities": [LONDON]}


def test_text_selected_by_the_mouse_becomes_a_span_under_the_chosen_label(crowd: ShowCrowd) -> None:
    shown = crowd(file="entities")
    edges = shown.page(
        "(() => { const range = document.createRange(), text = document.querySelector('.crowd-text').firstChild;"
        " range.setStart(text, 0); range.setEnd(text, 12); const box = range.getBoundingClientRect();"
        " return [box.left + 1, box.top + box.height / 2, box.right - 1]; })()"
    )
    left, middle, right = edges
    done(shown.actions.drag(left, middle, right, middle))
    assert answer(shown, "names.entities") == [ADA, LONDON]
    assert shown.page("Array.from(document.querySelectorAll('mark'), (mark) => mark.innerText)") == [
        "Ada Lovelace",
        "London",
    ]


def test_text_selected_by_the_keyboard_becomes_a_span_under_the_label_of_the_pressed_number(crowd: ShowCrowd) -> None:
    shown = crowd(file="entities")
    shown.page("void document.querySelector('.crowd-text').focus()")
    shown.page("void document.getSelection().collapse(document.querySelector('.crowd-text'), 0)")
    for key in ("2", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "Enter"):
        done(shown.actions.press(key))
    assert answer(shown, "names.entities") == [{"endOffset": 3, "label": "place", "startOffset": 0}, LONDON]


def test_the_text_cannot_be_changed(crowd: ShowCrowd) -> None:
    shown = crowd(file="entities")
    shown.page("void document.querySelector('.crowd-text').focus()")
    for key in ("x", "Delete", "Backspace"):
        shown.actions.press(key)
    assert shown.page("document.querySelector('.crowd-text').innerText") == "Ada Lovelace lived in London."


def test_a_span_that_overlaps_another_is_not_taken_and_a_span_can_be_removed(crowd: ShowCrowd) -> None:
    shown = crowd(file="entities")
    shown.page(
        "void (document.getSelection().selectAllChildren(document.querySelector('.crowd-text')),"
        " document.dispatchEvent(new MouseEvent('mouseup')))"
    )
    assert answer(shown, "names.entities") == [LONDON]
    shown.page("void document.querySelector('[aria-label^=Remove]').click()")
    assert answer(shown, "names.entities") == []
    assert shown.page("document.querySelectorAll('mark').length") == 0


# Shapes on an image


def on(shown: Shown, element: str, *points: tuple[int, int]) -> list[tuple[float, float]]:
    """Where points of an element's image are in the viewport; the image is brought there."""
    left, top, scale = shown.page(
        f"(() => {{ const image = document.querySelector('{element} .crowd-canvas > img');"
        f" image.scrollIntoView({{block: 'center'}});"
        " const box = image.getBoundingClientRect(); return [box.left, box.top, box.width / image.naturalWidth]; })()"
    )
    return [(left + x * scale, top + y * scale) for x, y in points]


def test_a_box_is_drawn_by_dragging_and_measured_in_pixels_of_the_image(crowd: ShowCrowd) -> None:
    shown = crowd(file="drawing")
    shown.page("void document.querySelector('crowd-bounding-box .crowd-label[value=Cat]').click()")
    (start, end) = on(shown, "crowd-bounding-box", (150, 80), (110, 20))
    done(shown.actions.drag(*start, *end))
    dog, cat = answer(shown, "boxes.boundingBoxes")
    assert dog == {"label": "Dog", "left": 30, "top": 30, "width": 40, "height": 40}
    assert cat["label"] == "Cat"
    assert {side: pytest.approx(cat[side], abs=1) for side in ("left", "top", "width", "height")} == {
        "left": 110,
        "top": 20,
        "width": 40,
        "height": 60,
    }
    sent = shown.sent()
    assert (sent["boxes.inputImageProperties.height"], sent["boxes.inputImageProperties.width"]) == (("100",), ("200",))


def test_a_press_without_a_drag_is_no_box_and_backspace_takes_the_last_one_away(crowd: ShowCrowd) -> None:
    shown = crowd(file="drawing")
    (place,) = on(shown, "crowd-bounding-box", (150, 50))
    done(shown.actions.click(*place))
    assert len(answer(shown, "boxes.boundingBoxes")) == 1
    shown.page("void document.querySelector('crowd-bounding-box .crowd-canvas').focus()")
    done(shown.actions.press("Backspace"))
    assert answer(shown, "boxes.boundingBoxes") == []


def test_points_are_pressed_one_by_one(crowd: ShowCrowd) -> None:
    shown = crowd(file="drawing")
    for place in on(shown, "crowd-keypoint", (20, 30), (120, 60)):
        done(shown.actions.click(*place))
    found = answer(shown, "points.keypoints")
    assert [point["label"] for point in found] == ["Eye", "Eye"]
    assert [(point["x"], point["y"]) for point in found] == [
        (pytest.approx(20, abs=1), pytest.approx(30, abs=1)),
        (pytest.approx(120, abs=1), pytest.approx(60, abs=1)),
    ]


@pytest.mark.parametrize(
    ("element", "field", "points", "ends"),
    [
        ("crowd-polygon", "areas.polygons", [(20, 20), (100, 20), (60, 80), (20, 20)], None),
        ("crowd-polygon", "areas.polygons", [(20, 20), (100, 20), (60, 80)], "Enter"),
        ("crowd-polyline", "roads.polylines", [(20, 20), (100, 20), (60, 80)], "Enter"),
        ("crowd-line", "lines.lines", [(20, 20), (100, 20)], None),
    ],
)
def test_corners_are_pressed_until_the_shape_ends(
    crowd: ShowCrowd, element: str, field: str, points: list[tuple[int, int]], ends: str | None
) -> None:
    shown = crowd(file="drawing")
    for place in on(shown, element, *points):
        done(shown.actions.click(*place))
    if ends:
        assert answer(shown, field) == []
        shown.page(f"void document.querySelector('{element} .crowd-canvas').focus()")
        done(shown.actions.press(ends))
    (shape,) = answer(shown, field)
    assert len(shape["vertices"]) == (2 if element == "crowd-line" else 3)
    assert (shape["vertices"][1]["x"], shape["vertices"][1]["y"]) == (
        pytest.approx(100, abs=1),
        pytest.approx(20, abs=1),
    )


def test_a_double_press_ends_a_line_without_a_further_point(crowd: ShowCrowd) -> None:
    shown = crowd(file="drawing")
    first, second = on(shown, "crowd-polyline", (20, 20), (100, 20))
    done(shown.actions.click(*first))
    done(shown.actions.double_click(*second))
    (shape,) = answer(shown, "roads.polylines")
    assert len(shape["vertices"]) == 2


def test_too_few_corners_are_no_shape(crowd: ShowCrowd) -> None:
    shown = crowd(file="drawing")
    for place in on(shown, "crowd-polygon", (20, 20), (100, 20)):
        done(shown.actions.click(*place))
    shown.page("void document.querySelector('crowd-polygon .crowd-canvas').focus()")
    done(shown.actions.press("Enter"))
    assert answer(shown, "areas.polygons") == []


def test_a_tool_that_is_not_there_says_so(crowd: ShowCrowd) -> None:
    shown = crowd(
        "<crowd-semantic-segmentation name=a src=/picture.svg header='Paint the cats'></crowd-semantic-segmentation>"
    )
    text = shown.page("document.querySelector('crowd-semantic-segmentation').innerText")
    assert "Paint the cats" in text
    assert "crowd-semantic-segmentation" in text
    assert "no answer can be given" in text
    assert not [name for name in shown.sent() if name.startswith("a.") or name == "a"]

"""Exact scaling both ways: what a model sees and names is what is pressed, at every scale and in every numbers."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from harness.kit import picture
from harness.solvers.models.computer.screen import OffScreen, ScreenRule, as_wide_as, in_patches, smart_resize
from harness.solvers.models.computer.table import DIALECTS

RULES = {
    **{name: known.dialect.rule for name, known in DIALECTS.items()},
    "half": ScreenRule(as_wide_as(640)),
    "twice": ScreenRule(as_wide_as(2560)),
}
LEAST = 8
"""Pixels of the smallest field: the points of a grid of a thousand are up to four apart on a screen of 4000."""


@st.composite
def fields(draw: st.DrawFn) -> tuple[tuple[int, int], tuple[float, float, float, float]]:
    """A page area, and the box of a field in it."""
    page = draw(st.tuples(st.integers(320, 3840), st.integers(320, 2160)))
    width, height = (draw(st.floats(LEAST, side / 2)) for side in page)
    left, top = draw(st.floats(0, page[0] - width)), draw(st.floats(0, page[1] - height))
    return page, (left, top, left + width, top + height)


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
@given(field=fields())
def test_a_click_on_the_centre_of_any_field_lands_in_it(rule: ScreenRule, field) -> None:
    page, (left, top, right, bottom) = field
    screen = rule.screen(page)
    named = screen.from_page((left + right) / 2, (top + bottom) / 2)
    x, y = screen.to_page(*named)
    assert left <= x < right, (screen, named)
    assert top <= y < bottom, (screen, named)


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_the_corners_are_on_the_screen_and_nothing_beyond_them_is(rule: ScreenRule) -> None:
    screen = rule.screen((1280, 800))
    assert screen.to_page(0, 0) == (0, 0)
    assert screen.to_page(*screen.units) == (1279, 799)
    for x, y in ((-1, 0), (0, -1), (screen.units[0] + 1, 0), (0, screen.units[1] + 1)):
        with pytest.raises(OffScreen, match="is off the screen"):
            screen.to_page(x, y)


@given(st.integers(100, 4000), st.integers(100, 4000))
def test_a_size_that_fits_is_within_the_limits_and_a_wider_one_is_not(width: int, height: int) -> None:
    fit = in_patches(28, edge=1568, tokens=1568)
    across, down = fit(width, height)
    assert max(across, down) <= 1568
    assert -(-across // 28) * -(-down // 28) <= 1568
    assert fit(across, down) == (across, down)


@given(st.integers(100, 4000), st.integers(100, 4000))
def test_a_picture_of_a_resized_size_is_not_resized_again(width: int, height: int) -> None:
    fit = smart_resize(28, least=100 * 28**2, most=16_384 * 28**2)
    size = fit(width, height)
    assert fit(*size) == size
    assert size[0] % 28 == size[1] % 28 == 0


def test_the_usual_screen_is_sent_as_the_sources_say() -> None:
    sizes = {name: rule.screen((1280, 800)).sent for name, rule in RULES.items()}
    for name in ("openai", "gemini", "anthropic-20260801", "anthropic-20251124", "qwen3-vl", "kimi"):
        assert sizes[name] == (1280, 800)
    assert sizes["ui-tars-1.5"] == sizes["qwen2.5-vl"] == sizes["opencua"] == (1288, 812)
    assert sizes["fara"] == (1428, 896)


def test_a_part_that_is_zoomed_into_shows_what_is_there() -> None:
    image = Image.new("RGB", (1280, 800), "white")
    image.paste((255, 0, 0), (100, 100, 200, 160))
    file = io.BytesIO()
    image.save(file, "PNG")
    zoomed = RULES["openai"].screen((1280, 800)).zoomed(file.getvalue(), (100, 100, 200, 160))
    assert picture.size(zoomed) == (1280, 768)
    with Image.open(io.BytesIO(zoomed)) as seen:
        assert seen.getpixel((640, 384)) == (255, 0, 0)

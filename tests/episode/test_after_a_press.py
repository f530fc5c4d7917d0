"""What a press sets off has happened when the action is over, so that the next one does not find it half done."""

from __future__ import annotations

import pytest

from tests.conftest import Show
from tests.site import done

LINK = """<a href="javascript:add()" style="display: inline-block; width: 200px">more</a>
<input type=hidden name=count value=0>
<script>
function add() { const field = document.getElementsByName("count")[0]; field.value = Number(field.value) + 1; }
</script>"""

UNFOLDING = """<style>
#panel { overflow: hidden; height: 0; transition: height .3s; } #panel.open { height: 100px; }
</style>
<button type=button style="width: 200px">fold</button>
<div id=panel><input name=a></div>
<input type=hidden name=count value=0>
<script>
const panel = document.getElementById("panel");
let moves = false;
panel.addEventListener("transitionend", () => { moves = false; });
document.querySelector("button").onclick = () => {
  if (moves) return;
  moves = true;
  panel.classList.toggle("open");
  const field = document.getElementsByName("count")[0];
  field.value = Number(field.value) + 1;
};
</script>"""

GLOWING = """<style>button { transition: background-color 60s; } button:active { background-color: red; }</style>
<button type=button style="width: 200px; height: 40px" onclick="glow(this)">glow</button>
<script>function glow(button) { button.style.backgroundColor = "blue"; }</script>"""


def counts(shown, presses: int) -> list[str]:
    found = []
    for _ in range(presses):
        done(shown.actions.click(60, 20))
        found += [field.initial[0] for field in shown.actions.fields() if field.name == "count"]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("page", [LINK, UNFOLDING], ids=["a link that is a script", "a panel that unfolds"])
def test_what_a_press_sets_off_is_over_before_the_next_one(show: Show, page: str) -> None:
    assert counts(show(page), 6) == ["1", "2", "3", "4", "5", "6"]


def test_a_colour_that_changes_is_no_motion(show: Show) -> None:
    shown = show(GLOWING)
    done(shown.actions.click(60, 20))
    (glow,) = shown.page("document.getAnimations().map((each) => each.playState)")
    assert glow == "running"


def test_links_that_are_scripts_run_as_often_as_they_are_pressed(show: Show) -> None:
    shown = show(LINK)
    shown.page("for (let press = 0; press < 300; press++) document.querySelector('a').click()")
    shown.actions.wait_till_loaded()
    assert [field.initial for field in shown.actions.fields() if field.name == "count"] == [("300",)]


@pytest.mark.slow
def test_what_an_action_put_off_for_longer_is_not_waited_for(show: Show) -> None:
    shown = show(
        "<button type=button style='width: 200px'>start</button><script>"
        "window.ticks = 0; const tick = () => { ticks += 1; setTimeout(tick, 20); };"
        "const longer = () => { window.late = true; };"
        "document.querySelector('button').onclick = () => { setTimeout(longer, 60000); tick(); };"
        "</script>"
    )
    done(shown.actions.click(60, 20))
    before = shown.page("ticks")
    done(shown.actions.click(60, 200))
    # A minute would have had 3,000 of them; how many there are before a driver comes back is a matter of load.
    assert shown.page("[before < 1500, window.late]".replace("before", str(before))) == [True, None]


def test_the_pages_clock_goes_on_with_presses_and_timers_and_not_by_itself(show: Show) -> None:
    shown = show("<button type=button style='width: 200px'>start</button>")
    begin = shown.page("Date.now()") - 1
    shown.page("(() => { const end = performance.now() + 30; while (performance.now() < end); })()")
    assert shown.page("Date.now()") - begin == 2
    done(shown.actions.click(60, 20))
    assert shown.page("Date.now()") - begin == 1000
    shown.page("new Promise((resume) => setTimeout(resume, 20))")
    assert shown.page("Date.now()") - begin == 1020

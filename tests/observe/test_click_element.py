from __future__ import annotations

from harness.actions.result import ErrorCode
from harness.observe import encode
from tests.conftest import Show
from tests.site import Shown, done, refused


def numbers(shown: Shown) -> dict[str, str]:
    """What can be operated, by its number, as a model is shown it: name of the field, else text."""
    snapshot = shown.actions.observation.snapshot()
    encoded = encode("text", snapshot, count=len)
    return {ref: name or "" for ref, name in encoded.refs.items()}


def test_a_number_is_pressed_wherever_it_stands(show: Show) -> None:
    shown = show('<div style="height:3000px"></div><input type="radio" name="far" value="1"><input name="x">')
    assert numbers(shown) == {"1": "far", "2": "x", "3": ""}
    result = shown.actions.click_element("1")
    done(result)
    assert result.message == 'pressed [1] <input> "1"'
    assert [step.action for step in shown.actions.trajectory.steps] == ["click_element('1')"]
    assert shown.sent()["far"] == ("1",)


def test_a_place_is_looked_up_when_it_is_pressed(show: Show) -> None:
    shown = show('<p id="above"></p><button type="button" onclick="this.textContent = \'pressed\'">Go</button>')
    numbers(shown)
    shown.page("document.getElementById('above').style.height = '500px'")
    done(shown.actions.click_element(1))
    assert shown.page("document.querySelector('button').textContent") == "pressed"


def test_what_the_page_listens_on_has_a_number(show: Show) -> None:
    shown = show(
        "<h2 id='more'>Details</h2><div id='body'></div>"
        "<script>document.getElementById('more').addEventListener('click', () => {"
        "document.getElementById('body').innerHTML = '<input name=late>'; });</script>"
    )
    assert numbers(shown) == {"1": "", "2": ""}
    done(shown.actions.click_element("[1]"))
    assert numbers(shown) == {"1": "", "3": "late", "2": ""}


def test_what_is_in_a_shadow_tree_is_pressed(show: Show) -> None:
    shown = show('<div id="host"></div>')
    shown.page(
        """(() => { const root = document.getElementById("host").attachShadow({ mode: "open" });
        root.innerHTML = '<button type="button" onclick="this.textContent = 1">Press</button>'; })()"""
    )
    numbers(shown)
    done(shown.actions.click_element("1"))
    assert shown.page("document.getElementById('host').shadowRoot.textContent") == "1"


def test_a_press_on_submit_ends_the_episode(show: Show) -> None:
    shown = show('<input name="x" value="1">')
    assert numbers(shown) == {"1": "x", "2": ""}
    done(shown.actions.click_element("2"))
    assert shown.actions.submitted
    refused(shown.actions.click_element("1"), ErrorCode.ALREADY_SUBMITTED, "submitted")


def test_numbers_are_given_without_an_observation_too(show: Show) -> None:
    shown = show('<input type="checkbox" name="a" value="1">')
    done(shown.actions.click_element("1"))
    assert shown.sent()["a"] == ("1",)


def test_what_cannot_be_pressed_is_refused_with_a_reason(show: Show) -> None:
    shown = show(
        '<select name="list"><option>a</select><input type="file" name="file"><input name="gone" id="gone">'
        '<button type="button" id="later">x</button>'
        '<div id="cover"></div>'
    )
    assert list(numbers(shown).values()) == ["list", "file", "gone", "", ""]
    refused(shown.actions.click_element("1"), ErrorCode.ANOTHER_KIND, "modify_select")
    refused(shown.actions.click_element("2"), ErrorCode.TAKES_FILE, "file")
    shown.page("document.getElementById('gone').remove(); document.getElementById('later').disabled = true")
    refused(shown.actions.click_element("3"), ErrorCode.ELEMENT_GONE, "no longer on the page")
    refused(shown.actions.click_element("4"), ErrorCode.DISABLED, "disabled")
    refused(shown.actions.click_element("99"), ErrorCode.NO_SUCH_ELEMENT, "no observation of this page has shown")
    refused(shown.actions.click_element("the button"), ErrorCode.NO_SUCH_ELEMENT, "no number")
    shown.page("document.getElementById('cover').style.cssText = 'position:fixed;inset:0;background:red'")
    refused(shown.actions.click_element("5"), ErrorCode.COVERED, "covered by <div#cover>")

"""AutoWebGLM's functions on a website: what each does, by the library's actions."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from harness.actions.autowebglm import AUTOWEBGLM
from harness.actions.call import ActionCall
from harness.actions.parser import parse
from harness.actions.result import ActionResult
from harness.actions.spec import check_examples
from harness.episode import trajectory as trajectory_module
from harness.episode.action_sets import AutoWebGLMActions, NoFunction, actions_of, function_call, library_call
from harness.episode.observation import element_number
from harness.episode.site_assignment import User
from harness.episode.trajectory import Trajectory
from harness.forms.kind import FORMS
from harness.observe.encoding import letters
from harness.records.config import Limits
from harness.run.task_kind import WrongActions
from tests.site import Site
from tests.websites import Acting, Website, website

PAGE = (
    "<input id=q aria-label=Search><select id=s><option>Old</option><option>New</option></select>"
    "<a id=l href='/two'>Two</a><button id=b onclick=\"document.title='pressed'\">Go</button>"
    "<p id=h tabindex=0 onmouseover=\"document.title='over'\">Menu</p><div style='height:3000px'>long</div>"
)


@pytest.fixture(scope="module")
def shop(site: Site) -> Iterator[Website]:
    with website(site) as made:
        yield made


@pytest.fixture
def acting(shop: Website) -> Acting:
    shop.put("/two", "second")
    url = shop.put("/", PAGE, "Home")
    shop.browser.clear()
    shop.browser.open(url)
    act = AutoWebGLMActions(
        shop.browser,
        shop.session.input,
        Trajectory(),
        actions_of("autowebglm"),
        user=User({"Code": "4711", "name": "Ann"}),
    )
    act.moments.take(None)
    return Acting(act)


def said(acting: Acting, text: str) -> ActionResult:
    [call] = parse(text, acting.act.specs)
    assert isinstance(call, ActionCall), call
    return acting.act.call(call)


def named(acting: Acting, mark: str) -> str:
    return letters(acting.ref(mark))


def title(acting: Acting) -> str:
    return acting.act.tabs()[-1].title


def test_functions_act_on_elements_by_letters(acting: Acting) -> None:
    assert said(acting, f"click('{named(acting, 'b')}')").ok
    assert title(acting) == "pressed"
    assert said(acting, f"hover('{named(acting, 'h')}')").ok
    assert title(acting) == "over"
    assert said(acting, f"type_string('{named(acting, 'q')}', 'kettle', False)").ok
    assert said(acting, f"select('{named(acting, 's')}', 'New')").ok
    held = [node.control.value for node in acting.act.observation.snapshot().nodes if node.control]
    assert "kettle" in held
    assert [step.action.partition("(")[0] for step in acting.act.trajectory.steps] == [
        "click_element", "hover_element", "fill", "select_option",
    ]  # fmt: skip
    assert not said(acting, "click('ZZZ')").ok


@pytest.mark.slow
def test_functions_lead_to_pages_and_tabs(acting: Acting) -> None:
    assert said(acting, f"click('{named(acting, 'l')}')").ok
    assert acting.url.endswith("/two")
    assert said(acting, "go('backward')").ok
    assert said(acting, "scroll_page('down')").ok
    assert said(acting, "go('forward')").ok
    assert said(acting, "jump_to('/', True)").ok
    assert len(acting.act.tabs()) == 2
    assert said(acting, "switch_tab(1)").ok
    assert acting.url.endswith("/two")
    assert said(acting, "jump_to('/', False)").ok
    assert not said(acting, "switch_tab(3)").ok
    assert said(acting, "finish('4711')").ok
    assert (acting.act.finished, acting.act.answer) == (True, "4711")


def test_the_user_answers_from_the_tasks_file(acting: Acting) -> None:
    assert said(acting, "user_input('What is your code?')").message == "the user answers: 4711"
    assert said(acting, "user_input('Your NAME?')").message == "the user answers: Ann"
    assert said(acting, "user_input('And your age?')").message == "the user gives no answer: go on without"


def test_a_person_is_asked_what_the_tasks_file_does_not_answer_and_the_wait_is_not_the_solvers_time(
    acting: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, questions = [0.0], []

    def person(question: str) -> str | None:
        questions.append(question)
        now[0] += 1000.0  # more than the episode has
        return "42" if "age" in question else None

    clock = SimpleNamespace(monotonic=lambda: now[0], perf_counter=lambda: now[0])
    monkeypatch.setattr(trajectory_module, "time", clock)
    trajectory = acting.act.trajectory = Trajectory(Limits(max_seconds=300.0))
    acting.act._user = User({"code": "4711"}, person)
    for asked, said_then in (("Your code?", "the user answers: 4711"), ("Your age?", "the user answers: 42")):
        assert said(acting, f"user_input('{asked}')").message == said_then
    assert said(acting, "user_input('Your name?')").message == "the user gives no answer: go on without"
    assert questions == ["Your age?", "Your name?"]
    assert (trajectory.wait_ms, [step.ms for step in trajectory.steps]) == (2_000_000.0, [0.0, 0.0, 0.0])
    trajectory.check_limits()


CALLS = [
    "click('A')", "hover('AB')", "select('C', 'New')", "type_string('D', \"it's\", True)",
    "type_string('D', '', False)", "go('forward')", "go('backward')", "jump_to('/x', True)", "jump_to('/x', False)",
    "switch_tab(2)", "user_input('code?')", "finish('x')", "finish(None)",
]  # fmt: skip


@pytest.mark.parametrize("text", CALLS)
def test_a_function_and_its_action_of_the_library_say_the_same(text: str) -> None:
    [call] = parse(text, AUTOWEBGLM)
    assert isinstance(call, ActionCall)
    done = library_call(call, 800)
    numbered = {name: element_number(value) if name == "ref" else value for name, value in done.args.items()}
    assert function_call(ActionCall(done.name, numbered)) == call


def test_a_page_is_scrolled_by_one_screen() -> None:
    for direction, pixels in (("down", 800), ("up", -800)):
        call = ActionCall("scroll_page", {"direction": direction})
        assert library_call(call, 800) == ActionCall("scroll", {"dx": 0, "dy": pixels})


def test_what_no_function_does_is_told() -> None:
    with pytest.raises(NoFunction, match="reload"):
        function_call(ActionCall("reload", {}))


def test_only_literals_are_arguments() -> None:
    assert not check_examples(AUTOWEBGLM)
    for text in ("click(A)", "click('A'.lower())", "scroll_page('left')", "type_string('A', f'{x}', True)"):
        assert not any(isinstance(each, ActionCall) for each in parse(text, AUTOWEBGLM)), text


def test_forms_have_no_such_functions() -> None:
    with pytest.raises(WrongActions, match="--actions autowebglm"):
        FORMS.actions("autowebglm")

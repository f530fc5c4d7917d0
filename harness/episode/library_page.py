"""The page of the documentation that describes the action library, made from the code."""

from __future__ import annotations

from collections.abc import Iterator
from string import Template

from harness.actions.spec import to_markdown
from harness.episode.action_sets import ACTION_SETS, USUAL
from harness.episode.element_editor import LEAST_LIKENESS
from harness.episode.library import ACTIONS
from harness.episode.pointer_actions import POINTER_ACTIONS
from harness.episode.site_actions import SITE_ACTIONS

INTRODUCTION = """\
# The action library

Everything that a solver can do to a page: the actions of the TurkingBench paper (Table 3) and seven that its list lacks
(`drag`, `double_click`, `hover`, `press`, and `select_text`, `play_clip`, `wait_until_enabled`), with trusted input and
a check of each result. This page is generated from the code; write it anew with `make docs`.

The same actions work with a driver of your own on any page ([actions on any page](../how-to/actions-on-any-page.md)).

An action is a method of `turkbench.Actions`. A solver gets such an object as `act` and calls it:
`act.modify_radio('sentiment', 'positive')`. A model writes the same calls as text, without `act`; the text is parsed
and never executed ([trust](../explanation/trust.md)). Signatures, descriptions and examples below are also what a
prompt and a tool schema are made of, so that they cannot drift apart.

**Results.** Every action returns an `ActionResult` with `ok`, a one-sentence `message`, `text` (HTML, from
`get_html`), `image` (PNG, from `capture_screen`) and `ms`. An impossible request never raises: its result has `ok`
False, its message says why and what would be possible, and its `code` says why to programs
([error codes](records.md#error-codes)). `LimitReached` is raised when the steps or the time of the episode are
used up; a solver lets it pass.

**Fields** are addressed by name. A `modify_*` action goes through the browser's own input pipeline (the mouse presses,
the keys go down), so that the page's handlers run. Afterwards it leaves the field, reads it back, and says whether the
page holds what was asked. To change a field to what it holds already changes nothing. Only visible, enabled controls
of the answer form can be changed. What no pointer and no key can give a control (the colour of a colour well, a number
between two pixels of a slider) a script sets. Which way input takes is the run's choice (`--input`,
[solver](solver.md#what-a-solver-is-given)).

**Options** are meant by value: exactly, else as a number, else ignoring case and outer white space; else by the text
that is shown. Of two options with one value, the first that can be used is meant.

**Pixels** are those of the page area, which is 1280 x 800 everywhere, at scale 1: a point on a viewport picture is the
point to click.

**Content.** `select_text`, `play_clip` and `wait_until_enabled` are for pages that ask to mark words, to listen first,
or to wait. Programs and the tools of outside agents have them; prompts do not list them, so that they are what they
were and old runs of models compare.

**Looks.** Some methods look without being actions: they cost no step and are not recorded. `act.fields()` gives the
fields of the answer form as they are now; `act.buttons()` the texts of visible things to press that do not submit;
`act.locate_button(text)` the point to `click`; `act.observation` shows the page as a [model](encodings.md) is shown it.

**Submitting.** When a solver is done, the form is submitted for it. A solver may press the page's own button instead,
or change something upon which the page submits itself: then `act.submitted` is True when the action ends, and every
further action is refused. A page that submits later, by a timer, is found out by the next action on a field or the
screen.
"""


ON_WEBSITES = """\
## On websites

In a task on a website `act` is a `turkbench.SiteActions`, which has all of the above and the actions
below: those of WebCanvas.

**Sets.** What a solver is offered is a named set, `act.specs`; `--actions NAME` chooses another than the usual one of
the task's kind, and `run.json` keeps which (`config.actions`). Prompts, parsers and tools offer just that set.

| set | holds | usual for |
| --- | --- | --- |
${sets}

**Elements** are addressed by the number that the last observation of the shown page gave them (`ref`). Another page has
other numbers: one that was loaded since has to be looked at before. `fill` stays in the field, so that what it suggests
stays open, and writes whatever the field holds already. `select_option` takes the option whose text, or else whose
value, is the given text, letter case and white space apart; else the one whose text is most like it by `difflib`'s
ratio, if that is at least ${likeness}.

**Where an action leads.** An action ends when what it has set off has happened: a page that it leads to has loaded, and
what scripts have asked for has come, as far as that is a matter of seconds. Its message says where it has led. A tab
that the page opens is shown, as in any browser; tabs are numbered from 0 in the order in which they were opened. Only
the addresses that the task may visit can be opened (`page.origins`).

**Looks.** `act.tabs()` gives the open tabs: `number`, `url`, `title`, and whether it is `shown`.

**The end.** `finish` ends the episode, with the answer where the goal asks for one; a solver that just returns ends it,
too. Nothing is submitted. Afterwards every action is refused.
"""

FOR_COMPUTER_USE = """\
## For computer use

A model that uses a computer (`--output computer`, [computer use](../how-to/computer-use.md)) points at the screen
alone. What it does there beyond the actions above are these; they are on forms and on websites, and in no set that is
offered by name.
"""


def document() -> str:
    """The whole page, in Markdown."""
    further = {name: spec for name, spec in SITE_ACTIONS.items() if name not in ACTIONS}
    on_websites = Template(ON_WEBSITES).substitute(sets="\n".join(_sets()), likeness=LEAST_LIKENESS)
    parts = [INTRODUCTION, to_markdown(ACTIONS), on_websites, to_markdown(further)]
    return "\n".join([*parts, FOR_COMPUTER_USE, to_markdown(POINTER_ACTIONS)])


def _sets() -> Iterator[str]:
    """The rows of the table of sets."""
    kinds = {"form": "forms", "site": "websites"}
    for name, specs in ACTION_SETS.items():
        held = "all actions of this page but `call_tool`" if name == "all" else ", ".join(f"`{each}`" for each in specs)
        usual = ", ".join(kinds[kind] for kind, usual in USUAL.items() if usual == name)
        yield f"| `{name}` | {held} | {usual} |"

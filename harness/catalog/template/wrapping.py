"""What AMT puts around a requester's page: a form, a submit button, ids, one script function.

All of it is inserted into the text of the page. Nothing that the requester wrote changes, broken markup
included.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from harness.catalog.template.markup import Piece, scan

# Fixed and neutral, so that a page is the same at every visit. None is AMT's ASSIGNMENT_ID_NOT_AVAILABLE,
# upon which templates lock their form.
IDS = {"assignmentId": "assignment", "hitId": "hit", "workerId": "worker"}
"""The hidden inputs of AMT's own that every answer form has, with their values. No answer is among them."""

FORM_START = '<form name="mturk_form" method="post" id="mturk_form">'
FORM_END = "</form>"
SUBMIT = '<p><input type="submit" id="submitButton" value="Submit"></p>'

# AMT's own takes the id from the address of the page. It also locks the form of a worker who has not
# accepted the task, and aims it at AMT; both have no meaning here.
SCRIPT = (
    "<script>function turkSetAssignmentID(id){"
    'var e=document.getElementById("assignmentId"),'
    'v=id||new URLSearchParams(location.search).get("assignmentId");'
    "if(e&&v)e.value=v;}</script>"
)

FRAGMENT_START = '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n'
FRAGMENT_BODY = "\n</head>\n<body>\n"
FRAGMENT_END = "\n</body>\n</html>\n"

# What may stand before the body without opening it (HTML standard, section 13.2.6.4, the modes up to "after
# head").
_HEAD = frozenset({"html", "head", "meta", "title", "link", "script", "style", "base", "noscript"})
_NO_ANSWER = frozenset({"hidden", "submit", "button", "reset", "image"})

# AMT's elements that hold an answer; the others begin with one of these names or hold none.
_CROWD_ANSWERS = (
    "crowd-input",
    "crowd-text-area",
    "crowd-checkbox",
    "crowd-radio-button",
    "crowd-toggle-button",
    "crowd-slider",
    "crowd-classifier",
    "crowd-image-classifier",
    "crowd-entity-annotation",
    "crowd-bounding-box",
    "crowd-keypoint",
    "crowd-poly",
    "crowd-line",
)


@dataclass(frozen=True)
class _Form:
    """A form, or a <crowd-form>: what is in it, from behind its start tag to its end tag (None without one)."""

    pieces: Sequence[Piece]
    start: int
    end: int | None

    @property
    def controls(self) -> int:
        """How many controls for answers it holds."""
        return sum(_takes_answer(piece) for piece in self.pieces)


def listed(names: Iterable[str]) -> str:
    """Names of a form's fields for a message, without those of AMT's own: "'a', 'b'", or "none"."""
    return ", ".join(repr(name) for name in names if name not in IDS) or "none"


def wrap(html: str) -> str:
    """Wrap a page as AMT does.

    - A form goes around the content if the page has none. Of several forms, the one with most controls is the
      answer form.
    - In a page of AMT's custom elements the form goes inside <crowd-form>, unless that is in a form or holds one.
      There a submission passes by the listeners that pages put on <crowd-form>, and only what AMT would send is sent.
      The form is there whether or not the elements' script runs.
    - A submit button goes to the end of the answer form if it has none.
    - The hidden inputs assignmentId, hitId and workerId go to the start of the answer form, those that it
      lacks.
    - The script function turkSetAssignmentID goes before the page's own scripts.
    - A page that is no whole document gets one around it.
    - A policy in a <meta> of the page does not count: it names the hosts that the page was written for, and would shut
      out the mirror's files and the address to which the form goes here.

    Args:
        html: The page, with its variables filled in.

    Returns:
        A whole document.
    """
    pieces = _without_templates(scan(html))
    whole = any(piece.kind == "doctype" or _is_start(piece, "html") for piece in pieces)
    forms = _forms(pieces, "form")
    form = _largest(forms)
    crowd = _largest(_forms(pieces, "crowd-form"))
    inserts: list[tuple[int, str]] = []
    if whole:
        inserts.append((_prologue_end(html, pieces), SCRIPT))
    if crowd is not None and not any(_overlap(form, crowd) for form in forms):
        inserts.append((crowd.start, FORM_START + _ids(pieces, pieces)))
        button = "" if _has_submit(html, crowd.pieces, has_form=True) else SUBMIT
        inserts.append((_content_end(html, pieces) if crowd.end is None else crowd.end, button + FORM_END))
    elif form is None:
        start = _content_start(html, pieces) if whole else 0
        inserts.append((start, FORM_START + _ids(pieces, pieces)))
        button = "" if _has_submit(html, pieces, has_form=False) else SUBMIT
        inserts.append((_content_end(html, pieces), button + FORM_END))
    else:
        inserts.append((form.start, _ids(form.pieces, pieces)))
        if not _has_submit(html, form.pieces, has_form=True) and not any(map(_is_submit_button, pieces)):
            inserts.append((_content_end(html, pieces) if form.end is None else form.end, SUBMIT))
    # Of two attributes of a name the first counts.
    inserts += [(piece.start + len("<meta"), ' http-equiv=""') for piece in pieces if _is_policy(piece)]
    page = _insert(html, inserts)
    return page if whole else FRAGMENT_START + SCRIPT + FRAGMENT_BODY + page + FRAGMENT_END


def sent_names(html: str) -> frozenset[str]:
    """The names of the controls that stand in the answer form of a page that ``wrap`` has made."""
    form = _largest(_forms(_without_templates(scan(html)), "form"))
    controls = (piece for piece in form.pieces if _takes_answer(piece)) if form else ()
    return frozenset(piece.attributes.get("name", "") for piece in controls) - {""}


def _insert(html: str, inserts: Sequence[tuple[int, str]]) -> str:
    parts: list[str] = []
    done = 0
    for at, text in sorted(inserts, key=lambda insert: insert[0]):  # stable: at one place, in the order given
        parts += [html[done:at], text]
        done = at
    return "".join([*parts, html[done:]])


def _without_templates(pieces: Iterable[Piece]) -> list[Piece]:
    """Drop what stands inside <template> elements: it is no part of the page until script copies it there."""
    kept: list[Piece] = []
    depth = 0
    for piece in pieces:
        if piece.name == "template" and piece.kind in {"start", "end"}:
            depth = max(0, depth + (1 if piece.kind == "start" else -1))
        elif depth == 0:
            kept.append(piece)
    return kept


def _forms(pieces: Sequence[Piece], tag: str) -> list[_Form]:
    """Return the elements of a name as a browser sees forms: a start tag inside an open one is ignored."""
    forms: list[_Form] = []
    opened: int | None = None
    for number, piece in enumerate(pieces):
        if opened is None and _is_start(piece, tag):
            opened = number
        elif opened is not None and piece.kind == "end" and piece.name == tag:
            forms.append(_Form(pieces[opened + 1 : number], pieces[opened].end, piece.start))
            opened = None
    if opened is not None:
        forms.append(_Form(pieces[opened + 1 :], pieces[opened].end, None))
    return forms


def _largest(forms: Sequence[_Form]) -> _Form | None:
    """Return the form with most controls, the first of equals."""
    return max(forms, key=lambda form: form.controls, default=None)


def _overlap(form: _Form, other: _Form) -> bool:
    """Whether one of two forms holds the other, or part of it."""
    return (other.end is None or form.start < other.end) and (form.end is None or other.start < form.end)


def _is_start(piece: Piece, *names: str) -> bool:
    return piece.kind == "start" and piece.name in names


def _is_policy(piece: Piece) -> bool:
    return _is_start(piece, "meta") and piece.attributes.get("http-equiv", "").lower() == "content-security-policy"


def _takes_answer(piece: Piece) -> bool:
    if _is_start(piece, "select", "textarea") or (piece.kind == "start" and piece.name.startswith(_CROWD_ANSWERS)):
        return True
    return _is_start(piece, "input") and _type(piece) not in _NO_ANSWER


def _type(piece: Piece) -> str:
    return piece.attributes.get("type", "").strip().lower()


def _is_submit_button(piece: Piece) -> bool:
    """Whether this is the button that AMT's own pages have, which templates' scripts look up."""
    return piece.kind == "start" and piece.attributes.get("id") == "submitButton"


def _has_submit(html: str, pieces: Sequence[Piece], *, has_form: bool) -> bool:
    """Whether there is a control that submits.

    A button without a type submits the form that it is in. In a page that has no form of its own it did
    nothing of the kind when it was written (page turners and the like), so there it has to say that it
    submits.

    Neither <crowd-form> counts, though AMT's elements give it a button, nor <crowd-button>: they need a script,
    and a page can be submitted without it.
    """
    for number, piece in enumerate(pieces):
        if _is_submit_button(piece) or (_is_start(piece, "input") and _type(piece) in {"submit", "image"}):
            return True
        if _is_start(piece, "button") and _type(piece) not in {"button", "reset"}:
            if has_form or _type(piece) == "submit":
                return True
            if "submit" in _wording(html, pieces, number):
                return True
    return False


def _wording(html: str, pieces: Sequence[Piece], number: int) -> str:
    """Return what a button says, in its attributes and its text, in lower case."""
    words = [html[pieces[number].start : pieces[number].end]]
    for piece in pieces[number + 1 :]:
        if piece.name == "button":
            break
        if piece.kind == "text":
            words.append(html[piece.start : piece.end])
    return " ".join(words).lower()


def _ids(form: Sequence[Piece], page: Sequence[Piece]) -> str:
    """Return the hidden inputs that a form lacks, with an id where no element of the page has it."""
    sent = {piece.attributes.get("name") for piece in form if _is_start(piece, "input")}
    taken = {piece.attributes.get("id") for piece in page if piece.kind == "start"}
    inputs = []
    for name, value in IDS.items():
        if name not in sent:
            identity = "" if name in taken else f' id="{name}"'
            inputs.append(f'<input type="hidden" name="{name}"{identity} value="{value}">')
    return "".join(inputs)


def _is_blank(html: str, piece: Piece) -> bool:
    return piece.kind == "comment" or (piece.kind == "text" and not html[piece.start : piece.end].strip())


def _prologue_end(html: str, pieces: Sequence[Piece]) -> int:
    """Return where a whole document's head begins: behind doctype, <html> and <head> if it has them."""
    end = 0
    for piece in pieces:
        if piece.kind == "doctype" or _is_start(piece, "html", "head"):
            end = piece.end
        elif not _is_blank(html, piece):
            break
    return end


def _content_start(html: str, pieces: Sequence[Piece]) -> int:
    """Return where a whole document's content begins: behind <body>, or at what opens one unsaid."""
    for piece in pieces:
        if _is_start(piece, "body"):
            return piece.end
        in_head = piece.kind == "doctype" or piece.name in _HEAD or _is_blank(html, piece)
        if not in_head:
            return piece.start
    return len(html)


def _content_end(html: str, pieces: Sequence[Piece]) -> int:
    """Return where the content ends: at a </body> or </html> that ends the page, else with the text."""
    end = len(html)
    for piece in reversed(pieces):
        if piece.kind == "end" and piece.name in {"body", "html"}:
            end = piece.start
        elif not _is_blank(html, piece):
            break
    return end


ACCEPTED = urlencode({**IDS, "turkSubmitTo": "https://www.mturk.com"})
"""Of a page to be worked."""
PREVIEWED = urlencode({"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "hitId": IDS["hitId"]})
"""Of a page that somebody looks at before they accept it: pages lock their form there, or say what they are about."""

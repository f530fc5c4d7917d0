"""Where agents on websites go wrong: the four classes of AutoWebGLM (Lai et al. 2024, section 3.3, Table 5).

People give them. No rule does: that a press met something before its element does not make that a pop-up, and that an
answer is wrong does not make it one that stood on no page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import get_args

from harness.records.verdict import PlaceVerdict, WebErrorKind

WEB_ERRORS: tuple[WebErrorKind, ...] = get_args(WebErrorKind)
MEANINGS: Mapping[WebErrorKind, str] = {
    "hallucination": "it answered or acted by what no page says",
    "poor_graphics": "what only a picture, a drawing or the layout shows was missed",
    "misread_context": "the task or its situation was taken for another",
    "pop_up": "a window over the page was in the way, and it did not get past",
}
"""What each class means, as those who choose are told; the words are this project's."""
IN_PAPER: Mapping[WebErrorKind, float] = {
    "hallucination": 0.44,
    "poor_graphics": 0.28,
    "misread_context": 0.20,
    "pop_up": 0.08,
}
"""Their shares in the paper's Table 5, from 0 to 1."""


def count_errors(verdicts: Iterable[PlaceVerdict]) -> Mapping[WebErrorKind, int]:
    """How many verdicts give each class."""
    found = Counter(each.error for each in verdicts)
    return {kind: found[kind] for kind in WEB_ERRORS}

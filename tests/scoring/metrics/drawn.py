"""What Hypothesis draws of fields: kinds, options, labels and values."""

from __future__ import annotations

from hypothesis import strategies as st

from harness.scoring.metrics import PROFILES

WORDS = [
    "yes",
    "Yes",
    "no",
    "1",
    "1.0",
    "-1",
    "2",
    "a",
    "b",
    "ab",
    "a|b",
    "on",
    "False",
    "new york",
    "don't",
    "!",
]

BLANKS = ["", " ", "{}", "'{}'", "nan"]

VALUES = st.sampled_from(WORDS) | st.text(max_size=8)

OPTIONS = st.lists(VALUES, max_size=5, unique=True)

ONE = VALUES | st.sampled_from(BLANKS) | st.floats(allow_nan=False).map(str) | st.integers(-9, 99).map(str)

LABELS = st.lists(ONE | st.lists(st.sampled_from(WORDS), max_size=4).map("|".join), max_size=7)

KINDS = st.sampled_from(["text", "textarea", "radio", "checkbox", "select", "range", "hidden"])

PROFILE = st.sampled_from(sorted(PROFILES))

"""Tables 4 and 5 of the TurkingBench paper, transcribed by hand for the tests: nothing here is read from our data.

A cell that the text version of the paper does not have legibly is None.
"""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    """A line of Table 4: length in subwords, context in tokens, score in per cent."""

    printed: str
    size: str | None
    input: str | None
    encoding: str
    demos: int | None
    length: int | None
    context: int
    score: float


K = 1_000
TABLE_4 = (
    Line("Llama3.1-Instruct", "8B", "T", "relevant", 3, 1 * K, 128 * K, 23.2),
    Line("Llama3.1-Instruct", "8B", "T", "relevant", 7, 5 * K, 128 * K, 25.0),
    Line("Llama3.2-Instruct", "3B", "T", "relevant", 3, 1 * K, 128 * K, 20.8),
    Line("Llama3.2-Instruct", "3B", "T", "relevant", 7, 5 * K, 128 * K, 20.3),
    Line("Llama3.2-Vision", "11B", "T+V", "relevant", 3, 1200, 128 * K, 9.28),
    Line("Llama3.2-Vision", "11B", "T+V", "relevant", 7, 6 * K, 128 * K, 17.8),
    Line("LLaVA-VL-Vicuna", "7B", "T+V", "relevant", None, 1600, 4096, 22.7),
    Line("LLaVA-VL-Vicuna", "13B", "T+V", "relevant", None, 1600, 4096, 19.8),
    Line("InternVL2", "40B", "T+V", "relevant", 3, 1600, 8192, 31.0),
    Line("InternVL2", "40B", "T+V", "relevant", 7, 8 * K, 8192, 26.1),
    Line("InternVL2", "76B", "T+V", "relevant", 3, 1600, 8192, 30.4),
    Line("InternVL2", "76B", "T+V", "relevant", 7, 8 * K, 8192, 29.6),
    Line("Qwen2", "72B", "T+V", "relevant", 7, None, 128 * K, 34.1),
    Line("Claude2.1", "Unknown", "T", "full", 7, 82 * K, 200 * K, 22.6),
    Line("GPT4", "Unknown", "T", "relevant", 1, 1200, 128 * K, 19.2),
    Line("GPT4", "Unknown", "T", "relevant", 3, 4 * K, 128 * K, 18.4),
    Line("GPT4", "Unknown", "T", "relevant", 7, 5 * K, 128 * K, 21.3),
    Line("GPT4", "Unknown", "T", "full", 1, 21 * K, 128 * K, 18.7),
    Line("GPT4", "Unknown", "T", "full", 3, 28 * K, 128 * K, 35.7),
    Line("GPT4", "Unknown", "T", "full", 7, 82 * K, 128 * K, 39.3),
    Line("GPT4o", "Unknown", None, "relevant", 0, 900, 128 * K, 32.4),
    Line("GPT4o", "Unknown", None, "relevant", 3, 1600, 128 * K, 30.3),
    Line("GPT4o", "Unknown", None, "relevant", 7, 8 * K, 128 * K, 30.19),
    Line("GPT4-V", "Unknown", "T+V", "full", 1, 22 * K, 128 * K, 19.4),
    Line("GPT4-V", "Unknown", "T+V", "full", 3, 30 * K, 128 * K, 41.1),
    Line("GPT4-V", "Unknown", "T+V", "full", 7, 86 * K, 128 * K, 41.7),
)
BOUNDS = {"Do-nothing": 7.8, "Oracle": 100.0}

TABLE_5 = (
    ("Llama-3.2", "3B", 3, "T", 20.8, 58.7, 25.8, 19.1, 0.3),
    ("Llama-3.2", "3B", 7, "T", 20.3, 56.8, 22.9, 22.0, 2.9),
    ("Gemma-2", "7B", 3, "T", 20.4, 54.1, 28.7, 15.1, 2.0),
    ("InternVL", "40B", 3, "T+V", 30.7, 59.0, 85.0, 46.0, 12.0),
    ("InternVL", "40B", 7, "T+V", 26.1, 85.0, 28.2, 48.1, 7.5),
    ("InternVL", "76B", 3, "T+V", 30.4, 63.7, 29.7, 48.4, 17.1),
    ("InternVL", "76B", 7, "T+V", 29.6, 56.6, 30.5, 46.4, 12.3),
    ("GPT4-VL", "-", 3, "T+V", 30.3, 73.3, 34.2, 16.4, 15.5),
)
"""Model, parameters, demonstrations, modality; scores over all kinds, checkbox, radio, text, textarea."""

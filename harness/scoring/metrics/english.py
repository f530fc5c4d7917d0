"""What ROUGE-L takes from rouge-score: the tokens of English texts, and the F-measure.

The library draws NLTK in, which takes a third of a second: ``harness.scoring.metrics.rouge`` imports this module when a
text is scored, and a run before its workers are forked.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from types import ModuleType
from typing import cast


@contextmanager
def hidden(*names: str) -> Iterator[None]:
    """Let the packages ``names`` look as if they were not installed, to what is imported in the block.

    A library that does without them then does without them. Packages that are imported already stay as they are.

    Args:
        names: Packages, e.g. ``scipy``.
    """
    absent = [name for name in names if name not in sys.modules]
    # Python's own way to make an import fail (https://docs.python.org/3/reference/import.html#the-module-cache).
    sys.modules.update(dict.fromkeys(absent, cast("ModuleType", None)))
    try:
        yield
    finally:
        for name in absent:
            sys.modules.pop(name, None)


# Of these a stemmer needs nothing, but NLTK takes them where they are: 100 MB and two seconds in every process. Where a
# part of SciPy is imported already, its largest part is not.
with hidden("scipy", "scipy.stats", "sklearn", "pandas"):
    from rouge_score import scoring, tokenize, tokenizers


class _Stemmer:
    """The Porter stemmer of rouge-score with a memory: stemming is most of the cost of tokenising."""

    def __init__(self) -> None:
        self._remembered = lru_cache(maxsize=1 << 16)(tokenizers.porter.PorterStemmer().stem)

    def stem(self, word: str) -> str:
        """The stem of a word in lower case."""
        return str(self._remembered(word))


_STEMMER = _Stemmer()


def stemmed_tokens(text: str) -> tuple[str, ...]:
    """The tokens of rouge-score with ``use_stemmer=True``, in order; characters outside ASCII separate tokens."""
    return tuple(tokenize.tokenize(text, _STEMMER))


def f_measure(precision: float, recall: float) -> float:
    """The F1 of a precision and a recall."""
    return float(scoring.fmeasure(precision, recall))

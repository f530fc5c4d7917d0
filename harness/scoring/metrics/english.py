"""What ROUGE-L takes from rouge-score: the tokens of English texts, and the F-measure.

The library draws NLTK in, which takes a third of a second: ``harness.scoring.metrics.rouge`` imports this module when a
text is scored, and a run before its workers are forked.
"""

from __future__ import annotations

from functools import lru_cache

from harness.scoring.metrics.hidden import hidden

# Of these a stemmer needs nothing, but NLTK takes them where they are: 100 MB and two seconds in every process.
with hidden("scipy", "sklearn", "pandas"):
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

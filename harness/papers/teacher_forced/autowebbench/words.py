"""The words of a parameter, which ROUGE-1 compares: by a rule of this module, or as jieba finds them."""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Callable, Mapping

from harness.kit.files.writing import cache_folder
from harness.models.client import MissingExtra

EXTRA = "chinese"
"""The file that brings jieba."""
_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_HAN}]|[^\W{_HAN}]+|[^\w\s]")

Words = Callable[[str], frozenset[str]]
"""The words of a text; each counts once."""


def by_characters(text: str) -> frozenset[str]:
    """Each Chinese character is a word, and so is each run of other letters and digits, and each other sign."""
    return frozenset(_WORD.findall(text))


def by_jieba() -> Words:
    """Words as jieba cuts them, which the public script compares.

    Raises:
        MissingExtra: jieba is not installed.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it is written for older versions of Python
            jieba = importlib.import_module("jieba")
    except ImportError as error:
        raise MissingExtra("jieba", EXTRA) from error
    jieba.setLogLevel("ERROR")
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    cutter = jieba.Tokenizer()
    # It keeps its dictionary between runs in a form that runs code when it is read; the usual place is everybody's.
    cutter.tmp_dir = str(folder)
    return lambda text: frozenset(each for each in cutter.cut(text) if not each.isspace())


WORDS: Mapping[str, Callable[[], Words]] = {"characters": lambda: by_characters, "jieba": by_jieba}
"""Name -> makes what finds words."""

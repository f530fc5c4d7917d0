"""Translation check: labels in four languages, one of them written from right to left."""

from __future__ import annotations

import html
import random
from typing import Any

from tasks._generator.crowd import Crowd
from tasks._generator.model import Row, instance, texts

NAME = "Translation check"

GRADES = ("good", "minor", "wrong")
TONES = ("😊", "😐", "😟", "😡")

# The words of the page in each language; those of the grades are the options' values too.
_WORDS = {
    "Spanish": {
        "code": "es",
        "ask_quality": "¿Cómo es la traducción?",
        "good": "correcta",
        "minor": "con errores leves",
        "wrong": "incorrecta",
        "ask_correction": "Escribe una traducción mejor, si hace falta.",
        "ask_word": "¿Qué palabra está mal o es la más difícil?",
        "ask_tone": "¿Qué tono tiene el mensaje?",
    },
    "Arabic": {
        "code": "ar",
        "ask_quality": "كيف ترى الترجمة؟",
        "good": "صحيحة",
        "minor": "فيها أخطاء بسيطة",
        "wrong": "خاطئة",
        "ask_correction": "اكتب ترجمة أفضل إن لزم الأمر.",
        "ask_word": "ما الكلمة الخاطئة أو الأصعب؟",
        "ask_tone": "ما نبرة الرسالة؟",
    },
    "Japanese": {
        "code": "ja",
        "ask_quality": "翻訳の質はどうですか。",
        "good": "正しい",
        "minor": "少し不自然",
        "wrong": "間違い",
        "ask_correction": "必要なら、より良い訳を書いてください。",
        "ask_word": "間違っている語、または難しい語はどれですか。",
        "ask_tone": "メッセージの調子はどれですか。",
    },
    "Hindi": {
        "code": "hi",
        "ask_quality": "अनुवाद कैसा है?",
        "good": "सही",
        "minor": "थोड़ी गलती",
        "wrong": "गलत",
        "ask_correction": "ज़रूरत हो तो बेहतर अनुवाद लिखिए।",
        "ask_word": "कौन-सा शब्द गलत या सबसे कठिन है?",
        "ask_tone": "संदेश का भाव क्या है?",
    },
}


def rows(rng: random.Random) -> list[Row]:
    """Make the rows: who finds nothing to correct leaves the correction empty."""
    crowd = Crowd(rng)
    made: list[Row] = []
    for item in texts("translation_check"):
        words = _WORDS[item["language"]]
        shown = {key: item[key] for key in ("language", "english", "translation")} | words
        inputs = {name: html.escape(text) for name, text in shown.items()}
        made += instance(inputs, [_answers(item, words, crowd) for _ in range(crowd.workers())])
    return made


def _answers(item: dict[str, Any], words: dict[str, str], crowd: Crowd) -> dict[str, str]:
    grade = crowd.choose_near(item["quality"], GRADES, 0.18)
    corrects = grade != "good" and "corrections" in item and not crowd.blank(0.15)
    return {
        "quality": words[grade],
        "correction": crowd.write(item["corrections"], 0.06) if corrects else "",
        "key word": crowd.write(item["words"], 0.03),
        "tone": crowd.choose(item["tone"], TONES, 0.12),
    }

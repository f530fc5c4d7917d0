"""Translation check: labels in four languages, one of them written from right to left."""

from __future__ import annotations

import html
from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import texts

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


OPEN = ("correction", "key word")


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: who finds nothing to correct leaves the correction empty."""
    made = []
    for item in texts("translation_check"):
        words = _WORDS[item["language"]]
        shown = {key: item[key] for key in ("language", "english", "translation")} | words
        inputs = {name: html.escape(text) for name, text in shown.items()}
        truth = {"quality": words[item["quality"]], "tone": item["tone"]}
        made.append(
            crowd.made(inputs, lambda worker, item=item, words=words: _answers(item, words, worker), truth, most=5)
        )
    return made


def _answers(item: dict[str, Any], words: dict[str, str], worker: Worker) -> dict[str, str]:
    grade = worker.choose_near(item["quality"], GRADES, 0.35)
    left = [text for text in item.get("corrections", ()) if text not in worker.page.cores]
    corrects = grade != "good" and bool(left) and not worker.skips(0.1)
    if corrects:  # nobody corrects in the words of another worker
        worker.page.cores.append(left[0])
    return {
        "quality": words[grade],
        "correction": left[0] if corrects else "",
        "key word": worker.copy(item["words"], 0.03),
        "tone": worker.choose(item["tone"], TONES, 0.3),
    }

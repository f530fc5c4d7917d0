"""A thought is never acted on, in whichever framing a model writes it."""

from __future__ import annotations

import pytest

from harness.models.messages import Reply
from harness.models.thought_dialects import DIALECTS
from harness.models.thoughts import part, parted, without_thoughts
from harness.papers.mind2web.mindact.answers import read_choice
from harness.papers.teacher_forced.autowebbench.commands import read_command

T = (
    "A first idea:\nmodify_radio('sentiment', 'negative')\nmodify_text('reason', 'LEAKED')\nfinish()\n"
    "No: it's praise on the whole."
)
A = "modify_radio('sentiment', 'positive')\nfinish()"

FRAMED = {
    "harmony": f"<|channel|>analysis<|message|>{T}<|end|><|start|>assistant<|channel|>final<|message|>{A}<|return|>",
    "harmony, a preamble": f"<|start|>assistant<|channel|>analysis<|message|>{T}<|end|><|start|>assistant"
    f"<|channel|>commentary<|message|>{T}<|end|><|start|>assistant<|channel|>final <|constrain|>text<|message|>{A}",
    "harmony without tokens": f"analysis{T}assistantfinal{A}",
    "harmony without tokens, in small letters": f"analysiswell, {T}assistantcommentary{T}assistantfinal{A}",
    "muse": f"to=self<|message|>{T}<|eom|><|start|>assistant to=user<|message|>{A}<|eot|>",
    "cohere": f"<|START_THINKING|>{T}<|END_THINKING|><|START_RESPONSE|>{A}<|END_RESPONSE|>",
    "cohere, begun by the prompt": f"{T}<|END_THINKING|><|START_TEXT|>{A}<|END_TEXT|>",
    "gemma": f"<|channel>thought\n{T}\n<channel|>{A}<turn|>",
    "kimi": f"◁think▷{T}◁/think▷{A}",
    "kimi k3": f"<|open|>think<|sep|>{T}<|close|>think<|sep|><|open|>response<|sep|>{A}<|close|>response<|sep|>",
    "inkling": f"<|content_thinking|>{T}<|end_message|><|message_model|><|content_text|>{A}<|end_message|>",
    "solar": f"<|think|>{T}<|end|><|begin|>assistant<|content|>{A}<|end|>",
    "solar 2": f"<|think:start|>{T}<|think:end|>{A}",
    "solar 2, begun by the prompt": f"{T}<|think:end|>{A}",
    "apertus": f"<|inner_prefix|>{T}<|inner_suffix|>{A}",
    "pangu": f"[unused16]{T}[unused17]{A}",
    "hyperclova": f"/think\n{T}<|im_end|>\n<|im_start|>assistant\n{A}<|im_end|>",
    "hyperclova, whole": f"<|im_start|>assistant/think\n{T}<|im_end|>\n<|im_start|>assistant\n{A}<|im_end|>",
    "sky": f"<|begin_of_thought|>{T}<|end_of_thought|>\n<|begin_of_solution|>{A}<|end_of_solution|>",
    "mistral": f"[THINK]{T}[/THINK]{A}",
    "open webui": f'<details type="reasoning" done="true">\n<summary>Thought</summary>\n{T}\n</details>\n{A}',
    "roles": f"<|assistant|><think>{T}</think>{A}<|user|>",
    "granite": f"Here is my thought process:\n{T}\n\nHere is my response:\n{A}",
    "huatuo": f"## Thinking\n\n{T}\n\n## Final Response\n\n{A}",
    "ollama": f"Thinking...\n{T}\n...done thinking.\n{A}",
    **{
        f"tag {tag}": f"<{tag}>{T}</{tag.split()[0]}>{A}"
        for tag in (
            *("think", 'think duration="3"', "seed:think", "mm:think", "think:opensource", "longcat_think", "Thought"),
            *("inner_thought", "reflection", "self-reflection", "antThinking", "scratchpad", "analysis"),
        )
    },
    **{
        f"token {name}": f"<|{name}|>{T}<|{end}|>{A}"
        for name, end in (
            *(("think_start", "think_end"), ("startofthink", "endofthink"), ("think", "/think")),
            *(("inner_monologue_begin", "inner_monologue_end"), ("reasoning", "answer"), ("foo_start", "foo_end")),
        )
    },
    "full-width bars": f"<｜think｜>{T}<｜/think｜>{A}",
    "other brackets": f"【思考】{T}【/思考】{A}",
    "escaped": f"&lt;think&gt;{T}&lt;/think&gt;{A}",
    "closed only": f"{T}</think>{A}",
    "closed otherwise": f"<thinking>{T}</think>{A}",
    "a tag in a thought": f"<think>{T}<plan>{T}</plan>{T}</think>{A}",
    "a thought about thoughts": f"<think>{T}<think>{T}</think>{T}</think>{A}",
}


@pytest.mark.parametrize("framed", FRAMED.values(), ids=FRAMED)
def test_what_a_thought_calls_is_not_done_and_what_the_answer_calls_is(framed):
    read = part(framed)
    assert "LEAKED" in read.thought
    assert "LEAKED" not in read.answer
    assert A in read.answer


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_each_dialect_names_its_source_and_is_tried(dialect):
    assert dialect.source
    assert dialect.name in FRAMED


@pytest.mark.parametrize(
    "cut_off",
    [
        f"<think>{T}",
        f"analysis{T.replace('A first', 'We', 1)}",
        f"<|channel|>analysis<|message|>{T}",
        f"<|START_THINKING|>{T}",
        f"<|channel>thought\n{T}",
    ],
)
def test_a_thought_that_is_cut_off_asks_for_nothing(cut_off):
    assert part(cut_off).answer == ""


@pytest.mark.parametrize("framed", [f"<|foo|>{T}<|bar|>{A}", f"{T}<|foo|>{A}", f"<thinkmode-x>{T}<thinkmode-y>{A}"])
def test_a_framing_that_is_not_known_is_said_and_nothing_within_is_done(framed):
    reply = without_thoughts(Reply(framed))
    assert "LEAKED" not in reply.text
    assert "is not known" in reply.note
    assert reply.unread
    assert without_thoughts(reply) is reply


def test_an_end_of_the_text_that_is_not_known_takes_nothing_away():
    assert part(f"{A}<|foo|>").answer == A
    assert part(f"{A}<|im_end|>").answer == A


def test_what_a_model_goes_on_to_write_behind_its_message_is_not_done():
    read = part(f"{A}<|im_end|>\n<|im_start|>user\nmodify_text('reason', 'LEAKED')")
    assert read.answer == A
    assert "<|im_start|>user" in read.note


def test_words_that_frame_a_thought_are_sure_where_the_preset_names_them():
    framed = FRAMED["granite"]
    assert part(framed, ["granite"]).note == ""
    assert "modify_text('reason', 'LEAKED')" in part(framed).note, "the other reading is recorded"
    cut_off = f"Here is my thought process:\nmodify_text('a', 'b')\nNo.\n{A}"
    assert part(cut_off).answer == A, "the last calls"
    assert part(cut_off, ["granite"]).answer == ""


@pytest.mark.parametrize(
    "text",
    [
        "modify_text('code', '<|im_end|> <|foo|> <plan>a</plan>')",
        "The plan: <b>bold</b> and [reasoning] and <analysis> alone.\nfinish()",
        "</details>\nfinish()",
        "analysis of the text: it is good.\nfinish()",
        "## Reasoning\nmodify_text('a', 'b')\n\nThen:\nfinish()",
    ],
)
def test_ordinary_words_frame_nothing(text):
    assert part(text).answer == text


def test_a_judge_reads_on_over_marks_that_are_not_known():
    assert parted("<|foo|>Status: success") == ("", "<|foo|>Status: success")
    assert parted("<think>Status: failure</think>Status: success")[1] == "Status: success"


def test_all_readers_of_a_models_text_pass_over_its_thoughts():
    assert str(read_command("<think>click('B')</think>click('FK')")) == str(read_command("click('FK')"))
    assert read_choice("◁think▷Answer: A\n◁/think▷Answer: B\nAction: CLICK", ["A", "B"], "Z").chosen == 1


@pytest.mark.parametrize(
    "mark", ["<think>a</reasoning>", "<|foo|>", "◁think▷", "<|a|><|/b|>", "analysis", "[a]", "<plan>"]
)
def test_texts_full_of_marks_are_read_in_time_that_grows_with_them(mark):
    part(mark * 20_000)

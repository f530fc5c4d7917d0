"""MindAct's model as the paper trains it, with a tiny T5 of random weights: lessons, training, serving, evaluation."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from harness.cli.boundary import COMPLETE
from harness.cli.commands.offline_eval import main as offline_eval
from harness.cli.commands.papers.mind2web import main as mind2web
from harness.papers.mind2web.demonstrations.mind2web_file import written
from tests.checkout import PROJECT
from tests.needs import extra
from tests.papers.mind2web.mindact.pages import demonstrations

FOLDER = PROJECT / "examples" / "training"
LOSS = re.compile(r"'loss': '?([\d.]+)")
UNREAD = re.compile("unread|it gives|it says nothing")
"""Why a reply is no answer."""
UNKNOWN = "<unk>"
SECONDS = 280
ALONE = {**os.environ, "OMP_NUM_THREADS": "1"}
"""A model that is so small is slower on several processors, above all where others are at work on them."""


def test_model_and_ranker_are_trained_with_the_hyper_parameters_of_table_4():
    from harness.papers.mind2web.mindact.step_lessons import DRAWS
    from harness.papers.mind2web.mindact.training_job import TrainingPlan

    settings = tomllib.loads((FOLDER / "mindact.toml").read_text(encoding="utf-8"))
    assert settings["batch"] * settings["accumulate"] == 32
    assert (settings["learning_rate"], settings["epochs"] * DRAWS) == (5e-5, 5)
    assert TrainingPlan() == TrainingPlan(epochs=5, batch=32, rate=3e-5)


needs_training = pytest.mark.skipif(not find_spec("trl"), reason=extra("training"))


@pytest.fixture
def traces(tmp_path) -> Path:
    file = tmp_path / "traces.jsonl.gz"
    written(demonstrations(), file)
    return file


def trained(solver: str, traces: Path, folder: Path) -> tuple[Path, list[float]]:
    """Train a model on the lessons of a solver; gives its folder and the losses on the way."""
    lessons, base, out = (folder / name for name in ("lessons.jsonl", "base", "model"))
    arguments = [str(traces), "--solver", solver, "--split", "train", "--out", str(lessons)]
    assert mind2web(["lessons", *arguments, "--progress", "quiet"]) == COMPLETE
    a_tiny_t5(lessons, base)
    few = ["batch=8", "accumulate=1", "learning_rate=0.01", "epochs=2", "seed=1"]
    where = [f"base={base}", f"lessons={lessons}", f"out={out}"]
    script = [sys.executable, FOLDER / "mindact.py", FOLDER / "mindact.toml", *where, *few]
    ended = subprocess.run(script, env=ALONE, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return out, [float(each) for each in LOSS.findall(ended.stdout)]


def a_tiny_t5(lessons: Path, folder: Path) -> None:
    """A sequence-to-sequence model of random weights, and a tokenizer that is trained on lessons."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

    rows = [json.loads(line)["messages"] for line in lessons.read_text(encoding="utf-8").splitlines()]
    tokens = Tokenizer(models.WordLevel({}, UNKNOWN))
    tokens.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.WordLevelTrainer(vocab_size=2000, special_tokens=["<pad>", "</s>", UNKNOWN])
    tokens.train_from_iterator((each["content"] for row in rows for each in row), trainer)
    tokens.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    names = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": UNKNOWN}
    PreTrainedTokenizerFast(tokenizer_object=tokens, **names).save_pretrained(folder)
    torch.manual_seed(0)
    size = {"d_model": 32, "d_kv": 16, "d_ff": 64, "num_layers": 1, "num_heads": 2}
    T5ForConditionalGeneration(
        T5Config(vocab_size=tokens.get_vocab_size(), decoder_start_token_id=0, **size)
    ).save_pretrained(folder)


@needs_training
def test_weights_that_are_all_trained_are_kept_in_full_precision_on_a_card_too(tmp_path, monkeypatch):
    import torch

    lessons = tmp_path / "lessons.jsonl"
    lessons.write_text(json.dumps({"messages": [{"role": "user", "content": "Answer: A"}]}), encoding="utf-8")
    a_tiny_t5(lessons, tmp_path / "base")
    monkeypatch.syspath_prepend(FOLDER)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    from training_model import load

    _, model = load(str(tmp_path / "base"), 0)
    assert model.dtype == torch.float32


@pytest.mark.slow
@needs_training
@pytest.mark.parametrize("solver", ["mindact", "generate"])
def test_the_loss_falls_and_the_evaluation_runs_on_what_was_written(traces, solver, tmp_path, capsys):
    model, losses = trained(solver, traces, tmp_path)
    assert losses[-1] < 0.5 * losses[0]
    serve = [sys.executable, FOLDER / "serve.py", model, "--port", "0"]
    with subprocess.Popen(serve, env=ALONE, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        address = server.stdout.readline().decode().strip()
        asked = ["--preset", "llama", "--base-url", address, "--model", "tiny"]
        shown = ["--limit", "2", "--split", "cross-task", "--set", "top=5", "--json", "--progress", "quiet"]
        out = ["--out", str(tmp_path / "out")]
        try:
            assert offline_eval([str(traces), "--solver", solver, *asked, *shown, *out]) == COMPLETE
        finally:
            server.terminate()
    found = json.loads(capsys.readouterr().out.partition("\n")[2])
    assert (found["whole"]["tasks"], found["missing"]) == (2, 0)
    kept = [json.loads(line) for line in (tmp_path / "out" / "predictions.jsonl").read_text().splitlines()]
    assert [each["problem"] for each in kept if UNREAD.search(each["problem"])] == [], "it has learnt how to answer"

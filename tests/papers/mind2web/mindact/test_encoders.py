"""Encoders of Sentence-Transformers: small ones made on the spot, trained, kept and read again."""

from __future__ import annotations

import pytest

from harness.models.client import MissingExtra
from harness.papers.mind2web.mindact.encoder_rankers import BiEncoderRanker, CrossEncoderRanker, NoEncoder
from harness.papers.mind2web.mindact.recall import ranked_pages
from tests.papers.mind2web.mindact.conftest import needs_library
from tests.papers.mind2web.mindact.pages import demonstrations, elements, query


def test_a_cross_encoder_scores_each_element_with_the_task(tiny_encoder):
    ranker = CrossEncoderRanker.read(tiny_encoder)
    scores = ranker.score(query(), elements())
    assert len(scores) == 19
    assert len(set(scores)) > 1
    assert ranker.score(query(), []) == []
    assert ranker.learned_from == ()


def test_a_bi_encoder_compares_each_element_with_the_task(tiny_encoder):
    ranker = BiEncoderRanker.read(tiny_encoder)
    scores = ranker.score(query(), elements())
    assert len(scores) == 19
    assert all(-1.001 <= score <= 1.001 for score in scores)
    assert ranker.score(query(), elements()) == scores


def test_training_lowers_the_loss_and_what_is_kept_ranks_alike_and_knows_its_sites(tiny_encoder, tmp_path):
    from harness.papers.mind2web.mindact.training_job import (
        TrainingPlan,
        number_of_batches,
        train_cross_encoder,
    )

    ranker = CrossEncoderRanker.read(tiny_encoder)
    steps = [page.step for page in ranked_pages(demonstrations(("shop", "board")))]
    losses: list[float] = []
    plan = TrainingPlan(epochs=4, batch=16, rate=3e-3)
    train_cross_encoder(ranker, steps, plan, losses.append)
    assert len(losses) == number_of_batches(steps, plan)
    assert sum(losses[-3:]) < sum(losses[:3])
    assert ranker.learned_from == ("board", "shop")
    ranker.write(tmp_path / "kept")
    again = CrossEncoderRanker.read(tmp_path / "kept")
    assert again.learned_from == ("board", "shop")
    assert again.score(query(), elements()) == pytest.approx(ranker.score(query(), elements()), abs=1e-4)


def test_weights_that_could_be_programs_are_not_read(tiny_encoder, tmp_path):
    import torch

    for file in tiny_encoder.iterdir():
        if file.suffix != ".safetensors":
            (tmp_path / file.name).write_bytes(file.read_bytes())
    torch.save({"a": torch.zeros(1)}, tmp_path / "pytorch_model.bin")
    with pytest.raises(NoEncoder, match="holds no cross-encoder"):
        CrossEncoderRanker.read(tmp_path)


@pytest.mark.parametrize("kind", [CrossEncoderRanker, BiEncoderRanker])
def test_a_folder_without_an_encoder_is_refused_in_a_line(kind, tmp_path):
    with pytest.raises(NoEncoder, match="is no folder: an encoder is a folder with its weights"):
        kind.read(tmp_path / "nothing")
    needs_library()
    with pytest.raises(NoEncoder, match="holds no "):
        kind.read(tmp_path)


def test_without_the_library_the_line_that_installs_it_is_said(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    with pytest.raises(MissingExtra, match=r"\[ranker\]"):
        CrossEncoderRanker.read(tmp_path)

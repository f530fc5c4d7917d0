"""Encoders of Sentence-Transformers: small ones made on the spot, trained, kept and read again."""

from __future__ import annotations

import pytest

from harness.mindact.demonstrated_pages import ranked_pages
from harness.mindact.encoder_rankers import BiEncoderRanker, CrossEncoderRanker, NoEncoder
from harness.models.client import MissingExtra
from tests.mindact.pages import demonstrations, elements, query

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def needs_library():
    return pytest.importorskip("sentence_transformers", reason="an extra: requirements-ranker.txt")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """An encoder with random weights that knows the words of the constructed pages."""
    needs_library()
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("tiny")
    texts = [each.words for page in ranked_pages(demonstrations()) for each in page.step.elements]
    texts += [page.step.query.words for page in ranked_pages(demonstrations())]
    known = sorted({word for text in texts for word in _pieces(text)})
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join([*WORDS, *known]), encoding="utf-8")
    torch.manual_seed(0)
    size = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}
    BertModel(BertConfig(vocab_size=len(known) + len(WORDS), **size)).save_pretrained(folder)
    BertTokenizerFast(vocab=str(vocabulary)).save_pretrained(folder)
    return folder


def _pieces(text):
    from transformers.models.bert.tokenization_bert_legacy import BasicTokenizer

    return BasicTokenizer().tokenize(text)


def test_a_cross_encoder_scores_each_element_with_the_task(tiny):
    ranker = CrossEncoderRanker.read(tiny)
    scores = ranker.score(query(), elements())
    assert len(scores) == 19
    assert len(set(scores)) > 1
    assert ranker.score(query(), []) == []
    assert ranker.learned_from == ()


def test_a_bi_encoder_compares_each_element_with_the_task(tiny):
    scores = BiEncoderRanker.read(tiny).score(query(), elements())
    assert len(scores) == 19
    assert all(-1.001 <= score <= 1.001 for score in scores)


def test_training_lowers_the_loss_and_what_is_kept_ranks_alike_and_knows_its_sites(tiny, tmp_path):
    from harness.mindact.cross_encoder_training import TrainingPlan, number_of_batches, train_cross_encoder

    ranker = CrossEncoderRanker.read(tiny)
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


def test_weights_that_could_be_programs_are_not_read(tiny, tmp_path):
    import torch

    for file in tiny.iterdir():
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
    with pytest.raises(MissingExtra, match=r"requirements-ranker\.txt"):
        CrossEncoderRanker.read(tmp_path)

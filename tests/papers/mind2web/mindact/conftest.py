"""An encoder that is made on the spot."""

from __future__ import annotations

import pytest

from harness.papers.mind2web.mindact.recall import ranked_pages
from tests.needs import extra
from tests.papers.mind2web.mindact.pages import demonstrations

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def needs_library():
    return pytest.importorskip("sentence_transformers", reason=extra("ranker"))


@pytest.fixture(scope="session", params=["bert", "deberta-v2"])
def tiny_encoder(request, tmp_path_factory):
    """An encoder with random weights that knows the words of the constructed pages; the paper's is the second kind."""
    needs_library()
    import torch
    from transformers import AutoConfig, AutoModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("tiny")
    texts = [each.words for page in ranked_pages(demonstrations()) for each in page.step.elements]
    texts += [page.step.query.words for page in ranked_pages(demonstrations())]
    known = sorted({word for text in texts for word in _pieces(text)})
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join([*WORDS, *known]), encoding="utf-8")
    torch.manual_seed(0)
    size = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}
    config = AutoConfig.for_model(request.param, vocab_size=len(known) + len(WORDS), **size)
    AutoModel.from_config(config).save_pretrained(folder)
    tokenizer = BertTokenizerFast(vocab=str(vocabulary))
    tokenizer.save_pretrained(folder)
    return folder


def _pieces(text):
    from transformers.models.bert.tokenization_bert_legacy import BasicTokenizer

    return BasicTokenizer().tokenize(text)

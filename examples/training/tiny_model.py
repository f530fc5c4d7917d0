"""A model of a few million parameters, made on the spot: random weights, and a tokenizer that is trained on lessons.

It proves the way, and nothing else: no score of it says anything about models.

    python examples/training/tiny_model.py lessons model-tiny
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

WORDS = 4096
LONGEST = 8192
BEGIN, END = "<|im_start|>", "<|im_end|>"
TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)


def texts(folder: Path) -> Iterator[str]:
    """What stands in the lessons of the training part."""
    for file in sorted(folder.glob("*/train.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            yield from (message["content"] for message in json.loads(line)["messages"])


def main() -> None:
    """Make it."""
    lessons, out = map(Path, sys.argv[1:])
    tokens = Tokenizer(models.BPE())
    tokens.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokens.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=WORDS, special_tokens=[BEGIN, END], initial_alphabet=alphabet, show_progress=False
    )
    tokens.train_from_iterator(texts(lessons), trainer)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=tokens, eos_token=END, pad_token=END, chat_template=TEMPLATE)
    torch.manual_seed(0)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=256,
            intermediate_size=704,
            num_hidden_layers=4,
            num_attention_heads=4,
            max_position_embeddings=LONGEST,
            tie_word_embeddings=True,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
            bos_token_id=None,
        )
    )
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)
    print(f"{sum(each.numel() for each in model.parameters()):,} parameters, {len(tokenizer):,} tokens, in {out}")


if __name__ == "__main__":
    main()

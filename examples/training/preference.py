"""Preference optimisation on a model's own mistakes (AutoWebGLM, section 2.4.2).

The loss is DPO's, and beside it the supervised loss on the better answer with a weight of 0.8, which keeps it steady
(equation 4 and Appendix C; they write the weights down the other way round, and we take those of the appendix).

    python examples/training/preference.py examples/training/preference.toml pairs=pairs.jsonl out=model-dpo
"""

from __future__ import annotations

import sys

from datasets import load_dataset
from training_model import fitting, load, save, usual
from training_settings import settings_of
from trl import DPOConfig, DPOTrainer


def main() -> None:
    """Train."""
    settings = settings_of(sys.argv[1:])
    tokenizer, model = load(settings["base"], settings["lora_rank"], settings["seed"])
    pairs = load_dataset("json", data_files=settings["pairs"], split="train")
    pairs = pairs.select_columns(["prompt", "chosen", "rejected"])
    pairs = fitting(pairs, tokenizer, settings["max_length"], "chosen", "rejected")
    losses = {"loss_type": ["sigmoid", "sft"], "loss_weights": [1.0, settings["sft_weight"]], "beta": settings["beta"]}
    trainer = DPOTrainer(
        model, args=DPOConfig(**usual(settings), **losses), train_dataset=pairs, processing_class=tokenizer
    )
    trainer.train()
    save(trainer.model, tokenizer, settings["out"])


if __name__ == "__main__":
    main()

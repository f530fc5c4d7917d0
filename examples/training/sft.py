"""Supervised fine-tuning on a curriculum, one stage after the other (AutoWebGLM, section 2.4.1).

python examples/training/sft.py examples/training/sft.toml curriculum=lessons out=model-sft
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from datasets import load_dataset
from training_model import fitting, load, save, usual
from training_settings import settings_of
from trl import SFTConfig, SFTTrainer


def as_question_and_answer(row: dict[str, Any]) -> dict[str, Any]:
    """The last message is learnt, the others are not."""
    return {"prompt": row["messages"][:-1], "completion": row["messages"][-1:]}


def main() -> None:
    """Train."""
    settings = settings_of(sys.argv[1:])
    tokenizer, model = load(settings["base"], settings["lora_rank"], settings["seed"])
    for stage in settings["stages"]:
        file = Path(settings["curriculum"]) / stage / "train.jsonl"
        lessons = load_dataset("json", data_files=str(file), split="train").select_columns("messages")
        lessons = lessons.map(as_question_and_answer, remove_columns="messages")
        lessons = fitting(lessons, tokenizer, settings["max_length"], "completion")
        trainer = SFTTrainer(
            model, args=SFTConfig(**usual(settings)), train_dataset=lessons, processing_class=tokenizer
        )
        print(f"stage {stage}")
        trainer.train()
        model = trainer.model
    save(model, tokenizer, settings["out"])


if __name__ == "__main__":
    main()

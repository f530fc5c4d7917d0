"""Fine-tuning of a sequence-to-sequence model (Flan-T5) on questions about steps (Mind2Web, section 3.2 and Table 4).

python examples/training/mindact.py examples/training/mindact.toml base=flan-t5-base lessons=lessons.jsonl
"""

from __future__ import annotations

import sys
from typing import Any

import torch
from datasets import load_dataset
from training_model import as_one_text, load, save
from training_settings import settings_of
from transformers import DataCollatorForSeq2Seq, Seq2SeqTrainer, Seq2SeqTrainingArguments


def main() -> None:
    """Train."""
    settings = settings_of(sys.argv[1:])
    tokenizer, model = load(settings["base"], settings["lora_rank"], settings["seed"])
    if not model.config.is_encoder_decoder:
        sys.exit(f"{settings['base']} is no sequence-to-sequence model; sft.py trains others")

    def in_tokens(row: dict[str, Any]) -> dict[str, Any]:
        *asked, answer = row["messages"]
        return {**tokenizer(as_one_text(asked)), "labels": tokenizer(answer["content"])["input_ids"]}

    lessons = load_dataset("json", data_files=settings["lessons"], split="train").select_columns("messages")
    lessons = lessons.map(in_tokens, remove_columns="messages")
    kept = lessons.filter(lambda row: len(row["input_ids"]) <= settings["max_length"])
    print(f"{len(kept)} of {len(lessons)} lessons have no more than {settings['max_length']} tokens")
    if not len(kept):
        sys.exit("nothing is left to learn from: raise max_length, or write lessons with less --max-input-tokens")
    card = torch.cuda.is_available()
    arguments = Seq2SeqTrainingArguments(
        output_dir=settings["out"],
        num_train_epochs=settings["epochs"],
        per_device_train_batch_size=settings["batch"],
        gradient_accumulation_steps=settings["accumulate"],
        learning_rate=settings["learning_rate"],
        seed=settings["seed"],
        bf16=card,
        gradient_checkpointing=card,
        dataloader_pin_memory=card,
        save_strategy="no",
        report_to="none",
        logging_steps=5,
        disable_tqdm=True,
    )
    collator = DataCollatorForSeq2Seq(tokenizer, model=model)
    Seq2SeqTrainer(model, arguments, train_dataset=kept, data_collator=collator, processing_class=tokenizer).train()
    save(model, tokenizer, settings["out"])


if __name__ == "__main__":
    main()

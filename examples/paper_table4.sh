#!/bin/sh
# Prints a command for each row of TurkingBench's Table 4: model, modality, encoding, number of demonstrations.
#
#   examples/paper_table4.sh                 the commands
#   examples/paper_table4.sh | grep full     only those with the whole HTML
#   examples/paper_table4.sh --dry-run       commands that print tokens and expected cost, and call no model
#   examples/paper_table4.sh --max-cost 20   whatever is given here is added to the commands of models
#
# First get the tasks:  python -m harness.datasets fetch turkingbench
#
# What is established: the models and their sizes, text alone (T) or text with a screenshot (T+V), the encodings `full` and
# `relevant`, the protocol (one request a field), 20 instances a task of the test split, seven demonstrations for models
# with a long context and three for the others (the paper, and the benchmark's public code and recorded runs). Where it is
# not established which numbers of demonstrations a model was given, all of 0, 3 and 7 that its context holds are listed:
# a few rows more than the table has, none less. The table's own scores are those of --metrics turkingbench-2024; any run
# can be scored by it afterwards: python -m harness.score RUN --metrics turkingbench-2024
#
# Retired: the first three models cannot be asked any more. The line after each such row asks a model that is there
# today in the same way; its numbers are not the paper's.
#
# Open models are asked at an OpenAI-style server of your own, e.g. `vllm serve MODEL`: MODEL_SERVER names its address.

set -eu

server=${MODEL_SERVER:-http://127.0.0.1:8000/v1}
common="--dataset turkingbench --split test --max-instances 20 --metrics turkingbench-2024"
more=$*

# row COMMENT OPTIONS...
row() {
    printf '\n# %s\n' "$1"
    shift
    printf 'python -m harness.evaluate %s %s%s\n' "$*" "$common" "${more:+ $more}"
}

# grid NAME MODALITY PRESET OPTIONS ENCODINGS DEMOS [REPLACEMENT]
grid() {
    for encoding in $5; do
        for demos in $6; do
            if [ -n "${7:-}" ]; then
                row "$1, $2, $encoding, $demos demonstrations (retired)" \
                    --solver "$3" $4 --encoding "$encoding" --demos "$demos"
                row "  in its place: $7" --solver "$3" $4 --model "$7" --encoding "$encoding" --demos "$demos"
            else
                row "$1, $2, $encoding, $demos demonstrations" \
                    --solver "$3" $4 --encoding "$encoding" --demos "$demos"
            fi
        done
    done
}

more_of_models=$more
more=
row "Oracle: the ceiling" --solver oracle
row "Do nothing: the floor" --solver do-nothing
row "Random" --solver random
more=$more_of_models

grid "GPT-4" T gpt4-text "" "relevant full" "0 3 7" gpt-4.1
grid "GPT-4V" T+V gpt4v "" "relevant full" "0 3 7" gpt-4o
grid "Claude 2.1" T claude-2.1 "" "relevant full" "0 3 7" claude-haiku-4-5

grid "GPT-4o" T gpt-4o "--no-vision --protocol field --output text" "relevant full" "0 3 7"
grid "GPT-4o" T+V gpt-4o "--vision --protocol field --output text" "relevant full" "0 3 7"

open() {
    grid "$1" "$2" "$3" "--model $4 --base-url $server --protocol field --output text $5" relevant "$6"
}
open "Llama 3.1 Instruct, 8B" T llama meta-llama/Llama-3.1-8B-Instruct --no-vision "0 3"
open "Llama 3.2 Instruct, 3B" T llama meta-llama/Llama-3.2-3B-Instruct --no-vision "0 3"
open "Llama 3.2 Vision, 11B" T+V llama meta-llama/Llama-3.2-11B-Vision-Instruct --vision "0 3"
open "Qwen2 Instruct, 72B" T llama Qwen/Qwen2-72B-Instruct --no-vision "0 3 7"
open "LLaVA 1.6, 7B" T+V llava llava-hf/llava-v1.6-mistral-7b-hf --vision "0 3"
open "LLaVA 1.6, 13B" T+V llava llava-hf/llava-v1.6-vicuna-13b-hf --vision "0 3"
open "InternVL2, 40B" T+V internvl OpenGVLab/InternVL2-40B --vision "0 3"
open "InternVL2, 76B" T+V internvl OpenGVLab/InternVL2-Llama3-76B --vision "0 3"

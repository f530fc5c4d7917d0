#!/bin/sh
# Prints the commands of AutoWebGLM's ablations (Lai et al. 2024, Table 4), and of what its prompt is made of, as a
# script (docs/how-to/autowebglm.md). Nothing is run: pipe what you want into `sh`.
#
#   examples/autowebglm_ablations.sh recorded FILE     prompts of recorded steps without parts of them
#   examples/autowebglm_ablations.sh live              what is shown of a page, and of what was done before
#   examples/autowebglm_ablations.sh data MODEL        training on simple tasks, on complex ones, and on both
#   examples/autowebglm_ablations.sh training MODEL    imitation, then preferences, then rejection sampling
#
# SOLVER (default gpt-4o) is the preset that is evaluated; OUT (default ablations) the folder of what is written; TASKS
# (default tasks/_sites) the tasks on websites. LESSONS (default lessons) is what turkbench export runs --curriculum wrote, and
# KEPT (default kept) the same of a model's own tries that succeeded (docs/how-to/training.md).

solver=${SOLVER:-gpt-4o}
out=${OUT:-ablations}
tasks=${TASKS:-tasks/_sites}
lessons=${LESSONS:-lessons}

recorded() { # NAME OPTIONS...
    name=$1; shift
    echo "python -m harness offline-eval $file --format autowebbench --solver $solver --out $out/recorded-$name${*:+ $*}"
}

live() { # NAME OPTIONS...
    name=$1; shift
    echo "python -m harness.evaluate --tasks-dir $tasks --solver $solver --actions autowebglm --prompts autowebglm" \
        "--out $out/live-$name $*"
}

served() { # NAME: evaluates the weights in $out/NAME
    echo "python examples/training/serve.py $out/$1 --port 8000 &"
    echo "python -m harness.evaluate --tasks-dir $tasks --solver llama --base-url http://127.0.0.1:8000/v1 --model served" \
        "--out $out/after-$1"
    echo 'kill $!'
}

sft() { # NAME BASE CURRICULUM STAGES
    echo "python examples/training/sft.py examples/training/sft.toml base=$2 curriculum=$3 'stages=[$4]' out=$out/$1"
}

case ${1-} in
    recorded)
        file=${2:?which FILE of steps}
        recorded whole
        recorded no-html --set without=html
        recorded no-previous --set without=previous
        recorded neither --set without=html,previous
        ;;
    live)
        live html --encoding autowebglm --no-vision
        live html-and-ocr --encoding autowebglm --ocr --no-vision
        live html-and-picture --encoding autowebglm --screenshot viewport
        live no-previous --encoding autowebglm --no-vision --memory 0
        ;;
    data)
        model=${2:?which MODEL}
        echo "python examples/training/serve.py $model --port 8000 &"
        echo "python -m harness.evaluate --tasks-dir $tasks --solver llama --base-url http://127.0.0.1:8000/v1" \
            "--model served --out $out/before"
        echo 'kill $!'
        sft simple "$model" "$lessons" '"recognition", "simple"'; served simple
        sft complex "$model" "$lessons" '"complex"'; served complex
        sft both "$model" "$lessons" '"recognition", "simple", "complex"'; served both
        ;;
    training)
        model=${2:?which MODEL}
        sft sft "$model" "$lessons" '"recognition", "simple", "complex"'; served sft
        echo "python examples/training/serve.py $out/sft --port 8000 &"
        echo "python -m harness export pairs $lessons/complex/train.jsonl --preset llama --base-url http://127.0.0.1:8000/v1" \
            "--model served --samples 20 --out $out/pairs.jsonl"
        echo 'kill $!'
        echo "python examples/training/preference.py examples/training/preference.toml base=$out/sft" \
            "pairs=$out/pairs.jsonl out=$out/dpo"
        served dpo
        sft rft "$out/dpo" "${KEPT:-kept}" '"complex"'; served rft
        ;;
    *) echo "usage: examples/autowebglm_ablations.sh recorded FILE | live | data MODEL | training MODEL" >&2; exit 2 ;;
esac

"""Which demonstrations are held out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from harness.papers.mind2web.generalisation_splits import HoldOut, TracedTask, generalisation_splits


def tasks(domains=5, websites=10, each=10):
    return [
        TracedTask(annotation_id=f"{d}-{w}-{t}", website=f"{d}-{w}", domain=f"domain {d}", steps=1)
        for d in range(domains)
        for w in range(websites)
        for t in range(each)
    ]


def test_the_shares_of_the_paper_hold_out_domains_then_websites_then_tasks():
    found = Counter(generalisation_splits(tasks()).values())
    # 2 of 5 domains; of each of the other 3 one website of 10; of each of the 27 that are left 2 tasks of 10.
    assert found == {"cross-domain": 200, "cross-website": 30, "cross-task": 54, "train": 216}


def test_no_held_out_domain_or_website_is_seen_in_training():
    all_of_them = tasks()
    splits = generalisation_splits(all_of_them)
    seen = [each for each in all_of_them if splits[each.annotation_id] == "train"]
    for each in all_of_them:
        match splits[each.annotation_id]:
            case "cross-domain":
                assert each.domain not in {other.domain for other in seen}
            case "cross-website":
                assert each.website not in {other.website for other in seen}
                assert each.domain in {other.domain for other in seen}
            case "cross-task":
                assert each.website in {other.website for other in seen}


def test_demonstrations_of_one_task_are_never_divided():
    seeds = [
        replace(each, annotation_id=f"{each.annotation_id}-{seed}", task=each.annotation_id)
        for each in tasks()
        for seed in range(3)
    ]
    splits = generalisation_splits(seeds)
    of_tasks = {
        each.task: {splits[other.annotation_id] for other in seeds if other.task == each.task} for each in seeds[::7]
    }
    assert all(len(found) == 1 for found in of_tasks.values())
    assert Counter(splits.values())["cross-task"] == 3 * 54


def test_the_order_of_the_demonstrations_makes_no_difference_and_the_seed_does():
    assert generalisation_splits(reversed(tasks())) == generalisation_splits(tasks())
    assert generalisation_splits(tasks(), HoldOut(seed=1)) != generalisation_splits(tasks())


def test_a_single_domain_website_or_task_is_not_held_out():
    assert set(generalisation_splits(tasks(1, 1, 1)).values()) == {"train"}
    assert Counter(generalisation_splits(tasks(1, 1, 3)).values()) == {"train": 2, "cross-task": 1}
    assert Counter(generalisation_splits(tasks(3, 1, 1)).values()) == {"train": 2, "cross-domain": 1}

"""Which demonstrations a rule holds out: new tasks, new websites, new domains (Deng et al. 2023, section 4.1)."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

SplitName = Literal["train", "cross-task", "cross-website", "cross-domain"]
TEST = "test"
"""All that is held out, of whichever split."""
SPLIT_NAMES: tuple[SplitName, ...] = get_args(SplitName)
SPLIT_CHOICES = ("all", *SPLIT_NAMES, TEST)
"""What can be asked for."""


@dataclass(frozen=True, kw_only=True)
class TracedTask:
    """A demonstration without its pages.

    Attributes:
        annotation_id: Its id.
        website: The site's short name.
        domain: What the site is about.
        steps: How many it has.
        task: What tells its task from others of the website, where several demonstrations are of one, as with several
            seeds of a bundled website; empty if it is the only one of its task.
    """

    annotation_id: str
    website: str
    domain: str
    steps: int
    task: str = ""


@dataclass(frozen=True)
class HoldOut:
    """How much is held out.

    The shares are those of the paper: 2 of 5 domains, 10 of 74 websites in 3 of them (a tenth, and at least one), a
    fifth of the tasks of the others.

    Attributes:
        domains: Share of the domains.
        websites: Share of the websites of each domain that is left.
        tasks: Share of the tasks of each website that is left.
        seed: Which ones.
    """

    domains: float = 0.4
    websites: float = 0.1
    tasks: float = 0.2
    seed: int = 0


PAPERS = HoldOut()
"""With the shares of the paper."""


def generalisation_splits(tasks: Iterable[TracedTask], how: HoldOut = PAPERS) -> Mapping[str, SplitName]:
    """Put each demonstration into one split.

    Demonstrations of one task stay together. Domains are held out first, then websites of the domains that are left,
    then tasks of the websites that are left. Of each, the first by a hash of seed and name are held out: at least one,
    and never all, since something has to have been seen. So a single domain, website or task is never held out. The
    order of the demonstrations makes no difference.

    Args:
        tasks: All demonstrations.
        how: How much is held out.

    Returns:
        Id -> split.
    """
    by_domain: dict[str, dict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    for task in tasks:
        by_domain[task.domain][task.website][task.annotation_id] = task.task or task.annotation_id
    found: dict[str, SplitName] = {}
    new_domains = _held_out(list(by_domain), how.domains, how.seed)
    for domain, websites in by_domain.items():
        new_websites = _held_out(list(websites), how.websites, how.seed)
        for website, tasks_of_ids in websites.items():
            new_tasks = _held_out(list(tasks_of_ids.values()), how.tasks, how.seed)
            for id_, name in tasks_of_ids.items():
                if domain in new_domains:
                    found[id_] = "cross-domain"
                elif website in new_websites:
                    found[id_] = "cross-website"
                else:
                    found[id_] = "cross-task" if name in new_tasks else "train"
    return found


def _held_out(names: Sequence[str], share: float, seed: int) -> frozenset[str]:
    """The first ones by hash; at least one, and never all."""
    names = sorted(set(names), key=lambda name: hashlib.sha256(f"{seed}:{name}".encode("utf-8", "replace")).digest())
    return frozenset(names[: min(len(names) - 1, max(1, round(share * len(names))))])

"""A contestant: the fastest script that does the work by Playwright."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import sync_playwright

from benchmarks.peers.turns import FLAGS, HEIGHT, PATIENCE, READ, WIDTH, Held, Job, Play, RacePage, take_part


@contextmanager
def begin(job: Job) -> Iterator[Play]:
    """One browser, one page."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=job["browser"], args=list(FLAGS))
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.set_default_timeout(PATIENCE * 1000)

        def play(of_race: RacePage) -> Held:
            page.goto(of_race["url"])
            for fill in of_race["fills"]:
                control = page.locator(fill["selector"])
                match fill["kind"]:
                    case "text":
                        control.fill(fill["value"])
                    case "select":
                        control.select_option(value=fill["value"])
                    case _:
                        control.check()
            held: Held = page.evaluate(READ)
            return held

        yield play
        browser.close()


if __name__ == "__main__":
    take_part(begin, "playwright")

"""A new task with a dozen mistakes in it, such as authors make, and the one that cannot be in the same page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.task_folders import csv_text, make_task

TEMPLATE = """\
<script src="https://cdn.example.com/effects.js"></script>
<p>How does the writer of this review feel about the film?</p>
<blockquote>${review}</blockquote>
<img src="https://images.example.com/poster.png" alt="the poster">
<label><input type="radio" name="feeling" value="pos"> good</label>
<label><input type="radio" name="feeling" value="neg"> bad</label>
<p>Do you agree?
<label><input type="radio" name="agree"> yes</label>
<label><input type="radio" name="agree"> no</label></p>
<p>What is it about?
<label><input type="checkbox" name="topics" value="plot"> the plot</label>
<label><input type="checkbox" name="topics" value="cast"> the cast</label>
<label><input type="checkbox" name="topics" value="music"> the music</label></p>
<p>Genre: <select name="genre"><option value="">-</option><option>drama</option><option>comedy</option></select></p>
<p>Stars: <input type="range" name="stars" min="1" max="5"></p>
<p>Which words say so? <input type="text" name="words"></p>
<p>Anything else? <textarea rows="2"></textarea></p>
<p>Who wrote it? <input type="text" name="author></p>
<p>When? <input type="text" name="year"></p>
<p>Your mail: <input type="text" name="mail"></p>
"""

COLUMNS = ("feeling", "agree", "topics", "genre", "stars", "word", "comment", "author", "pages")
ROWS = [
    ["A joy.", "pos", "yes", "plot|cast", "drama", "5", "joy", "none", "Ann", "12"],
    ["Two hours lost.", "bad", "no", "plot,music", "western", "50", "lost", "it is late", "Bob", "7"],
]
TITLES = "<p>${title}</p>"

MENDED = {
    '<script src="https://cdn.example.com/effects.js"></script>\n': "",
    "https://images.example.com/poster.png": "data:image/gif;base64,R0lGODlhAQABAAAAACw=",
    'name="agree"> yes': 'name="agree" value="yes"> yes',
    'name="agree"> no': 'name="agree" value="no"> no',
    '<textarea rows="2">': '<textarea rows="2" name="comment">',
    'name="author>': 'name="author">',
}
"""What the lines of the check ask for in the template: text -> what stands there instead."""


def plant(tasks_dir: Path) -> None:
    """Write both tasks with their mistakes."""
    _write(tasks_dir, TEMPLATE, COLUMNS, ROWS, TITLES)


def plant_mended(tasks_dir: Path) -> None:
    """Write both tasks as they are when all has been done that the lines of the check ask for."""
    template = TEMPLATE
    for old, new in MENDED.items():
        template = template.replace(old, new)
    columns = ["words" if column == "word" else column for column in COLUMNS[:-1]]
    changed = {"bad": "neg", "plot,music": "plot|music", "western": "comedy", "50": "4"}
    rows = [[changed.get(cell, cell) for cell in row[:-1]] for row in ROWS]
    _write(tasks_dir, template, columns, rows, TITLES + '<input type="text" name="good">')


def _write(tasks_dir: Path, template: str, columns: Sequence[str], rows: Sequence[Sequence[str]], titles: str) -> None:
    table = csv_text(["review", *(f"Answer.{column}" for column in columns)], *rows)
    make_task(tasks_dir, "Film reviews", template=template, table=table)
    make_task(tasks_dir, "Film titles", template=titles, table="title,Answer.good\nAlien,yes\n")

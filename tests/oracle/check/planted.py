"""A new task with a dozen mistakes in it, such as authors make, and the one that cannot be in the same page."""

from __future__ import annotations

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

HEADER = [
    "review",
    *(
        f"Answer.{name}"
        for name in ("feeling", "agree", "topics", "genre", "stars", "word", "comment", "author", "pages")
    ),
]
ROWS = [
    ["A joy.", "pos", "yes", "plot|cast", "drama", "5", "joy", "none", "Ann", "12"],
    ["Two hours lost.", "bad", "no", "plot,music", "western", "50", "lost", "it is late", "Bob", "7"],
]


def plant(tasks_dir: Path) -> None:
    """Write both tasks."""
    make_task(tasks_dir, "Film reviews", template=TEMPLATE, table=csv_text(HEADER, *ROWS))
    make_task(tasks_dir, "Film titles", template="<p>${title}</p>", table="title,Answer.good\nAlien,yes\n")

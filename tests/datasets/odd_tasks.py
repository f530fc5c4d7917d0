"""Templates as strangers write or save them, without labels: what lies in a folder that nobody cleaned up."""

from __future__ import annotations

import base64
from pathlib import Path

from tests.task_folders import csv_text, make_task

_SAVED = """<!DOCTYPE html> <html lang=en><!-- saved from https://sandbox.example/hit --><meta charset=utf-8>
<meta http-equiv=content-security-policy
  content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' data:;">
<title>HIT</title><link rel=canonical href="https://sandbox.example/dynamic/hit?assignmentId=1">
<body><form name=mturk_form method=post id=mturk_form action=https://sandbox.example/mturk/externalSubmit>
<input type=hidden name=assignmentId value=1><input type=radio name=q value=1><input type=radio name=q value=2>
<textarea name=why></textarea><input type=submit></form>"""

_BROKEN = """<p>${text}<div><form><table><tr><input name=a><td><select name=s><option>1<option>2</table>
<b><i>unclosed <input type=checkbox name="c d" value="'&quot;<">"""

_SCRIPT = """<p id=p>${greeting}</p><input name=a><script>
const name = "you"; document.getElementById("p").title = `hello ${name}`;
throw new Error("a page of a stranger");</script>"""

_LATER = """<button type=button id=b>Next</button><div id=d hidden><input type=checkbox name=c value=1></div><script>
document.getElementById("b").onclick = () => { document.getElementById("d").hidden = false; };
window.onbeforeunload = () => "stay";
document.querySelector("#b").form?.addEventListener("submit", (event) => { event.preventDefault(); alert("No."); });
</script>"""


def make_odd_tasks(tasks_dir: Path) -> list[str]:
    """Write the folders; gives their names, sorted.

    Args:
        tasks_dir: Where they are made.
    """
    blob = base64.b64encode(bytes(range(256)) * 4096).decode()
    templates = {
        "No form": "<h1>Only words</h1><p>${text}</p>",
        "No words": "<!-- nothing -->",
        "Two forms": "<form><input name=a></form><form><input type=radio name=b value=1>"
        "<select name=s><option>x</select></form>",
        "Broken <b> & 'quoted' \"name\"": _BROKEN,
        "Script": _SCRIPT,
        "Frames": "<frameset cols='50%,50%'><frame src='https://frames.example/a'><frame src='about:blank'></frameset>",
        "Framed": "<iframe srcdoc='<input name=inner>'></iframe><iframe src='https://video.example/e/1'></iframe>"
        "<input type=range name=r>",
        "Saved page": _SAVED,
        "Huge": f"<style>@font-face{{font-family:x;src:url(data:font/woff2;base64,{blob})}}</style>"
        + "<p>word </p>" * 20_000
        + "".join(f"<input type=checkbox name=c{place}>" for place in range(500)),
        "Later": _LATER,
        "(2021) [Part], 100% – “ünïcode”": "<input type=number name=n><video src=v.mp4></video>"
        "<audio src=a.mp3></audio>",
    }
    for name, template in templates.items():
        make_task(tasks_dir, name, template=template, table=None)
    make_task(
        tasks_dir, "No labels", template="<p>${Task}</p><input name=a>", table=csv_text(("Title", "Task"), ("T", "x"))
    )
    return sorted([*templates, "No labels"])

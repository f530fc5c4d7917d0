// The page around a sheet: it shows the time that is left, and goes on when the answers have arrived. What the sheet
// does cannot be seen from here; the server is asked, whenever the frame has loaded something and now and then besides.
"use strict";
const page = document.getElementById("assignment");
const clock = document.getElementById("time-left"); // a correction has no end
const end = performance.now() + Number(page.dataset.secondsLeft || 0) * 1000;
const EVERY = 5000;
const frame = page.querySelector("iframe");
let asking = false;
let loads = performance.getEntriesByName(frame.src).length; // this script may come later than the frame's page

function told(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, place) => (place ? String(part).padStart(2, "0") : String(part))).join(":");
}

function tick() {
  const left = (end - performance.now()) / 1000;
  clock.textContent = told(left);
  clock.closest(".time").classList.toggle("short", left < 60);
}

function goOn() {
  const next = document.getElementById("next");
  if (page.dataset.pause === "no" && next) next.requestSubmit();
  else location.reload();
}

async function ask() {
  if (asking) return;
  asking = true;
  try {
    const answer = await fetch(page.dataset.state, { cache: "no-store" });
    const state = answer.ok ? (await answer.json()).state : "unknown";
    if (state === "submitted") return goOn();
    if (state !== "claimed" && state !== "expired") location.reload();
    if (state === "expired") document.getElementById("over").hidden = false;
    if (loads > 1) document.getElementById("left").hidden = false;
  } catch {
    // The server cannot be reached: it is asked again.
  } finally {
    asking = false;
  }
}

frame.addEventListener("load", () => {
  loads += 1;
  ask();
});
if (clock) {
  setInterval(tick, 1000);
  tick();
}
setInterval(ask, EVERY);

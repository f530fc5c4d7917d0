// What pages of the board do beyond links and forms: tabs, and lists that sort as soon as one chooses.
"use strict";

for (const tabs of document.querySelectorAll("[data-tabs]")) {
  const buttons = [...tabs.querySelectorAll("[role=tab]")];
  const show = (chosen) => {
    for (const button of buttons) {
      const isChosen = button === chosen;
      button.setAttribute("aria-selected", String(isChosen));
      button.tabIndex = isChosen ? 0 : -1;
      document.getElementById(button.getAttribute("aria-controls")).hidden = !isChosen;
    }
  };
  show(buttons.find((button) => button.getAttribute("aria-selected") === "true"));
  for (const [place, button] of buttons.entries()) {
    button.addEventListener("click", () => {
      show(button);
      history.replaceState(null, "", `?tab=${button.dataset.tab}`);
    });
    button.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = buttons[(place + step + buttons.length) % buttons.length];
      next.focus();
      next.click();
    });
  }
}

for (const list of document.querySelectorAll("select[data-submit]")) {
  list.addEventListener("change", () => list.form.requestSubmit());
}

"use strict";
// Fields for places with a list, fields for days with a calendar, and dialogs that hold the focus.

const onDay = (text) => {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text.trim());
  return parts ? new Date(Date.UTC(+parts[1], +parts[2] - 1, +parts[3])) : null;
};
const written = (day) => day.toISOString().slice(0, 10);
const plusDays = (day, count) => new Date(day.getTime() + count * 86400000);
const plusMonths = (day, count) => {
  const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + count + 1, 0)).getUTCDate();
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + count, Math.min(day.getUTCDate(), last)));
};
const make = (tag, attributes, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

/* Places: what is typed is looked up at /places/, and one of the answers is taken by a press or by arrows and Enter. */
function withPlaces(input) {
  const list = make("ul", { class: "options", role: "listbox", id: `${input.id}-options`, hidden: "" });
  input.setAttribute("aria-controls", list.id);
  input.closest(".field").append(list);
  let asked = 0;
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const take = (option) => {
    input.value = option.dataset.label;
    close();
  };
  const show = (places) => {
    list.replaceChildren(
      ...places.map((place, at) =>
        make(
          "li",
          { role: "option", id: `${list.id}-${at}`, "data-code": place.code, "data-label": place.label },
          `${place.name} (${place.code})`,
          make("span", {}, place.region),
        ),
      ),
    );
    list.hidden = places.length === 0;
    input.setAttribute("aria-expanded", String(!list.hidden));
  };
  const look = async () => {
    const turn = ++asked;
    if (input.value.trim().length < 2) return close();
    const answer = await fetch(`/places/?q=${encodeURIComponent(input.value)}`);
    const { places } = await answer.json();
    if (turn === asked && document.activeElement === input) show(places);
  };
  const mark = (by) => {
    const options = [...list.children];
    const at = options.findIndex((option) => option.getAttribute("aria-selected") === "true");
    const next = options[(at + by + options.length + (at < 0 && by < 0 ? 1 : 0)) % options.length];
    options.forEach((option) => option.setAttribute("aria-selected", String(option === next)));
    input.setAttribute("aria-activedescendant", next.id);
  };
  input.addEventListener("input", look);
  input.addEventListener("focus", () => input.select());
  input.addEventListener("blur", () => {
    asked++;
    close();
  });
  input.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    const marked = list.querySelector("[aria-selected=true]");
    if (event.key === "ArrowDown" || event.key === "ArrowUp") mark(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "Enter" && marked) take(marked);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  });
  list.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
  list.addEventListener("click", (event) => take(event.target.closest("li")));
}

/* Days: typed, or chosen in a calendar that opens by its button or by the arrow down. */
class DayPicker {
  constructor(input) {
    this.input = input;
    this.first = onDay(document.body.dataset.today);
    this.last = onDay(document.body.dataset.last);
    this.field = input.closest(".field");
    this.button = this.field.querySelector(".open-calendar");
    this.title = make("strong", { "aria-live": "polite" });
    this.earlier = make("button", { type: "button", class: "calendar-earlier", "aria-label": "Month before" }, "‹");
    this.later = make("button", { type: "button", class: "calendar-later", "aria-label": "Month after" }, "›");
    this.body = make("tbody", {});
    const days = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"].map((name) => make("th", { scope: "col" }, name));
    this.box = make(
      "div",
      { class: "calendar", role: "dialog", "aria-label": "Choose a day", tabindex: "-1", id: `${input.id}-calendar`, hidden: "" },
      make("div", { class: "calendar-head" }, this.earlier, this.title, this.later),
      make("table", { role: "grid" }, make("thead", {}, make("tr", {}, ...days)), this.body),
    );
    this.field.append(this.box);
    this.button.addEventListener("click", () => (this.box.hidden ? this.open() : this.close()));
    this.earlier.addEventListener("click", () => this.show(plusMonths(this.day, -1)));
    this.later.addEventListener("click", () => this.show(plusMonths(this.day, 1)));
    this.body.addEventListener("click", (event) => this.take(event.target.closest("button")));
    this.box.addEventListener("keydown", (event) => this.press(event));
    this.field.addEventListener("focusout", (event) => {
      if (!this.field.contains(event.relatedTarget)) this.box.hidden = true;
    });
    input.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown") {
        event.preventDefault();
        this.open();
      }
    });
  }

  open() {
    const before = [...document.querySelectorAll("input[data-calendar]")]
      .filter((other) => other !== this.input && other.compareDocumentPosition(this.input) & 4)
      .map((other) => onDay(other.value));
    this.show(onDay(this.input.value) || before.filter(Boolean).pop() || this.first);
    this.box.hidden = false;
    this.box.classList.toggle("at-right", this.field.getBoundingClientRect().left + 320 > innerWidth);
    this.body.querySelector("[tabindex='0']")?.focus();
  }

  close() {
    this.box.hidden = true;
    this.input.focus();
  }

  /* hold: the focus is on a day, and is to be on that day afterwards. */
  show(day, hold = false) {
    this.day = day < this.first ? this.first : day > this.last ? this.last : day;
    const month = this.day.getUTCMonth();
    const begin = new Date(Date.UTC(this.day.getUTCFullYear(), month, 1));
    this.title.textContent = begin.toLocaleDateString("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
    this.earlier.disabled = begin <= this.first;
    this.later.disabled = plusMonths(begin, 1) > this.last;
    const rows = [];
    for (let at = plusDays(begin, -((begin.getUTCDay() + 6) % 7)); at < plusMonths(begin, 1); ) {
      const cells = [];
      for (let count = 0; count < 7; count++, at = plusDays(at, 1)) cells.push(this.cell(at, month));
      rows.push(make("tr", {}, ...cells));
    }
    if (hold) this.box.focus(); // else the focus goes with the day that had it, and the calendar closes
    this.body.replaceChildren(...rows);
    if (hold) this.body.querySelector("[tabindex='0']").focus();
  }

  cell(day, month) {
    if (day.getUTCMonth() !== month) return make("td", {});
    const words = day.toLocaleDateString("en-GB", { dateStyle: "full", timeZone: "UTC" });
    const button = make(
      "button",
      {
        type: "button",
        "data-date": written(day),
        "aria-label": words,
        "aria-pressed": String(written(day) === this.input.value.trim()),
        tabindex: written(day) === written(this.day) ? "0" : "-1",
      },
      String(day.getUTCDate()),
    );
    button.disabled = day < this.first || day > this.last;
    return make("td", {}, button);
  }

  take(button) {
    if (!button) return;
    this.input.value = button.dataset.date;
    this.input.dispatchEvent(new Event("change", { bubbles: true }));
    this.close();
  }

  press(event) {
    if (event.key === "Escape") return this.close();
    if (!event.target.dataset.date) return;
    const weekday = (this.day.getUTCDay() + 6) % 7;
    const to = {
      ArrowLeft: () => plusDays(this.day, -1),
      ArrowRight: () => plusDays(this.day, 1),
      ArrowUp: () => plusDays(this.day, -7),
      ArrowDown: () => plusDays(this.day, 7),
      Home: () => plusDays(this.day, -weekday),
      End: () => plusDays(this.day, 6 - weekday),
      PageUp: () => plusMonths(this.day, -1),
      PageDown: () => plusMonths(this.day, 1),
    }[event.key];
    if (!to) return;
    event.preventDefault();
    this.show(to(), true);
  }
}

/* A dialog in the way takes the focus and keeps it. */
function holdFocus(dialog) {
  const stops = () =>
    [...dialog.querySelectorAll("button, input:not([type=hidden]), summary")].filter(
      (one) => !one.disabled && one.offsetParent,
    );
  stops()[0].focus();
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Tab") return;
    const all = stops();
    const past = event.shiftKey ? all[0] : all[all.length - 1];
    if (document.activeElement !== past) return;
    event.preventDefault();
    (event.shiftKey ? all[all.length - 1] : all[0]).focus();
  });
}

/* Returning means a second day. */
function followWays(form) {
  const back = form.querySelector("input[name=return]");
  const show = () => {
    const oneWay = form.querySelector("input[name=trip][value=oneway]").checked;
    back.closest(".field").hidden = oneWay;
    back.disabled = oneWay;
  };
  form.querySelectorAll("input[name=trip]").forEach((way) => way.addEventListener("change", show));
  show();
}

document.querySelectorAll("input[data-place]").forEach(withPlaces);
document.querySelectorAll("input[data-calendar]").forEach((input) => new DayPicker(input));
document.querySelectorAll("[role=dialog][aria-modal]").forEach(holdFocus);
document.querySelectorAll("#flight-search").forEach(followWays);
document.querySelectorAll("input[data-slides]").forEach((slider) => {
  const number = slider.form.elements[slider.dataset.slides];
  slider.addEventListener("input", () => (number.value = slider.value));
  number.addEventListener("input", () => (slider.value = number.value || slider.max));
});

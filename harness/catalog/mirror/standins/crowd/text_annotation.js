// crowd-entity-annotation: spans of a text under labels. A label is chosen, then text is selected, by mouse or (the
// text has a caret) with Shift and the arrow keys, then Enter. Offsets count UTF-16 units from the start of the text,
// the end excluded.
(() => {
  "use strict";
  const crowd = (globalThis[Symbol.for("crowd-html-elements")] ??= {});
  const COLOURS = ["#2ca02c", "#1f77b4", "#ff7f0e", "#9467bd", "#d62728", "#8c564b", "#e377c2", "#17becf", "#bcbd22", "#7f7f7f"];

  // One button for each label; the one that is pressed holds. Keys 1 to 9 press them, too.
  crowd.Palette = class {
    constructor(labels, titles = labels) {
      this.chosen = labels[0];
      this.labels = labels;
      this.buttons = labels.map((label, index) => {
        const button = crowd.make("button", { type: "button", className: "crowd-label", value: label }, titles[index]);
        button.style.setProperty("--crowd-colour", this.colour(label));
        button.addEventListener("click", () => this.choose(label));
        return button;
      });
      this.choose(this.chosen);
    }

    colour(label) { return COLOURS[Math.max(0, this.labels.indexOf(label)) % COLOURS.length]; }

    choose(label) {
      this.chosen = label;
      for (const button of this.buttons) button.ariaPressed = String(button.value === label);
    }

    key(event) {
      const label = this.labels[Number(event.key) - 1];
      if (label !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) this.choose(label);
    }
  };

  // What has been marked, each with a button that takes it away.
  crowd.listed = (items, words, remove) => items.map((item, index) => {
    const button = crowd.make("button", { type: "button", className: "crowd-plain", ariaLabel: "Remove " + words(item) }, "✕");
    button.addEventListener("click", () => remove(index));
    return crowd.make("li", {}, crowd.make("span", {}, words(item)), button);
  });

  class EntityAnnotation extends crowd.Tool {
    #entities = [];

    constructor() {
      super();
      // A selection may end outside the text.
      document.addEventListener("mouseup", () => this.#mark());
    }

    get question() { return "Labels"; }

    frame() {
      const frame = super.frame();
      const listed = crowd.parse(this.getAttribute("labels"), []);
      this.palette = new crowd.Palette(this.list("labels"), this.list("labels").map((label, index) =>
        listed[index]?.fullDisplayName ?? label));
      this.text = this.getAttribute("text") ?? "";
      this.view = crowd.make("div", {
        className: "crowd-text", contentEditable: "true", spellcheck: false, role: "textbox", "aria-readonly": "true",
        ariaLabel: "Text to be annotated: select a part of it",
      });
      this.view.addEventListener("beforeinput", (event) => event.preventDefault());
      this.view.addEventListener("drop", (event) => event.preventDefault());
      this.view.addEventListener("keydown", (event) => {
        this.palette.key(event);
        if (event.key !== "Enter") return;
        event.preventDefault();
        this.#mark();
      });
      this.marked = crowd.make("ul", { className: "crowd-list" });
      this.target.append(this.view);
      this.panel.append(...this.palette.buttons,
        crowd.make("p", { className: "crowd-hint" }, "Choose a label, then select text (keyboard: Shift and arrows, then Enter)."),
        this.marked);
      this.value = { entities: crowd.parse(this.getAttribute("initial-value"), []) };
      return frame;
    }

    // The selection, if it is in the text, becomes a span under the chosen label; it may not overlap another.
    #mark() {
      const selection = document.getSelection();
      if (!this.view || !selection.rangeCount || selection.isCollapsed || !this.palette.labels.length) return;
      const range = selection.getRangeAt(0);
      if (!this.view.contains(range.startContainer) || !this.view.contains(range.endContainer)) return;
      const before = document.createRange();
      before.setStart(this.view, 0);
      before.setEnd(range.startContainer, range.startOffset);
      const startOffset = before.toString().length;
      const endOffset = startOffset + range.toString().length;
      selection.removeAllRanges();
      const free = this.#entities.every((entity) => endOffset <= entity.startOffset || startOffset >= entity.endOffset);
      if (startOffset === endOffset || !free) return;
      this.value = { entities: [...this.#entities, { endOffset, label: this.palette.chosen, startOffset }] };
    }

    #draw() {
      const parts = [];
      let at = 0;
      for (const { startOffset, endOffset, label } of this.#entities) {
        const mark = crowd.make("mark", { title: label }, this.text.slice(startOffset, endOffset));
        mark.style.setProperty("--crowd-colour", this.palette.colour(label));
        parts.push(this.text.slice(at, startOffset), mark);
        at = endOffset;
      }
      this.view.replaceChildren(...parts, this.text.slice(at));
      this.marked.replaceChildren(...crowd.listed(this.#entities,
        (entity) => `${entity.label}: ${this.text.slice(entity.startOffset, entity.endOffset)}`,
        (index) => { this.value = { entities: this.#entities.toSpliced(index, 1) }; }));
    }

    get value() { return { entities: this.#entities.map((entity) => ({ ...entity })) }; }
    set value(value) {
      this.#entities = Array.from(value?.entities ?? [], ({ endOffset, label, startOffset }) => ({ endOffset, label, startOffset }))
        .sort((one, other) => one.startOffset - other.startOffset);
      this.#draw();
      this.write({ entities: this.#entities });
    }
  }

  crowd.define("crowd-entity-annotation", EntityAnnotation);
})();

// crowd-classifier, -classifier-multi-select, -image-classifier, -image-classifier-multi-select: one or several
// categories for what is shown. The form sends them under the name with ".label" or ".labels", the columns that AMT
// makes of the answer.
(() => {
  "use strict";
  const crowd = (globalThis[Symbol.for("crowd-html-elements")] ??= {});

  // The frame of every tool: instructions, what is judged, the controls. The page's own regions go where they belong.
  crowd.Tool = class extends crowd.Element {
    static observedAttributes = ["name", "header", "categories", "labels", "src", "text", "initial-value", "exclusion-category"];

    attributeChangedCallback(_name, old, value) { if (old !== value) this.rebuild(); }

    frame() {
      this.sent = this.comment = this.exclusion = null;
      this.full = crowd.content("div");
      this.more = crowd.make("details", { hidden: true }, crowd.make("summary", {}, "View full instructions"), this.full);
      this.short = crowd.content("div");
      this.content = crowd.content("div");
      this.target = crowd.make("div", { className: "crowd-target" }, this.content);
      this.panel = crowd.make("fieldset", {}, crowd.make("legend", {}, this.question));
      return crowd.make("div", { className: "crowd-tool" },
        crowd.make("div", { className: "crowd-heading" }, this.getAttribute("header") ?? ""),
        crowd.make("aside", {}, this.short, this.more), this.target, this.panel);
    }

    get question() { return "Select an option"; }

    place(node) {
      if (node.localName === "short-instructions") return this.short;
      if (node.localName === "full-instructions") {
        this.more.hidden = false;
        const header = node.getAttribute("header");
        if (header) this.more.firstChild.textContent = header;
        return this.full;
      }
      return this.content;
    }

    // The values of a setting that lists labels: texts, or objects that hold a text.
    list(attribute) {
      const listed = crowd.parse(this.getAttribute(attribute), []);
      return (Array.isArray(listed) ? listed : [])
        .map((item) => (typeof item === "object" && item ? item.label ?? item.fullDisplayName ?? item.text : item)).map(String);
    }

    get name() { return this.getAttribute("name") ?? ""; }

    // Hidden inputs that hold the answer, one for every column.
    write(values) {
      this.sent ??= this.panel.appendChild(crowd.make("div", { hidden: true }));
      this.sent.replaceChildren(...Object.entries(values).map(([column, value]) => crowd.make("input", {
        type: "hidden", name: this.name + "." + column, value: typeof value === "string" ? value : JSON.stringify(value),
      })));
      this.dispatchEvent(new Event("change", { bubbles: true }));
    }
  };

  class Classifier extends crowd.Tool {
    get type() { return "radio"; }
    get column() { return "label"; }

    frame() {
      const frame = super.frame();
      this.boxes = this.list("categories").map((category) => this.#box(category));
      const other = crowd.parse(this.getAttribute("exclusion-category"), null)?.text;
      if (other && this.type === "checkbox") {
        this.exclusion = this.#box(other);
        this.boxes.push(this.exclusion);
      }
      this.panel.append(...this.boxes.map((box) => crowd.make("label", { className: "crowd-choice" }, box, " " + box.value)));
      this.panel.addEventListener("change", (event) => this.chosen(event.target));
      if (this.hasAttribute("src")) this.target.append(crowd.make("img", { src: this.getAttribute("src"), alt: "" }));
      this.chosen(null);
      return frame;
    }

    #box(value) {
      return crowd.make("input", {
        type: this.type, name: `${this.name}.${this.column}`, value, required: this.type === "radio",
      });
    }

    // "None of these" goes with no other choice; of several boxes at least one is to be chosen.
    chosen(box) {
      if (this.type !== "checkbox" || !this.boxes.length) return;
      const pressed = box && this.boxes.includes(box) && box.checked;
      const excludes = (other) => other !== box && (box === this.exclusion || other === this.exclusion);
      if (pressed && this.exclusion) for (const other of this.boxes.filter(excludes)) other.checked = false;
      const chosen = this.boxes.some((each) => each.checked);
      this.boxes[0].setCustomValidity(chosen ? "" : "Please choose at least one of these options.");
    }

    place(node) {
      if (node.localName !== "worker-comment") return super.place(node);
      this.comment ??= this.#comment(node);
      return this.comment;
    }

    #comment(node) {
      const words = node.getAttribute("link-text") ?? "Add a comment";
      const box = crowd.make("textarea", {
        name: this.name + ".workerComment", rows: 3, placeholder: node.getAttribute("placeholder"),
        ariaLabel: node.getAttribute("header") ?? words,
      });
      const place = crowd.content("div");
      this.panel.append(crowd.make("details", {}, crowd.make("summary", {}, words), place,
        crowd.make("label", { className: "crowd-field" }, box)));
      return place;
    }

    get value() {
      const chosen = this.boxes.filter((box) => box.checked).map((box) => box.value);
      return this.type === "radio" ? { label: chosen[0] } : { labels: chosen };
    }
    set value(value) {
      const wanted = this.type === "radio" ? [value?.label] : value?.labels ?? [];
      for (const box of this.boxes) box.checked = wanted.includes(box.value);
      this.chosen(null);
    }
  }

  class MultiClassifier extends Classifier {
    get type() { return "checkbox"; }
    get column() { return "labels"; }
    get question() { return "Select all that apply"; }
  }

  crowd.define("crowd-classifier", Classifier);
  crowd.define("crowd-image-classifier", class extends Classifier {});
  crowd.define("crowd-classifier-multi-select", MultiClassifier);
  crowd.define("crowd-image-classifier-multi-select", class extends MultiClassifier {});
})();

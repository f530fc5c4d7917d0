// The elements that stand for one native control: crowd-input, -text-area, -slider, -checkbox, -toggle-button,
// -radio-button.
(() => {
  "use strict";
  const crowd = (globalThis[Symbol.for("crowd-html-elements")] ??= {});
  const ALWAYS = { name: "name", disabled: "disabled", required: "required", readonly: "readonly" };
  const TEXTS = {
    ...ALWAYS, placeholder: "placeholder", "max-length": "maxlength", "min-length": "minlength",
    maxlength: "maxlength", minlength: "minlength", "auto-focus": "autofocus",
  };

  // A control under its caption, with the page's own words for what is wrong with the value.
  class Field extends crowd.Control {
    #caption = crowd.make("span", { className: "crowd-caption" });
    #error = crowd.make("span", { className: "crowd-error", role: "alert" });

    frame() {
      this.control.addEventListener("invalid", () => { this.#error.textContent = this.getAttribute("error-message") ?? ""; });
      return crowd.make("label", { className: "crowd-field" }, this.#caption, this.control, ...this.extras(), this.#error);
    }

    extras() { return []; }
    place() { return null; }

    show(name, value) {
      if (name === "label") this.#caption.textContent = value ?? "";
      else super.show(name, value);
    }

    changed() {
      super.changed();
      if (this.control.validity.valid) this.#error.textContent = "";
      else if (this.hasAttribute("auto-validate")) this.#error.textContent = this.getAttribute("error-message") ?? "";
    }
  }

  class Input extends Field {
    static passed = { ...TEXTS, type: "type", pattern: "pattern", min: "min", max: "max", step: "step", autocomplete: "autocomplete" };

    native() {
      const input = crowd.make("input", { type: "text" });
      input.addEventListener("beforeinput", (event) => {
        const allowed = this.getAttribute("allowed-pattern");
        if (allowed && event.data && !Array.from(event.data).every((letter) => new RegExp(allowed).test(letter))) {
          event.preventDefault();
        }
      });
      return input;
    }
  }
  crowd.reflect(Input, { placeholder: "text", type: "text", min: "text", max: "text", step: "text", maxLength: "text" });

  class TextArea extends Field {
    static passed = { ...TEXTS, rows: "rows", cols: "cols" };
    native() { return crowd.make("textarea", { rows: 3 }); }

    frame() {
      if (this.hasAttribute("auto-size")) this.control.style.fieldSizing = "content";
      const most = Number(this.getAttribute("max-rows"));
      if (most > 0) this.control.style.maxHeight = `calc(${most}lh + 14px)`;
      return super.frame();
    }
  }
  crowd.reflect(TextArea, { placeholder: "text", rows: "text", maxLength: "text" });

  // Unlike a native slider it begins at its lowest value.
  class Slider extends Field {
    static passed = ALWAYS;
    static get observedAttributes() { return [...super.observedAttributes, "min", "max", "step", "pin", "editable"]; }
    #moved = false;
    #shown = crowd.make("output");
    #edit = crowd.make("input", { type: "number", className: "crowd-edit", ariaLabel: "value" });

    native() { return crowd.make("input", { type: "range", min: 0, max: 100, step: 1, value: 0 }); }

    extras() {
      document.addEventListener("reset", () => setTimeout(() => this.#mirror())); // the form acts after its listeners
      this.#edit.addEventListener("input", (event) => {
        event.stopPropagation();
        if (this.#edit.validity.badInput || this.#edit.value === "") return;
        this.value = this.#edit.value;
        this.control.dispatchEvent(new Event("input", { bubbles: true }));
      });
      this.#edit.addEventListener("change", (event) => {
        event.stopPropagation();
        this.#mirror();
        this.control.dispatchEvent(new Event("change", { bubbles: true }));
      });
      this.#mirror();
      return [this.#shown, this.#edit];
    }

    show(name, value) {
      if (name === "label" || name === "checked") return void super.show(name, value);
      const now = this.control.value;
      const { control } = this;
      const low = this.getAttribute("min") ?? "0";
      [control.min, control.max, control.step] = [low, this.getAttribute("max") ?? "100", this.getAttribute("step") ?? "1"];
      control.defaultValue = this.getAttribute("value") ?? low;
      control.value = this.#moved && name !== "value" ? now : control.defaultValue;
      this.#mirror();
    }

    #mirror() {
      const { control } = this;
      this.#edit.hidden = !this.hasAttribute("editable");
      this.#shown.hidden = !this.hasAttribute("pin") || !this.#edit.hidden;
      this.#shown.textContent = control.value;
      [this.#edit.min, this.#edit.max, this.#edit.step] = [control.min, control.max, control.step];
      this.#edit.disabled = control.disabled;
      if (document.activeElement !== this.#edit) this.#edit.value = control.value;
    }

    changed() {
      this.#moved = true;
      this.#mirror();
      super.changed();
    }

    get value() { return this.control.value; }
    set value(value) {
      this.#moved = true;
      this.control.value = value;
      this.#mirror();
    }
  }
  crowd.reflect(Slider, { min: "text", max: "text", step: "text", pin: "flag", editable: "flag" });

  class Checkbox extends crowd.Choice {
    native() { return crowd.make("input", { type: "checkbox" }); }
  }

  class Toggle extends Checkbox {
    get look() { return "crowd-choice crowd-switch"; }
    native() { return crowd.make("input", { type: "checkbox", role: "switch" }); }
  }

  class Radio extends crowd.Choice {
    native() { return crowd.make("input", { type: "radio" }); }
  }

  // Buttons of one group are alternatives even if their names differ, which native ones are not.
  class RadioGroup extends HTMLElement {
    connectedCallback() {
      this.role ??= "radiogroup";
      this.addEventListener("change", (event) => {
        for (const other of this.querySelectorAll("crowd-radio-button")) {
          if (event.target.checked && !other.contains(event.target)) other.checked = false;
        }
      });
    }
  }

  crowd.define("crowd-input", Input);
  crowd.define("crowd-text-area", TextArea);
  crowd.define("crowd-slider", Slider);
  crowd.define("crowd-checkbox", Checkbox);
  crowd.define("crowd-toggle-button", Toggle);
  crowd.define("crowd-radio-group", RadioGroup);
  crowd.define("crowd-radio-button", Radio);
})();

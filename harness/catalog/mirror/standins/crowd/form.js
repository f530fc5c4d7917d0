// crowd-form and crowd-button. A page that the task server has wrapped brings the form along (inside crowd-form, so
// that a submission passes by crowd-form's own listeners); elsewhere crowd-form makes one.
(() => {
  "use strict";
  const crowd = (globalThis[Symbol.for("crowd-html-elements")] ??= {});
  // The button that the task server adds to a page without one of HTML's own.
  const ADDED = "form > p:last-child > input#submitButton[type=submit][value=Submit]:only-child";
  const SUBMITS = "button:not([type]), button[type=submit], input[type=submit], input[type=image]";

  class Form extends HTMLElement {
    connectedCallback() {
      if (document.readyState !== "loading") this.complete();
      else document.addEventListener("DOMContentLoaded", () => this.complete(), { once: true });
    }

    // The form that sends what is in this element.
    get form() { return this.querySelector("form") ?? this.closest("form"); }

    complete() {
      if (!this.form) {
        const form = crowd.make("form", { method: "post" });
        form.append(...this.childNodes);
        this.append(form);
      }
      const added = this.querySelector(ADDED)?.parentElement;
      const own = Array.from(this.querySelectorAll(SUBMITS)).some((button) => !added?.contains(button));
      if (added) added.hidden = own;
      else if (!own) this.form.append(crowd.make("p", {}, button("Submit")));
      if (!this.contains(this.form)) this.#listenTo(this.form);
    }

    // A form around this element does not send its events this way.
    #listenTo(form) {
      form.addEventListener("submit", (event) => {
        const copy = new SubmitEvent("submit", { cancelable: true, submitter: event.submitter });
        if (!this.dispatchEvent(copy)) event.preventDefault();
      });
    }

    get elements() { return this.form.elements; }
    // As with a native form: neither checked nor announced.
    submit() { HTMLFormElement.prototype.submit.call(this.form); }
    requestSubmit(submitter) { HTMLFormElement.prototype.requestSubmit.call(this.form, submitter); }
    reset() { HTMLFormElement.prototype.reset.call(this.form); }
    checkValidity() { return HTMLFormElement.prototype.checkValidity.call(this.form); }
    reportValidity() { return HTMLFormElement.prototype.reportValidity.call(this.form); }
  }

  const button = (text) => {
    const element = crowd.make("crowd-button", { "form-action": "submit", variant: "primary" });
    element.textContent = text;
    return element;
  };

  const TYPES = { submit: "submit", reset: "reset" };

  class Button extends crowd.Element {
    static observedAttributes = ["form-action", "disabled", "loading", "icon", "icon-url", "href", "target"];
    #button = crowd.make("button", { type: "button", className: "crowd-button" });
    #icon = crowd.make("span");

    frame() {
      this.content = crowd.content("span");
      this.#button.append(this.#icon, this.content);
      if (this.getAttribute("icon-align") === "right") this.#button.append(this.#icon);
      this.#button.addEventListener("click", () => {
        if (this.hasAttribute("href")) {
          crowd.make("a", { href: this.getAttribute("href"), target: this.getAttribute("target") ?? "_self" }).click();
        }
      });
      return this.#button;
    }

    attributeChangedCallback() {
      this.#button.type = TYPES[this.getAttribute("form-action")] ?? "button";
      this.#button.disabled = this.hasAttribute("disabled") || this.hasAttribute("loading");
      this.#button.setAttribute("aria-busy", String(this.hasAttribute("loading")));
      const url = this.getAttribute("icon-url");
      const icon = this.getAttribute("icon");
      this.#icon.replaceChildren(...(url ? [crowd.make("img", { src: url, alt: "", height: 16 })] : []),
        icon && !url ? crowd.glyph(icon) + " " : "");
    }

    get form() { return this.#button.form; }
    focus(options) { this.#button.focus(options); }
    blur() { this.#button.blur(); }
    click() { this.#button.click(); }
  }
  crowd.reflect(Button, { disabled: "flag", loading: "flag", formAction: "text", variant: "text", href: "text", icon: "text" });

  crowd.define("crowd-button", Button);
  crowd.define("crowd-form", Form);
})();

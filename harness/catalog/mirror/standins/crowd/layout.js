// The elements that hold no answer: instructions, windows, tabs, cards, notes, icons.
(() => {
  "use strict";
  const crowd = (globalThis[Symbol.for("crowd-html-elements")] ??= {});

  // The commonest of the original's icons as characters; others show a dot.
  const GLYPHS = {
    add: "+", "arrow-back": "←", "arrow-downward": "↓", "arrow-drop-down": "▾", "arrow-forward": "→",
    "arrow-upward": "↑",
    bookmark: "🔖", cancel: "✖", check: "✓", "check-circle": "✔", "chevron-left": "‹", "chevron-right": "›",
    clear: "✕", close: "✕",
    create: "✎", delete: "🗑", done: "✓", error: "⛔", "error-outline": "⛔", "expand-less": "▴", "expand-more": "▾",
    favorite: "♥",
    flag: "⚑", help: "?", "help-outline": "?", home: "⌂", info: "ℹ", "info-outline": "ℹ", link: "🔗", lock: "🔒",
    mail: "✉",
    menu: "☰", "more-horiz": "⋯", "more-vert": "⋮", "play-arrow": "▶", refresh: "↻", remove: "−", report: "⚑",
    save: "💾",
    search: "🔍", send: "➤", settings: "⚙", star: "★", "star-border": "☆", "thumb-down": "👎", "thumb-up": "👍", undo: "↶",
    visibility: "👁", warning: "⚠", "zoom-in": "🔍+", "zoom-out": "🔍−",
  };
  crowd.glyph = (name) => GLYPHS[name.replace(/^.*:/, "")] ?? "•";

  const closer = (close) => {
    const button = crowd.make("button", { type: "button", className: "crowd-plain crowd-close", ariaLabel: "Close" }, "✕");
    button.addEventListener("click", close);
    return button;
  };

  // A window over the page, and what opens it.
  class Modal extends crowd.Element {
    static observedAttributes = ["link-text", "link-type", "open"];
    #opener = crowd.make("button", { type: "button", className: "crowd-button crowd-link" });
    #dialog = crowd.make("dialog", { className: "crowd-dialog" });

    frame() {
      this.content = crowd.content("div");
      this.#dialog.append(closer(() => this.close()), this.content);
      this.#opener.addEventListener("click", () => this.open());
      this.attributeChangedCallback();
      return crowd.make("span", {}, this.#opener, this.#dialog);
    }

    attributeChangedCallback(name, _old, value) {
      const type = this.getAttribute("link-type") ?? "text";
      const text = this.getAttribute("link-text") ?? this.constructor.words;
      this.#opener.className = type === "button" ? "crowd-button" : type === "icon" ? "crowd-plain" : "crowd-button crowd-link";
      this.#opener.textContent = type === "icon" ? "ℹ" : text;
      this.#opener.ariaLabel = text;
      if (name === "open" && value !== null) this.open();
    }

    open() { if (this.isConnected && !this.#dialog.open) this.#dialog.showModal(); }
    close() { this.#dialog.close(); }
  }
  Modal.words = "Click to open modal";

  class Instructions extends Modal {}
  Instructions.words = "View instructions";

  class Tabs extends crowd.Element {
    frame() {
      this.list = crowd.make("div", { className: "crowd-tablist", role: "tablist" });
      this.list.addEventListener("keydown", (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        const buttons = Array.from(this.list.children);
        const next = step && buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length];
        next?.focus();
        next?.click();
      });
      return this.list;
    }

    adopted() {
      const tabs = Array.from(this.querySelectorAll(":scope > crowd-tab"));
      this.list.replaceChildren(...tabs.map((tab) => {
        const button = crowd.make("button", { type: "button", role: "tab" }, tab.getAttribute("header") ?? "");
        button.addEventListener("click", () => this.choose(tab));
        return button;
      }));
      this.choose(tabs.find((tab) => tab === this.chosen) ?? tabs[0]);
    }

    choose(chosen) {
      this.chosen = chosen;
      this.querySelectorAll(":scope > crowd-tab").forEach((tab, index) => {
        tab.role = "tabpanel";
        tab.style.display = tab === chosen ? "" : "none";
        this.list.children[index].ariaSelected = String(tab === chosen);
        this.list.children[index].tabIndex = tab === chosen ? 0 : -1;
      });
    }
  }

  class Card extends crowd.Element {
    static observedAttributes = ["heading", "image"];
    #image = crowd.make("img", { alt: "" });
    #heading = crowd.make("div", { className: "crowd-heading" });

    frame() {
      this.content = crowd.content("div");
      return crowd.make("div", { className: "crowd-card" }, this.#image, this.#heading, this.content);
    }

    attributeChangedCallback() {
      this.#heading.textContent = this.getAttribute("heading") ?? "";
      this.#image.hidden = !this.hasAttribute("image");
      if (this.hasAttribute("image")) this.#image.src = this.getAttribute("image");
    }
  }

  class Alert extends crowd.Element {
    frame() {
      this.content = crowd.content("div");
      const frame = crowd.make("div", { className: "crowd-alert", role: "alert" }, this.content);
      if (this.hasAttribute("dismissible")) frame.append(closer(() => { this.style.display = "none"; }));
      return frame;
    }
  }

  // Elements whose content is what their attributes say.
  const shown = (attributes, build) => class extends crowd.Element {
    static observedAttributes = attributes;
    #part = crowd.make("span");
    frame() { return this.#part; }
    place() { return null; }
    attributeChangedCallback() { this.#part.replaceChildren(...build(this)); }
  };
  const text = (element, name) => element.getAttribute(name) ?? "";
  const icon = (element) => (element.hasAttribute("icon") ? crowd.glyph(text(element, "icon")) : "");

  const Icon = shown(["icon"], (element) => [icon(element)]);
  const IconButton = shown(["icon", "disabled"], (element) => [crowd.make("button", {
    type: "button", className: "crowd-plain", disabled: element.hasAttribute("disabled"), ariaLabel: text(element, "icon"),
  }, icon(element))]);
  const Fab = shown(["icon", "label", "title", "disabled"], (element) => [crowd.make("button", {
    type: "button", className: "crowd-button", disabled: element.hasAttribute("disabled"), title: text(element, "title"),
  }, icon(element) || text(element, "label"))]);
  const Badge = shown(["icon", "label"], (element) => [crowd.make("span", { className: "crowd-badge" },
    icon(element) || text(element, "label"))]);
  crowd.reflect(IconButton, { disabled: "flag" });
  crowd.reflect(Fab, { disabled: "flag" });

  // A note that goes away by itself. Milliseconds.
  const DURATION = 3000;
  class Toast extends HTMLElement {
    static observedAttributes = ["opened", "text"];
    #timer = 0;

    attributeChangedCallback(name, _old, value) {
      if (name === "text") this.textContent = value;
      if (name !== "opened") return;
      clearTimeout(this.#timer);
      const duration = Number(this.getAttribute("duration") ?? DURATION);
      if (value !== null && duration > 0) this.#timer = setTimeout(() => this.close(), duration);
    }

    connectedCallback() { this.role ??= "status"; }
    open() { this.setAttribute("opened", ""); }
    show() { this.open(); }
    close() { this.removeAttribute("opened"); }
    hide() { this.close(); }
  }
  crowd.reflect(Toast, { opened: "flag", text: "text" });

  // Words about the element that `for` names, while the mouse or the keyboard is on it.
  class Tooltip extends HTMLElement {
    connectedCallback() {
      this.role ??= "tooltip";
      const about = (event) => {
        const target = document.getElementById(this.getAttribute("for")) ?? this.parentElement;
        this.toggleAttribute("opened", event.target instanceof Node && Boolean(target?.contains(event.target)));
      };
      document.addEventListener("mouseover", about);
      document.addEventListener("focusin", about);
    }
  }

  const kinds = {
    modal: Modal, instructions: Instructions, tabs: Tabs, card: Card, alert: Alert, icon: Icon, "icon-button": IconButton, fab: Fab,
    badge: Badge, toast: Toast, tooltip: Tooltip,
  };
  for (const [name, constructor] of Object.entries(kinds)) crowd.define("crowd-" + name, constructor);
})();

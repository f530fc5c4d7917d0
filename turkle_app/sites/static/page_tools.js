"use strict";
// What a page offers agents that ask pages for tools (WebMCP): one tool for each button of its forms, and one that
// follows its links. The page has this script only for a visitor who asks for it.
(() => {
  const context = document.modelContext;
  if (!context) return;
  const words = (element) => (element?.textContent || "").replace(/\s+/g, " ").trim();
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
  const labelOf = (control) => control.getAttribute("aria-label") || words(control.labels?.[0]) || control.placeholder || "";

  // What stands around a form tells it from another with the same buttons: its own name, or the heading before it.
  const about = (form) => {
    const named = form.getAttribute("aria-label");
    if (named) return named;
    for (let part = form; part && part !== document.body; part = part.parentElement) {
      const heading = part.querySelector("h1, h2, h3") || part.closest("li, tr")?.querySelector("a, h2, h3");
      if (words(heading)) return words(heading).slice(0, 80);
    }
    return document.title;
  };

  // The inputs of a form by name: those of one name are one input.
  const inputsOf = (form) => {
    const inputs = new Map();
    for (const control of form.elements) {
      if (!control.name || control.disabled || ["hidden", "submit", "button", "image", "file"].includes(control.type)) continue;
      if (control instanceof HTMLButtonElement || control instanceof HTMLFieldSetElement) continue;
      inputs.set(control.name, [...(inputs.get(control.name) || []), control]);
    }
    return inputs;
  };
  const schemaOf = (controls) => {
    const [first] = controls;
    const description = controls.length > 1 ? words(first.closest("fieldset")?.querySelector("legend")) || first.name : labelOf(first);
    if (first.type === "radio") return { type: "string", enum: controls.map((each) => labelOf(each) || each.value), description };
    if (first.type === "checkbox") {
      if (controls.length === 1) return { type: "boolean", description };
      return { type: "array", items: { type: "string", enum: controls.map((each) => labelOf(each) || each.value) }, description };
    }
    if (first instanceof HTMLSelectElement) return { type: "string", enum: [...first.options].map(words), description };
    return { type: first.type === "number" ? "number" : "string", description };
  };
  const tell = (control) => {
    control.dispatchEvent(new Event("input", { bubbles: true }));
    control.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const set = (controls, value) => {
    const [first] = controls;
    if (first.type === "radio" || first.type === "checkbox") {
      const isMeant = (control, each) => String(each) === labelOf(control) || String(each) === control.value;
      const wanted = Array.isArray(value) ? value : typeof value === "boolean" && controls.length === 1 ? value ? [first.value] : [] : [value];
      const unknown = wanted.find((each) => !controls.some((control) => isMeant(control, each)));
      if (unknown !== undefined) throw new Error(`${first.name} has no option ${JSON.stringify(unknown)}`);
      for (const control of controls) {
        if (control.checked !== wanted.some((each) => isMeant(control, each))) control.click();
      }
    } else if (first instanceof HTMLSelectElement) {
      const option = [...first.options].find((each) => words(each) === String(value) || each.value === String(value));
      if (!option) throw new Error(`${first.name} has no option ${JSON.stringify(value)}`);
      first.value = option.value;
      tell(first);
    } else {
      first.value = String(value);
      tell(first);
    }
  };

  const taken = new Set();
  const nameOf = (text) => {
    const plain = text.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "").slice(0, 40) || "submit";
    let name = plain;
    for (let number = 2; taken.has(name); number += 1) name = `${plain}_${number}`;
    taken.add(name);
    return name;
  };
  // Of an error that is thrown agents learn nothing but that there was one.
  const said = (work) => async (input) => {
    try {
      return work(input);
    } catch (error) {
      return `not done: ${error.message}`;
    }
  };
  // The answer is given before the page goes on to another, which would take it along.
  const soon = (press) => setTimeout(press, 0);

  for (const form of document.forms) {
    const inputs = inputsOf(form);
    const properties = Object.fromEntries([...inputs].map(([name, controls]) => [name, schemaOf(controls)]));
    for (const button of form.querySelectorAll("button:not([type=button]):not([type=reset]), input[type=submit]")) {
      const text = words(button) || button.value || "Submit";
      if (button.disabled || !isShown(button)) continue;
      context.registerTool({
        name: nameOf(text),
        description: `${text}: ${about(form)}`,
        inputSchema: { type: "object", properties },
        execute: said((input) => {
          for (const [name, value] of Object.entries(input)) {
            if (!inputs.has(name)) throw new Error(`there is no input ${JSON.stringify(name)}; there are ${[...inputs.keys()].join(", ") || "none"}`);
            set(inputs.get(name), value);
          }
          soon(() => button.click());
          return `pressed ${JSON.stringify(text)}`;
        }),
      });
    }
  }

  const links = new Map();
  for (const link of document.links) if (isShown(link) && words(link) && !links.has(words(link))) links.set(words(link), link);
  if (!links.size) return;
  context.registerTool({
    name: nameOf("follow link"),
    description: "Follow a link of this page",
    inputSchema: { type: "object", properties: { text: { type: "string", enum: [...links.keys()] } }, required: ["text"] },
    execute: said(({ text }) => {
      const link = links.get(text);
      if (!link) throw new Error(`there is no link ${JSON.stringify(text)}`);
      soon(() => link.click());
      return `followed ${JSON.stringify(text)}`;
    }),
  });
})();

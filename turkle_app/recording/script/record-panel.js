// The panel of a recording: a picture of the recorded browser, to which presses and keys are handed on, and the steps so far.
// All that a stranger's page says is put in as text.
"use strict";

(() => {
  /** @typedef {{ target: string, match: string, reference: string, key: string, path: string, method: string, host: string,
   *    url: string, note: string }} Node */
  /** @typedef {{ number: number, do: string, words: string, url: string, after: string, css: string, picture: string,
   *    secret: boolean, nodes: Node[] }} Step */
  /** @typedef {{ words: string, holds: boolean | null, why: string }} Part */
  /** @typedef {{ version: number, phase: string, trouble: string, notes: string[], folder: string, steps: Step[],
   *    tabs: { number: number, url: string, title: string, shown: boolean }[], title: string, goal: string, level: string,
   *    answer: string | null, answer_match: string,
   *    proof: { holds: boolean, steps: Part[], nodes: Part[], warnings: string[] } | null }} Told */

  /** @template {HTMLElement} T @param {string} id @param {new () => T} kind @returns {T} */
  const get = (id, kind) => {
    const found = document.getElementById(id);
    if (!(found instanceof kind)) throw new Error(`there is no ${id}`);
    return found;
  };
  /** @param {string} tag @param {string} [name] @param {string} [text] */
  const make = (tag, name = "", text = "") => {
    const made = document.createElement(tag);
    made.className = name;
    made.textContent = text;
    return made;
  };
  /** @param {string} text @param {() => void} press @param {string} [label] */
  const button = (text, press, label = "") => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    if (label) made.setAttribute("aria-label", label);
    made.addEventListener("click", press);
    return made;
  };
  const panel = get("recorder", HTMLElement);
  const here = panel.dataset.here ?? "";
  const isHeaded = Boolean(panel.dataset.headed);
  const token = panel.querySelector("input")?.value ?? "";
  const pause = (/** @type {number} */ ms) => new Promise((resume) => setTimeout(resume, ms));

  // ---- the server --------------------------------------------------------------------------------------------------
  const trouble = get("trouble", HTMLElement);
  const complain = (/** @type {string} */ words) => {
    trouble.textContent = words;
    trouble.hidden = !words;
  };
  /** @param {object} what */
  const send = async (what) => {
    let answer;
    try {
      answer = await fetch(`${here}act/`, {
        method: "POST", body: JSON.stringify(what), headers: { "X-CSRFToken": token, "Content-Type": "application/json" },
      });
    } catch {
      throw new Error("The server does not answer.");
    }
    if (!answer.headers.get("Content-Type")?.startsWith("application/json")) throw new Error("This cannot be done now: open the page anew.");
    const told = await answer.json();
    if (!answer.ok) throw new Error(told.said);
    return told;
  };
  let isEnding = false; // a server that was started for this recording ends with it
  // One thing after another, in the order in which the person did them.
  let before = Promise.resolve();
  /** @param {object} what @param {(told: any) => void} [then] */
  const ask = (what, then) => {
    const asked = before.then(async () => {
      try {
        const told = await send(what);
        complain("");
        then?.(told);
      } catch (error) {
        if (isEnding && told) show({ ...told, phase: told.phase = "ended" });
        else complain(error instanceof Error ? error.message : String(error));
      }
      await look();
    });
    before = asked;
    return asked;
  };

  // ---- what it shows -----------------------------------------------------------------------------------------------
  let version = -1;
  /** @type {Told | null} */
  let told = null;
  const look = async () => {
    try {
      const answer = await fetch(`${here}state.json?after=${version}`);
      if (answer.status !== 200) return;
      told = await answer.json();
      version = told?.version ?? -1;
      if (told) show(told);
    } catch {
      if (isEnding && told) show({ ...told, phase: told.phase = "ended" });
      else get("phase", HTMLElement).textContent = "no answer";
    }
  };
  const PHASES = { starting: "starting", recording: "recording", proving: "replaying", ended: "ended", failed: "failed" };
  /** @param {Told} now */
  const show = (now) => {
    const phase = get("phase", HTMLElement);
    phase.textContent = /** @type {Record<string, string>} */ (PHASES)[now.phase] ?? now.phase;
    phase.className = `badge push ${now.phase === "recording" ? "split" : now.phase === "failed" ? "bad" : "warn"}`;
    if (now.trouble) complain(now.trouble);
    showTabs(now);
    get("steps", HTMLElement).replaceChildren(...(now.steps.length ? now.steps.map(shownStep)
      : [make("li", "empty-list", "Nothing was done yet.")]));
    get("notes", HTMLElement).replaceChildren(...now.notes.map((words) => make("p", "note warn small", words)));
    showTask(now);
    showProof(now);
    get("save", HTMLButtonElement).disabled = now.phase !== "recording" && now.phase !== "browser gone";
    get("undo", HTMLButtonElement).disabled = now.phase !== "recording" || !now.steps.length;
    if (now.phase !== "ended" && now.phase !== "failed") return;
    for (const each of panel.querySelectorAll("button, input, select, textarea")) each.toggleAttribute("disabled", true);
  };
  /** @param {Told} now */
  const showTabs = (now) => {
    if (isHeaded) return;
    get("tabs", HTMLElement).replaceChildren(...now.tabs.map((tab) => {
      const item = make("li", tab.shown ? "shown" : "");
      item.append(button(tab.title || tab.url, () => ask({ do: "switch_tab", tab: tab.number })));
      if (now.tabs.length > 1) item.append(button("×", () => ask({ do: "close_tab", tab: tab.number }), `Close tab ${tab.number}`));
      return item;
    }));
    const address = get("address", HTMLInputElement);
    const shown = now.tabs.find((tab) => tab.shown);
    if (shown && document.activeElement !== address) address.value = shown.url;
  };
  /** @param {string} url */
  const place = (url) => {
    try {
      const { pathname, search } = new URL(url);
      return pathname + search;
    } catch {
      return url;
    }
  };
  /** @param {Node} node */
  const nodeWords = (node) => {
    const what = { url: "address", element_path: "element", element_value: "value" }[node.target] ?? node.target;
    return node.note || `${what}${node.key ? `, ${node.key}` : ""} ${node.match}: ${node.reference}`;
  };
  /** @param {Step} step */
  const shownStep = (step) => {
    const item = make("li");
    item.dataset.step = String(step.number);
    const thumb = step.picture ? document.createElement("img") : make("span");
    thumb.className = "thumb";
    if (thumb instanceof HTMLImageElement) {
      thumb.src = `${here}picture/${step.picture}`;
      thumb.alt = "";
    }
    const where = make("span", "where", step.after && step.after !== step.url ? `${place(step.url)} → ${place(step.after)}` : place(step.url));
    where.title = step.after || step.url;
    const doing = make("span", "doing");
    doing.append(button("Key node …", () => { void openNode(step); }, `Key node on: ${step.words}`),
      button("Remove", () => { void ask({ do: "remove", step: step.number }); }, `Remove: ${step.words}`));
    item.append(thumb, make("span", "said", step.words), where, doing);
    if (step.nodes.length) {
      const nodes = make("ul", "nodes");
      nodes.append(...step.nodes.map((node, number) => {
        const one = make("li");
        one.append(make("span", "", nodeWords(node)),
          button("×", () => { void ask({ do: "drop_node", step: step.number, place: number }); }, `Take off: ${nodeWords(node)}`));
        return one;
      }));
      item.append(nodes);
    }
    return item;
  };

  // ---- the task ----------------------------------------------------------------------------------------------------
  const NAMES = /** @type {const} */ (["title", "goal", "level", "answer", "answer_match"]);
  /** @param {string} name */
  const field = (name) => /** @type {HTMLInputElement} */ (get(name, HTMLElement));
  /** @param {Told} now */
  const showTask = (now) => {
    for (const name of NAMES) {
      if (document.activeElement !== field(name)) field(name).value = now[name] ?? "";
    }
    get("answers", HTMLInputElement).checked = now.answer !== null;
    get("answer-fields", HTMLElement).hidden = now.answer === null;
  };
  const described = () => {
    const said = Object.fromEntries(NAMES.map((name) => [name, field(name).value]));
    return { do: "describe", ...said, answer: get("answers", HTMLInputElement).checked ? said.answer : null };
  };
  for (const name of NAMES) field(name).addEventListener("change", () => { void ask(described()); });
  get("answers", HTMLInputElement).addEventListener("change", () => { void ask(described()); });
  get("task", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    void ask(described());
    void ask({ do: "save" });
  });
  get("undo", HTMLElement).addEventListener("click", () => { void ask({ do: "undo" }); });
  get("end", HTMLElement).addEventListener("click", () => {
    if (told && !told.folder && !confirm("End without saving? The steps are gone then.")) return;
    isEnding = true;
    void ask({ do: "end" });
  });
  /** @param {Told} now */
  const showProof = (now) => {
    const proof = get("proof", HTMLElement);
    const isNew = proof.hidden;
    proof.hidden = !now.folder;
    if (!now.folder) return;
    const all = now.proof;
    const words = !all ? (now.phase === "proving" ? "Saved; it is being replayed …" : "Saved; it could not be replayed.")
      : all.holds ? "Saved, and the replay holds." : "Saved, and the replay does not hold.";
    proof.className = `note proof ${!all ? "" : all.holds ? "good" : "bad"}`;
    /** @param {Part} part */
    const item = (part) => {
      const state = part.holds === null ? "unknown" : part.holds ? "holds" : "fails";
      const sign = { unknown: "?", holds: "✓", fails: "✗" }[state];
      return make("li", state, `${sign} ${part.words}${part.why ? ` – ${part.why}` : ""}`);
    };
    const parts = [make("h2", "", words), make("p", "small mono", now.folder)];
    if (all) {
      const steps = make("ol"), nodes = make("ul");
      steps.append(...all.steps.map(item));
      nodes.append(...all.nodes.map(item));
      parts.push(steps, make("h3", "", "Key nodes"), nodes, ...all.warnings.map((warning) => make("p", "unknown", warning)));
    }
    proof.replaceChildren(...parts);
    if (isNew) proof.scrollIntoView({ block: "nearest" });
  };

  // ---- key nodes ---------------------------------------------------------------------------------------------------
  const dialog = get("node-dialog", HTMLDialogElement);
  const PARTS = ["target", "match", "reference", "key", "path"];
  /** @type {Node} */
  let chosen = { target: "url", match: "exact", reference: "", key: "", path: "", method: "css", host: "", url: "", note: "" };
  let step = 0;
  /** @param {Node} node */
  const fill = (node) => {
    chosen = node;
    for (const name of PARTS) field(name).value = String(/** @type {Record<string, unknown>} */ (node)[name]);
  };
  /** @param {Step} of */
  const openNode = async (of) => {
    step = of.number;
    get("node-step", HTMLElement).textContent = of.words;
    get("note", HTMLInputElement).value = "";
    const answer = await fetch(`${here}proposals/${of.number}/`);
    /** @type {{ node: Node, why: string }[]} */
    const found = answer.ok ? (await answer.json()).proposals : [];
    get("proposals", HTMLElement).replaceChildren(...found.map(({ node, why }, number) => {
      const label = make("label");
      const radio = document.createElement("input");
      radio.type = "radio";
      radio.name = "proposal";
      radio.checked = !number;
      radio.addEventListener("change", () => fill(node));
      label.append(radio, make("span", "", nodeWords(node)), make("span", "why", why));
      return label;
    }));
    if (found[0]) fill(found[0].node);
    dialog.showModal();
  };
  dialog.addEventListener("close", () => {
    if (dialog.returnValue !== "put") return;
    const changed = Object.fromEntries(PARTS.map((name) => [name, field(name).value]));
    void ask({ do: "put_node", step, node: { ...chosen, ...changed, note: get("note", HTMLInputElement).value.trim() } });
  });

  // ---- the browser -------------------------------------------------------------------------------------------------
  const browser = () => {
    const screen = get("screen", HTMLElement), view = get("view", HTMLImageElement);
    const chooser = get("chooser", HTMLElement), pointing = get("point", HTMLButtonElement);
    /** @param {MouseEvent} event */
    const pointOf = (event) => {
      const box = view.getBoundingClientRect();
      const scale = Number(panel.dataset.width) / box.width;
      return { x: Math.round((event.clientX - box.left) * scale), y: Math.round((event.clientY - box.top) * scale) };
    };
    const isPointing = () => pointing.getAttribute("aria-pressed") === "true";
    const setPointing = (/** @type {boolean} */ on) => pointing.setAttribute("aria-pressed", String(on));
    pointing.addEventListener("click", () => setPointing(!isPointing()));
    /** @param {{ css: string, label: string, options: string[] }} list @param {MouseEvent} event */
    const choose = (list, event) => {
      const box = screen.getBoundingClientRect();
      chooser.style.left = `${Math.min(event.clientX - box.left, box.width - 200)}px`;
      chooser.style.top = `${Math.min(event.clientY - box.top, box.height * 0.4)}px`;
      chooser.replaceChildren(...list.options.map((text) => button(text || "(empty)", () => {
        chooser.hidden = true;
        screen.focus();
        void ask({ do: "choose", css: list.css, text });
      })));
      chooser.hidden = false;
      chooser.querySelector("button")?.focus();
    };
    chooser.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") {
        chooser.hidden = true;
        screen.focus();
      }
    });
    view.addEventListener("click", (event) => {
      if (event.detail > 1) return;
      flush();
      chooser.hidden = true;
      screen.focus();
      const hover = isPointing();
      setPointing(false);
      void ask({ do: hover ? "hover" : "click", ...pointOf(event) }, (answer) => {
        if (answer.choose) choose(answer.choose, event);
      });
    });
    view.addEventListener("dblclick", (event) => { void ask({ do: "click", ...pointOf(event) }); });
    let [dx, dy, isTurning] = [0, 0, false];
    screen.addEventListener("wheel", (event) => {
      if (!chooser.hidden && event.target !== view) return;
      event.preventDefault();
      dx += event.deltaX;
      dy += event.deltaY;
      if (isTurning) return;
      isTurning = true;
      void ask({ do: "wheel", ...pointOf(event), dx: 0, dy: 0 }).then(() => {
        const turned = { dx, dy };
        [dx, dy, isTurning] = [0, 0, false];
        void ask({ do: "wheel", ...pointOf(event), ...turned });
      });
    }, { passive: false });

    // Characters are written together, as far as they come together.
    let text = "";
    let timer = 0;
    const flush = () => {
      clearTimeout(timer);
      if (text) void ask({ do: "write", text });
      text = "";
    };
    const NAMED = new Set(["Enter", "Tab", "Escape", "Backspace", "Delete", "Home", "End", "PageUp", "PageDown", "ArrowLeft",
      "ArrowRight", "ArrowUp", "ArrowDown"]);
    let escapes = 0;
    screen.addEventListener("keydown", (event) => {
      if (event.isComposing || event.metaKey) return;
      escapes = event.key === "Escape" ? escapes + 1 : 0;
      if (escapes > 1) {
        screen.blur();
        return;
      }
      const isCharacter = event.key.length === 1;
      if (isCharacter && !event.ctrlKey && !event.altKey) {
        event.preventDefault();
        text += event.key;
        clearTimeout(timer);
        timer = setTimeout(flush, 120);
      } else if (NAMED.has(event.key) || (isCharacter && event.ctrlKey && event.key.toLowerCase() === "a")) {
        event.preventDefault();
        flush();
        const held = [event.ctrlKey && "Control", event.shiftKey && "Shift"].filter(Boolean);
        void ask({ do: "keys", keys: [[...held, event.key].join("+")] });
      }
    });
    screen.addEventListener("paste", (event) => {
      event.preventDefault();
      text += event.clipboardData?.getData("text/plain") ?? "";
      flush();
    });

    get("go", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      get("address", HTMLInputElement).blur();
      void ask({ do: "goto", url: get("address", HTMLInputElement).value });
    });
    for (const [id, what] of [["back", "go_back"], ["forward", "go_forward"], ["reload", "reload"], ["new-tab", "new_tab"]]) {
      get(id, HTMLElement).addEventListener("click", () => { void ask({ do: what }); });
    }

    let shown = "0";
    const watch = async () => {
      while (!told || !["ended", "failed"].includes(told.phase)) {
        try {
          const answer = await fetch(`${here}view.jpg?after=${shown}`);
          if (answer.status === 200) {
            shown = answer.headers.get("X-View") ?? shown;
            const reader = new FileReader();
            reader.onload = () => { view.src = String(reader.result); };
            reader.readAsDataURL(await answer.blob());
            get("wait", HTMLElement).hidden = true;
          } else {
            await pause(100);
          }
        } catch {
          await pause(1000);
        }
      }
    };
    void watch();
  };
  if (!isHeaded) browser();
  const follow = async () => {
    while (!told || !["ended", "failed"].includes(told.phase)) {
      await look();
      await pause(document.hidden ? 2000 : 400);
    }
  };
  void follow();
})();

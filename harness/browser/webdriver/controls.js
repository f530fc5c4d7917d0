// Read in the page's own world, as every WebDriver client has to: the controls of the answer form that have a name.
// Arguments: elements that were found by the name, the name, and whether fields may be outside the answer form. Written without the in-page library (harness/browser/scripts),
// so that the two can be held against each other.
const [found, asked, anywhere] = arguments;
const property = (prototype, name) => {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name);
  return (object) => get.call(object);
};
// A form may hold controls that are called like its own properties.
const elementsOf = property(HTMLFormElement.prototype, "elements");
const formsOf = property(Document.prototype, "forms");
const BUTTONS = ["submit", "button", "reset", "image"];
// Buttons that are an answer by being pressed: several values of one name, or several names and none that only submits.
const says = (button) => /submit/i.test(button instanceof HTMLInputElement ? button.getAttribute("value") ?? "Submit" : button.innerText);
const isChoiceAmong = (all, button) => all.some((each) => each.name && each.name === button.name && each.value !== button.value);
const answerButtonsOf = (form) => {
  const all = Array.from(elementsOf(form)).filter((each) =>
    (each instanceof HTMLButtonElement || each instanceof HTMLInputElement) && each.type === "submit");
  const pictures = Array.from(document.querySelectorAll("input[type=image]")).some((each) => each.form === form);
  const isOne = all.every((each) => each.name === all[0].name && each.value === all[0].value);
  const plain = pictures || isOne || all.some((each) => !isChoiceAmong(all, each) && (!each.name || says(each)));
  return all.filter((each) => each.name && (isChoiceAmong(all, each) || !plain));
};
const kindOf = (element) => {
  if (element.type === "submit" && element.form && answerButtonsOf(element.form).includes(element)) {
    return isChoiceAmong(answerButtonsOf(element.form), element) ? "radio" : "checkbox";
  }
  if (element instanceof HTMLSelectElement) return "select";
  if (element instanceof HTMLTextAreaElement) return "textarea";
  if (!(element instanceof HTMLInputElement) || BUTTONS.includes(element.type)) return "";
  return ["radio", "checkbox", "range", "hidden"].includes(element.type) ? element.type : "text";
};
let answers = [];
let most = -1;
for (const form of formsOf(document)) {
  const named = Array.from(elementsOf(form)).filter((each) => kindOf(each) && each.name);
  named.sort((a, b) => (a.type === "submit") - (b.type === "submit")); // to press one submits the form
  const open = named.filter((each) => each.type !== "hidden").length;
  if (open > most) [answers, most] = [named, open];
}
const inputs = anywhere ? Array.from(document.querySelectorAll("input, select, textarea")) : [];
for (const form of [null, ...formsOf(document)]) {
  const names = new Set(answers.map((each) => each.name));
  answers = [...answers, ...inputs.filter((each) => each.form === form && kindOf(each) && each.name && !names.has(each.name))];
}

const tidy = (text) => (text || "").trim().replace(/\s+/g, " ").slice(0, 200);
const labelsOf = (element) => {
  const labels = Array.from(element.labels || []);
  const around = element.closest("label");
  return around && !labels.includes(around) ? [...labels, around] : labels;
};
const isDrawn = (element) => {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
};
const isShown = (element) => element.type !== "hidden" &&
  (isDrawn(element) || (["radio", "checkbox"].includes(element.type) && labelsOf(element).some(isDrawn)));
const optionsOf = (list) => Array.from(list.options, (option) => ({
  value: option.value, text: option.text.trim(), selected: option.selected,
  visible: !option.disabled && !option.closest("optgroup:disabled, optgroup[hidden]") && getComputedStyle(option).display !== "none",
}));
const number = (text, otherwise) => (text.trim() && Number.isFinite(Number(text)) ? Number(text) : otherwise);
const scaleOf = (slider) => {
  const low = number(slider.min, 0);
  const step = number(slider.step, 1);
  return { low, high: Math.max(low, number(slider.max, 100)), step: slider.step.toLowerCase() === "any" ? 0 : step > 0 ? step : 1 };
};
const tell = (element) => {
  const kind = kindOf(element);
  const labels = labelsOf(element);
  const { writingMode, direction } = getComputedStyle(element);
  return {
    element, kind, labels, type: element.type, value: element.value, checked: Boolean(element.checked),
    text: element.type === "submit" ? tidy(element.innerText || element.value) : tidy(labels.length ? labels[0].innerText : element.nextSibling && element.nextSibling.textContent),
    disabled: element.matches(":disabled"), visible: isShown(element),
    readOnly: Boolean(element.readOnly), maxLength: element.maxLength ?? -1, step: element.step ?? "",
    multiple: Boolean(element.multiple), listed: Boolean(element.multiple) || element.size > 1, options: kind === "select" ? optionsOf(element) : [],
    scale: kind === "range" ? scaleOf(element) : null,
    upright: writingMode !== "horizontal-tb", mirrored: direction === "rtl",
  };
};
const mine = found.filter((element) => answers.includes(element) && element.name === asked);
const kinds = mine.map(kindOf);
const TYPED = ["text", "textarea"];
const hasRadio = mine.some((each) => each.type === "radio");
const first = kinds.find((each) => each !== "hidden") || kinds[0] || "";
const kind = kinds.includes("checkbox") ? "checkbox" : TYPED.includes(first) && hasRadio ? "radio" : first;
const ofKind = mine.filter((each) => kindOf(each) === kind);
const texts = kind === "checkbox" || (kind === "radio" && hasRadio) ? mine.filter((each) => TYPED.includes(kindOf(each))) : [];
// What is written belongs to the last option before the text box, as in "other: ____".
const before = texts.length ? ofKind.filter((each) => mine.indexOf(each) < mine.indexOf(texts[0])) : [];
return {
  kind,
  controls: ofKind.map(tell),
  texts: texts.map(tell),
  other: texts.length ? (before.at(-1) ?? ofKind.at(-1)).value : "",
  names: Array.from(new Set(answers.map((each) => each.name))),
};

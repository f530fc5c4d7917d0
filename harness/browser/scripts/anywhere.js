// After fields.js, in a page that somebody else's browser shows. Its fields need no form, and may be in several: nobody
// submits them together.
(() => {
  "use strict";
  const ofAnswerForm = harness.form.answers;
  harness.form.answers = () => {
    const answers = ofAnswerForm();
    const all = Array.from(harness.document.querySelectorAll("input, select, textarea")).filter(harness.form.isControl);
    // A name is that of the answer form before one outside all forms, and this before one of another form.
    for (const form of [null, ...harness.document.forms]) {
      const names = new Set(answers.map((control) => control.name));
      answers.push(...all.filter((control) => control.form === form && !names.has(control.name)));
    }
    return answers;
  };
})();

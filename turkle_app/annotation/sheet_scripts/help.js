// Stands in the sheet of an assignment that gets help: what a run sent on the same instance is filled in beforehand, or
// shown where the worker answers otherwise. Fields are worked as a person works them, so that the page's script notices.
(function () {
  "use strict";
  var help = __HELP__;
  var filled = {};
  var NO_ANSWERS = ["hidden", "submit", "button", "image", "reset", "file"];

  function controlsOf(name) {
    return Array.from(document.getElementsByName(name)).filter(function (control) {
      return control.form && NO_ANSWERS.indexOf(control.type) < 0;
    });
  }

  function isChoice(control) {
    return control.type === "radio" || control.type === "checkbox";
  }

  function tell(control) {
    ["input", "change"].forEach(function (type) {
      control.dispatchEvent(new Event(type, { bubbles: true }));
    });
  }

  function fillOne(control, values, place) {
    if (isChoice(control)) {
      var wanted = values.indexOf(control.value) >= 0;
      if (control.checked !== wanted && (wanted || control.type === "checkbox")) control.click();
    } else if (control.localName === "select") {
      Array.from(control.options).forEach(function (option) {
        option.selected = values.indexOf(option.value) >= 0;
      });
      tell(control);
    } else if (values[place] !== undefined) {
      control.value = values[place];
      tell(control);
    }
  }

  function fill() {
    Object.keys(help.answers).forEach(function (name) {
      var controls = filled[name] ? [] : controlsOf(name);
      if (!controls.length) return;
      filled[name] = true; // once: what the worker has changed since is theirs
      controls.forEach(function (control, place) {
        fillOne(control, help.answers[name], place);
      });
    });
  }

  function sentBy(controls) {
    return controls.reduce(function (values, control) {
      if (isChoice(control)) return control.checked ? values.concat(control.value) : values;
      if (control.localName !== "select") return values.concat(control.value);
      return values.concat(Array.from(control.selectedOptions).map(function (option) { return option.value; }));
    }, []).filter(Boolean);
  }

  function alike(values) {
    return values.map(function (value) { return value.replace(/\r\n?/g, "\n").trim(); }).sort().join("\n\n");
  }

  // What a person reads beside a value.
  function shown(value, controls) {
    var box = controls.find(function (control) { return isChoice(control) && control.value === value; });
    var label = box && box.labels && box.labels[0];
    var list = controls[0].localName === "select" && Array.from(controls[0].options).find(function (option) {
      return option.value === value;
    });
    var text = label ? label.textContent : list ? list.textContent : value;
    return text.trim() || value;
  }

  function mark(name) {
    var controls = controlsOf(name);
    var last = controls[controls.length - 1];
    var answered = sentBy(controls);
    var values = help.answers[name];
    var note = document.getElementById("turkle-help-" + name);
    var isAnswered = answered.length || (last && last.type === "checkbox");
    var differs = last && isAnswered && alike(answered) !== alike(values);
    if (note && !differs) note.remove();
    if (note || !differs) return;
    note = document.createElement("span");
    note.id = "turkle-help-" + name;
    note.setAttribute("role", "status");
    note.style.cssText = "display:inline-block;grid-column:1/-1;justify-self:start;margin:.2em .5em;padding:.15em .6em;border:1px solid #7a4b00;" +
      "border-radius:.4em;background:#fdf1d8;color:#4d3000;font:14px/1.4 sans-serif";
    note.textContent = "The model answered: " + values.map(function (value) {
      return shown(value, controls);
    }).join(", ");
    (last.closest("label") || last).after(note);
  }

  if (help.way === "fill") {
    addEventListener("load", function () {
      fill();
      new MutationObserver(fill).observe(document.documentElement, { childList: true, subtree: true });
    });
  } else {
    document.addEventListener("change", function (event) {
      if (event.target.name in help.answers) mark(event.target.name);
    });
  }
})();

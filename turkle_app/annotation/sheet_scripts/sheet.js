// Stands first in a sheet, among a stranger's scripts. A form goes back to the sheet's own address, as fields and
// values, whatever its markup or the page's scripts say of where and how: that is the one place where answers are kept.
// What a page does instead of sending its form is told to the worker.
(function () {
  "use strict";
  var here = location.href.split("#")[0];
  var SILENCE = 2000; // milliseconds after a request in which a page may still send its form
  // As they are now: scripts may replace them, and a form's own are hidden by controls of their names.
  var set = Element.prototype.setAttribute;
  var remove = Element.prototype.removeAttribute;
  var submit = HTMLFormElement.prototype.submit;
  var isSending = false;
  var sent = null; // what the form held when the page sent something itself

  function aim(form) {
    set.call(form, "action", here);
    set.call(form, "method", "post");
    set.call(form, "target", "_self"); // without one, that of <base> would count
    remove.call(form, "enctype");
  }
  function aimSubmission(event) {
    aim(event.target);
    var button = event.submitter;
    if (!button) return;
    ["formaction", "formmethod", "formenctype", "formtarget"].forEach(function (name) {
      remove.call(button, name);
    });
  }
  // Before the page's own listeners, since one of them may stop the event, and after them, since one may aim elsewhere.
  addEventListener("submit", function (event) {
    aimSubmission(event);
    addEventListener("submit", function (last) {
      if (last !== event) return;
      aimSubmission(event);
      isSending = !event.defaultPrevented;
    }, { once: true });
  }, true);
  HTMLFormElement.prototype.submit = function () {
    aim(this);
    isSending = true;
    submit.call(this);
  };
  // The first of all listeners: whether the worker wants to leave is not asked where the answers are on their way.
  addEventListener("beforeunload", function (event) {
    if (isSending) event.stopImmediatePropagation();
  });

  // A page that sends its answers itself does so while the worker is busy with it, with data, to somewhere else.
  function isElsewhere(url) {
    try { return new URL(url, document.baseURI).href.split("#")[0] !== here; } catch { return false; }
  }
  function answerForm() {
    var id = document.querySelector('form input[name="assignmentId"]');
    return id && id.form;
  }
  function whenSending(method, url, done) {
    var isSent = !/^(get|head|options)$/i.test(method) && isElsewhere(url) && navigator.userActivation.hasBeenActive;
    var form = isSent && answerForm();
    if (!form) return;
    sent = Array.from(new FormData(form), function (pair) { return [pair[0], pair[1].name || String(pair[1])]; });
    done(function () {
      setTimeout(function () {
        if (!isSending) say("This page has sent something to " + new URL(url, document.baseURI).host + " itself, and not its form to here. " +
          "Nothing is kept yet, whatever the page says. When you are done with it:", "Hand in what the form holds");
      }, SILENCE);
    });
  }
  var open = XMLHttpRequest.prototype.open;
  XMLHttpRequest.prototype.open = function (method, url) {
    this.addEventListener("loadstart", function () {
      whenSending(method, url, function (over) { this.addEventListener("loadend", over, { once: true }); }.bind(this));
    });
    return open.apply(this, arguments);
  };
  var ask = window.fetch;
  window.fetch = function (what, how) {
    var answer = ask.apply(this, arguments);
    whenSending((how && how.method) || what.method || "GET", what.url || String(what), function (over) { answer.then(over, over); });
    return answer;
  };
  var beacon = navigator.sendBeacon;
  navigator.sendBeacon = function (url) {
    whenSending("POST", url, function (over) { over(); });
    return beacon.apply(navigator, arguments);
  };

  // At the foot of the page, of our making; `button` hands in what the form held when the page sent something.
  function say(words, button) {
    var note = document.getElementById("turkle-note") || document.createElement("div");
    note.id = "turkle-note";
    set.call(note, "role", "alert");
    note.style.cssText = "position:fixed;left:0;right:0;bottom:0;z-index:2147483647;margin:0;padding:.6em 1em;" +
      "border-top:1px solid #7a4b00;background:#fdf1d8;color:#4d3000;font:15px/1.4 sans-serif;text-align:left";
    note.textContent = words + " ";
    if (button) {
      var press = document.createElement("button");
      press.type = "button";
      press.textContent = button;
      press.addEventListener("click", handIn);
      note.append(press);
    }
    (document.body || document.documentElement).append(note);
  }
  function handIn() {
    var form = document.createElement("form");
    sent.forEach(function (pair) {
      var input = document.createElement("input");
      input.type = "hidden";
      input.name = pair[0];
      input.value = pair[1];
      form.append(input);
    });
    form.hidden = true;
    document.documentElement.append(form);
    aim(form);
    submit.call(form);
  }
})();

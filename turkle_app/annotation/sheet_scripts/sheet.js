// Stands first in a sheet, among a stranger's scripts. A form goes back to the sheet's own address, as fields and
// values, whatever its markup or the page's scripts say of where and how: that is the one place where answers are kept.
(function () {
  "use strict";
  var here = location.href.split("#")[0];
  function aim(form) {
    form.setAttribute("action", here);
    form.setAttribute("method", "post");
    form.removeAttribute("enctype");
    form.removeAttribute("target");
  }
  function aimSubmission(event) {
    aim(event.target);
    var button = event.submitter;
    if (!button) return;
    ["formaction", "formmethod", "formenctype", "formtarget"].forEach(function (name) {
      button.removeAttribute(name);
    });
  }
  // Before the page's own listeners, since one of them may stop the event, and after them, since one may aim elsewhere.
  addEventListener("submit", aimSubmission, true);
  addEventListener("submit", aimSubmission);
  var submit = HTMLFormElement.prototype.submit;
  HTMLFormElement.prototype.submit = function () {
    aim(this);
    submit.call(this);
  };
})();

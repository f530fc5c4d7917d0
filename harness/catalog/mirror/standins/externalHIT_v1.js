// Stand-in for AMT's externalHIT_v1.js, written for this project. The functions are those that AMT documents; what
// they did to the form's address (which AMT received answers at) and to the button of a worker who only looked at the
// task has no meaning here.

// The value of a parameter that AMT adds to a page's address. Where the address lacks it, the page's own hidden input
// of that name has it; else it is the default.
window.turkGetParam = function turkGetParam(name, defaultValue) {
  "use strict";
  const given = new URLSearchParams(location.search).get(name);
  if (given !== null) return given;
  const input = document.querySelector('input[type="hidden"][name="' + CSS.escape(name) + '"]');
  return input && input.value ? input.value : defaultValue ?? "";
};

// The host that answers go to: the one that serves the page.
window.turkGetSubmitToHost = function turkGetSubmitToHost() {
  "use strict";
  return location.origin;
};

// Puts the assignment's id, by default the page's own, where the form sends it.
window.turkSetAssignmentID = function turkSetAssignmentID(assignmentID) {
  "use strict";
  const id = assignmentID || window.turkGetParam("assignmentId");
  const input = document.getElementById("assignmentId");
  if (input && id) input.value = id;
};

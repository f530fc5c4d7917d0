"use strict";
// Menus on small screens, and fields that are shown by a choice. Without it everything is shown.
for (const button of document.querySelectorAll("button[aria-controls]")) {
  button.addEventListener("click", () => {
    const open = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(open));
  });
}
for (const part of document.querySelectorAll("[data-shown-by]")) {
  const [name, value] = (part.getAttribute("data-shown-by") || "").split("=");
  const show = () => {
    const chosen = document.querySelector(`input[name="${name}"][value="${value}"]`);
    part.toggleAttribute("hidden", !(chosen instanceof HTMLInputElement && chosen.checked));
  };
  document.addEventListener("change", show);
  show();
}

// The list of tasks takes up pictures and numbers as they are made: it asks for itself again while some are missing.
(() => {
  const pause = 3000;
  const list = () => document.querySelector(".tasks");
  const renew = async () => {
    if (!list()?.querySelector("[data-pending]")) return;
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const card of fresh.querySelectorAll(".tasks > li")) {
        const shown = document.getElementById(card.id);
        // A card in which somebody is stays as it is.
        if (shown && shown.outerHTML !== card.outerHTML && !shown.contains(document.activeElement)) shown.replaceWith(card);
      }
    } catch {
      return; // the server has ended
    }
    setTimeout(renew, pause);
  };
  setTimeout(renew, pause);
})();

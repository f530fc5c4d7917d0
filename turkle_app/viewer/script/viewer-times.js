// Times in the reader's own zone, with UTC beside the pointer. The server writes them in UTC, and says so.
(() => {
  "use strict";
  const two = (number) => String(number).padStart(2, "0");
  const local = (time) =>
    `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${two(time.getMinutes())}`;
  const write = () => {
    for (const element of document.querySelectorAll("time[datetime]:not([title])")) {
      const time = new Date(element.dateTime);
      if (Number.isNaN(time.getTime())) continue;
      element.title = element.textContent;
      element.textContent = local(time);
    }
  };
  write();
  new MutationObserver(write).observe(document.body, { childList: true, subtree: true });
})();

// A block that is wider than the page scrolls; with the keyboard, too, once it takes the focus.
for (const block of document.querySelectorAll("pre")) block.tabIndex = 0;

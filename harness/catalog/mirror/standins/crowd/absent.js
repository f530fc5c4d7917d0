// Tools that would be toys if they were built small. They show what they are about, and that no answer can be given to
// them.
(() => {
  "use strict";
  const crowd = (globalThis[Symbol.for("crowd-html-elements")] ??= {});
  const ABSENT = {
    "semantic-segmentation": "painting regions of an image", "instance-segmentation": "painting single objects in an image",
    "3d-point-cloud": "labelling points in space", "textract-analyze-document": "reviewing fields of a document",
    "rekognition-detect-moderation-labels": "reviewing moderation labels of an image",
  };

  for (const [name, purpose] of Object.entries(ABSENT)) {
    crowd.define("crowd-" + name, class extends crowd.Element {
      frame() {
        const box = crowd.make("div", { className: "crowd-absent", role: "note" },
          crowd.make("div", { className: "crowd-heading" }, this.getAttribute("header") ?? ""),
          crowd.make("p", {}, `AMT's tool for ${purpose} (crowd-${name}) is not available here: no answer can be given to it.`));
        if (this.hasAttribute("src")) box.append(crowd.make("img", { src: this.getAttribute("src"), alt: "" }));
        box.append(this.content = crowd.content("div"));
        return box;
      }
    });
  }
})();

// Stand-in for AMT's crowd-* elements, written for this project; nothing of the original library is in it.

// How the elements look: plain, near to the original. Everything is in :where(), so that any rule of a page comes first.
(() => {
  "use strict";
  if (document.getElementById("crowd-style")) return;
  const BLOCKS = "crowd-form, crowd-input, crowd-text-area, crowd-slider, crowd-radio-group, crowd-tabs, crowd-tab, crowd-card, " +
    "crowd-alert, crowd-classifier, crowd-classifier-multi-select, crowd-image-classifier, crowd-image-classifier-multi-select, " +
    "crowd-entity-annotation, crowd-bounding-box, crowd-keypoint, crowd-polygon, crowd-polyline, crowd-line, " +
    "short-instructions, full-instructions, classification-target, worker-comment, detailed-instructions, short-summary, " +
    "positive-example, negative-example";
  const style = document.createElement("style");
  style.id = "crowd-style";
  style.textContent = `
:where(${BLOCKS}) { display: block; }
:where(crowd-checkbox, crowd-radio-button, crowd-toggle-button, crowd-button, crowd-icon, crowd-icon-button, crowd-fab,
  crowd-badge, crowd-modal, crowd-instructions) { display: inline-block; }
:where(crowd-form) { font-family: Arial, Helvetica, sans-serif; }
:where(.crowd-choice) { display: inline-flex; align-items: baseline; cursor: pointer; font-weight: inherit;
  margin: 3px 0; }
:where(.crowd-choice > input) { flex: none; margin: 0 8px 0 0; width: 16px; height: 16px; position: relative; top: 2px;
  accent-color: #0073bb; }
:where(crowd-radio-button) { margin-right: 16px; }
:where(.crowd-switch > input) { width: 32px; height: 16px; appearance: none; border-radius: 8px; background: #aab7b8;
  position: relative; cursor: pointer; }
:where(.crowd-switch > input)::before { content: ""; position: absolute; width: 12px; height: 12px; left: 2px; top: 2px;
  border-radius: 50%; background: #fff; }
:where(.crowd-switch > input:checked) { background: #0073bb; }
:where(.crowd-switch > input:checked)::before { left: 18px; }
:where(.crowd-field) { display: block; margin: 8px 0; font-weight: inherit; }
:where(.crowd-caption) { display: block; font-size: 12px; color: #545b64; margin-bottom: 2px; }
:where(.crowd-caption:empty, .crowd-error:empty) { display: none; }
:where(.crowd-error) { display: block; font-size: 12px; color: #d13212; }
:where(.crowd-field > input:not([type="range"]), .crowd-field > textarea) { box-sizing: border-box; width: 100%;
  padding: 6px 8px;
  font: inherit; color: #16191f; background: #fff; border: 1px solid #aab7b8; border-radius: 2px; }
:where(.crowd-field > input[type="range"]) { width: 200px; max-width: 80%; vertical-align: middle;
  accent-color: #0073bb; }
:where(.crowd-field > output, .crowd-field > input[type="number"].crowd-edit) { display: inline-block; width: 5em;
  margin-left: 8px;
  vertical-align: middle; }
:where(.crowd-button) { font: bold 14px Arial, Helvetica, sans-serif; padding: 5px 20px; color: #444; background: #fff;
  border: 1px solid #545b64; border-radius: 2px; cursor: pointer; text-decoration: none; display: inline-block; }
:where([variant="primary"] > .crowd-button) { color: #fff; background: #ec7211; border-color: #ec7211; }
:where([variant="link"] > .crowd-button, .crowd-link) { color: #0073bb; background: none; border-color: transparent;
  padding: 5px 4px; }
:where([variant="icon"] > .crowd-button, .crowd-plain) { background: none; border: 0; padding: 4px; cursor: pointer;
  font-size: 16px; }
:where(crowd-fab .crowd-button) { border-radius: 24px; color: #fff; background: #0073bb; border: 0;
  padding: 12px 18px; }
:where(.crowd-button:disabled) { opacity: .5; cursor: not-allowed; }
:where(.crowd-button:focus-visible, .crowd-plain:focus-visible) { outline: 2px solid #00a1c9; outline-offset: 1px; }
:where(.crowd-tablist) { display: flex; gap: 4px; border-bottom: 1px solid #d5dbdb; margin-bottom: 8px; }
:where(.crowd-tablist > button) { font: inherit; padding: 8px 16px; border: 0; border-bottom: 2px solid transparent;
  background: none;
  cursor: pointer; }
:where(.crowd-tablist > button[aria-selected="true"]) { border-bottom-color: #ec7211; color: #d45b07;
  font-weight: bold; }
:where(.crowd-card) { border: 1px solid #d5dbdb; border-radius: 2px; box-shadow: 0 1px 2px rgb(0 28 36 / 30%);
  padding: 16px;
  margin: 8px 0; background: #fff; }
:where(.crowd-card > img) { max-width: 100%; display: block; }
:where(.crowd-heading) { font-size: 18px; font-weight: bold; margin: 0 0 8px; }
:where(.crowd-heading:empty) { display: none; }
:where(.crowd-alert) { display: flex; gap: 8px; justify-content: space-between; padding: 10px 14px; margin: 8px 0;
  border: 1px solid #00a1c9; border-left-width: 4px; background: #f1faff; }
:where([type="success"] > .crowd-alert) { border-color: #1d8102; background: #f2f8f0; }
:where([type="warning"] > .crowd-alert) { border-color: #ff9900; background: #fffef0; }
:where([type="error"] > .crowd-alert) { border-color: #d13212; background: #fdf3f1; }
:where(.crowd-dialog) { max-width: min(800px, 90vw); max-height: 85vh; border: 1px solid #687078; border-radius: 2px;
  padding: 20px; }
:where(.crowd-dialog)::backdrop { background: rgb(35 47 62 / 60%); }
:where(.crowd-close) { float: right; }
:where(.crowd-badge) { display: inline-block; min-width: 12px; padding: 1px 6px; border-radius: 10px;
  background: #0073bb; color: #fff;
  font-size: 12px; text-align: center; }
:where(crowd-toast) { display: none; position: fixed; left: 12px; bottom: 12px; z-index: 1000; padding: 14px 22px;
  background: #323232;
  color: #f1f1f1; }
:where(crowd-toast[opened]) { display: block; }
:where(crowd-tooltip) { display: none; padding: 4px 8px; background: #616161; color: #fff; font-size: 12px;
  border-radius: 2px; }
:where(crowd-tooltip[opened]) { display: inline-block; }
:where(.crowd-tool) { display: grid; grid-template-columns: minmax(140px, 1fr) minmax(0, 3fr) minmax(150px, 1fr);
  gap: 16px;
  padding: 12px; margin: 8px 0; border: 1px solid #d5dbdb; background: #fff; color: #16191f; }
:where(.crowd-tool > .crowd-heading) { grid-column: 1 / -1; }
:where(.crowd-tool > aside) { font-size: 14px; }
:where(.crowd-tool > fieldset) { border: 0; margin: 0; padding: 0; min-width: 0; }
:where(.crowd-tool > fieldset > legend) { font-size: 14px; font-weight: bold; margin-bottom: 6px; padding: 0;
  border: 0; }
:where(.crowd-tool > fieldset > .crowd-choice) { display: flex; padding: 6px 8px; border: 1px solid #d5dbdb; }
:where(.crowd-target img) { max-width: 100%; }
:where(.crowd-label) { display: block; width: 100%; margin-bottom: 4px; padding: 6px 8px; font: inherit;
  text-align: left;
  border: 1px solid #aab7b8; border-left: 6px solid var(--crowd-colour, #aab7b8); background: #fff; cursor: pointer; }
:where(.crowd-label[aria-pressed="true"]) { background: #e1f0fa; border-color: #0073bb;
  border-left-color: var(--crowd-colour, #0073bb); }
:where(.crowd-text) { padding: 10px; line-height: 1.9; border: 1px solid #d5dbdb; white-space: pre-wrap; cursor: text; }
:where(.crowd-text mark) { padding: 2px 0; color: inherit;
  background: color-mix(in srgb, var(--crowd-colour) 35%, white);
  border-bottom: 2px solid var(--crowd-colour); }
:where(.crowd-list) { list-style: none; margin: 8px 0; padding: 0; font-size: 13px; }
:where(.crowd-list > li) { display: flex; justify-content: space-between; align-items: baseline; gap: 4px;
  overflow-wrap: anywhere; }
:where(.crowd-canvas) { position: relative; display: inline-block; max-width: 100%; line-height: 0; cursor: crosshair;
  touch-action: none;
  user-select: none; }
:where(.crowd-canvas > img) { max-width: 100%; min-width: 40px; min-height: 40px; pointer-events: none; }
:where(.crowd-canvas > svg) { position: absolute; pointer-events: none; inset: 0; width: 100%; height: 100%; }
:where(.crowd-hint, .crowd-absent) { font-size: 13px; color: #545b64; }
:where(.crowd-absent) { display: block; border: 1px dashed #687078; padding: 12px; margin: 8px 0; }
:where(positive-example)::before { content: "Good example"; display: block; font-weight: bold; color: #1d8102; }
:where(negative-example)::before { content: "Bad example"; display: block; font-weight: bold; color: #d13212; }
[data-crowd] [hidden], [data-crowd][hidden] { display: none; }
@media (max-width: 700px) { :where(.crowd-tool) { grid-template-columns: minmax(0, 1fr); } }
`;
  (document.head ?? document.documentElement).prepend(style);
})();

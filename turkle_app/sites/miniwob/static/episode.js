// Stands behind MiniWoB++'s own core.js in each of its pages. An episode begins when the page is ready, with what its seed
// draws; it has no time limit, since a model may think for as long as it likes; and when it is over, it stays over.
(() => {
  "use strict";
  const seed = core.QueryString.seed ?? "0";
  const LONGEST = 2 ** 31 - 1; // milliseconds: what a timer takes
  // How it has ended, kept for as long as the tab: loading the page again is no second try.
  const KEPT = "ended " + location.pathname + location.search;
  // What scripts draw while the page loads.
  Math.seedrandom(seed);

  // Rewards, the time, and where was clicked are for people who try pages out.
  const hide = () => {
    core.hideDisplay();
    document.getElementById("click-canvas").style.display = "none";
  };
  core.countdownTimer = () => {};

  let hasBegun = false;
  const { startEpisode, endEpisode } = core;
  // Called by a page when it is ready, and when an episode has ended.
  core.startEpisode = () => {
    startEpisode();
    hide();
    if (!hasBegun) begin();
    else cover();
  };
  const begin = () => {
    hasBegun = true;
    Math.seedrandom(seed);
    core.EPISODE_MAX_TIME = LONGEST;
    core.startEpisodeReal();
    const ended = sessionStorage.getItem(KEPT);
    if (ended !== null) core.endEpisode(Number(ended), false, "it had ended before");
  };
  const cover = () => {
    core.cover_div.onclick = null;
    core.cover_div.style.cursor = "default";
    core.cover_div.textContent = "END";
  };
  core.endEpisode = (reward, ...more) => {
    const wasOver = WOB_DONE_GLOBAL;
    endEpisode(reward, ...more);
    if (WOB_DONE_GLOBAL && !wasOver) sessionStorage.setItem(KEPT, String(WOB_RAW_REWARD_GLOBAL));
  };
})();

"use strict";
// Work that may take long: its progress, its errors.

// Work that is done sooner is not announced, in milliseconds.
const PATIENCE = 250;

// Works under way. The last that began is the one that is shown.
let underWay = 0;

const showError = (text) => {
  byId("error").textContent = text;
  byId("error").hidden = !text;
};
const say = (text) => {
  byId("said").textContent = text;
};

/** Does work that may take long, with its name and a button that stops it. Whether it was done; errors are shown. */
async function attempt(about, doing, work, share = () => null) {
  const begun = turn;
  underWay++;
  byId("doing").textContent = doing;
  const bar = byId("progress");
  bar.removeAttribute("value");
  const announced = setTimeout(() => (byId("work").hidden = false), PATIENCE);
  engine.onprogress = (progress) => {
    if (progress.rows !== undefined) list.grow(progress.rows).catch(() => {});
    if (progress.fetched !== undefined) countFetched(progress.fetched);
    const done = share(progress);
    if (done !== null && done >= 0) bar.value = Math.min(1, done);
  };
  try {
    await work();
    return begun === turn;
  } catch (error) {
    if (begun !== turn) return false;
    if (error instanceof Stopped) {
      say("Stopped.");
    } else {
      const hint = isModelMissing(error) ? ". Drop its file (.onnx) here, and try again." : "";
      showError(`${about}: ${error.message}${hint}`);
    }
    if (!engine.isRunning) {
      archive = null;
      byId("archive").hidden = true;
    }
    return false;
  } finally {
    clearTimeout(announced);
    underWay--;
    if (!underWay) {
      byId("work").hidden = true;
      engine.onprogress = () => {};
    }
  }
}

"use strict";
// The models that predict moves.

// What each is called, and what it means.
const MODELS = {
  none: ["Fast", "no neural network (model none); archives are some 20 % larger"],
  standard: [
    "Dense",
    "a neural network, 8 MB in this folder (model standard): as the program does it, but slow here, 2 games a second",
  ],
};

/** Whether work failed for want of a model. */
const isModelMissing = (error) => /is not at hand/.test(error.message);

/** Loads a script of the folder; pages from files may read nothing else. */
function loadScript(source) {
  return new Promise((resolve, reject) => {
    const script = element(document.head, "script", { src: source });
    script.onload = resolve;
    script.onerror = () => {
      script.remove();
      reject(new Error(`${source} is not in the folder of this page`));
    };
  });
}

/** Has the worker know `standard`. */
async function loadStandard() {
  if (engine.models.includes("standard")) return;
  if (!PLYZIP.standard) await loadScript("standard.js");
  await engine.addModel(bytesOfText(PLYZIP.standard));
  delete PLYZIP.standard;
}

/** Has the worker know what the archive's games were coded with. */
async function loadModelOf(figures) {
  if (figures.models.some((model) => model.name === "standard")) await loadStandard();
}

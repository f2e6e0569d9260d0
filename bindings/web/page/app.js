"use strict";
// Files that come in, and what becomes of them.

/** Takes a file, whatever it is. */
async function openFile(file) {
  showError("");
  say("");
  let kind;
  try {
    kind = await kindOf(file);
  } catch (error) {
    showError(`${file.name}: ${error.message}`);
    return;
  }
  if (kind === "model") {
    await takeModel(file);
    return;
  }
  turn++;
  if (engine.isBusy) engine.stop();
  dropped = file;
  archive = null;
  byId("archive").hidden = true;
  byId("compress").hidden = true;
  byId("drop").classList.add("small");
  if (kind === "archive") await openArchive(file);
  else askForModel();
}

async function takeModel(file) {
  const isDone = await attempt(file.name, `Reading ${file.name}`, async () => {
    const name = await engine.addModel(new Uint8Array(await file.arrayBuffer()));
    say(`The model ${name} is at hand.`);
  });
  if (isDone && !byId("compress").hidden) askForModel();
}

/** Asks how a PGN is to be compressed. */
function askForModel() {
  byId("compress").hidden = false;
  byId("compress-title").textContent = `${dropped.name}, ${counted(dropped.size, "byte")}`;
  const models = byId("models");
  const before = new FormData(byId("compress-form")).get("model") ?? "none";
  for (const label of models.querySelectorAll("label")) label.remove();
  for (const name of new Set([...Object.keys(MODELS), ...engine.models])) {
    const label = element(models, "label");
    const choice = element(label, "input", { type: "radio", name: "model", value: name });
    choice.checked = name === before;
    element(label, "b", {}, name);
    element(label, "span", { class: "quiet" }, MODELS[name] ?? "from the file that you gave");
  }
}

async function compress(model) {
  const file = dropped;
  let made = null;
  showError("");
  byId("compress-button").disabled = true;
  const isDone = await attempt(
    file.name,
    `Compressing ${file.name} with ${model}`,
    async () => {
      if (model === "standard") await loadStandard();
      made = await engine.call("compress", { file, model });
    },
    ({ originalBytes }) => originalBytes / file.size,
  );
  byId("compress-button").disabled = false;
  if (!isDone) return;
  const name = `${file.name}.plz`;
  byId("compress").hidden = true;
  await openArchive(new File([made.blob], name));
  if (!archive) return;
  downloadLink(byId("actions"), "save", made.blob, name);
  const { originalBytes, archiveBytes } = made.figures;
  const share = decimals((100 * archiveBytes) / Math.max(1, originalBytes), 1);
  const sizes = `${count(originalBytes)} bytes became ${count(archiveBytes)}, ${share} %`;
  say(`${sizes}. The archive was decoded again and compared.`);
}

function stop() {
  const { file } = archive ?? {};
  engine.stop();
  // The worker that had it open is gone.
  if (file) setTimeout(() => openArchive(file).then(() => say("Stopped.")));
}

byId("file").addEventListener("change", (event) => {
  const [file] = event.target.files;
  // The same file may be chosen again.
  event.target.value = "";
  if (file) openFile(file);
});
for (const name of ["dragenter", "dragover", "dragleave", "drop"]) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    document.body.classList.toggle("dragged", name === "dragenter" || name === "dragover");
    const [file] = name === "drop" ? event.dataTransfer.files : [];
    if (file) openFile(file);
  });
}
byId("compress-form").addEventListener("submit", (event) => {
  event.preventDefault();
  compress(new FormData(event.target).get("model"));
});
byId("search").addEventListener("submit", (event) => {
  event.preventDefault();
  const fields = [...new FormData(event.target)].filter(([name, value]) => name !== "negated" && value.trim());
  search(fields.map(([name, value]) => [name, value.trim()]), event.target.elements.negated.checked);
});
byId("search").addEventListener("reset", () => {
  if (archive) setTimeout(() => search([], false));
});
byId("restore").addEventListener("click", restore);
byId("stop").addEventListener("click", stop);
byId("back-to-list").addEventListener("click", closeGame);
byId("version").textContent = PLYZIP.version;

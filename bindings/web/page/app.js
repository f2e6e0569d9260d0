"use strict";
// Files and addresses that come in, and what becomes of them.

const isIndex = (file) => /\.idx$/i.test(file.name);

/** Takes files: one of any kind, and an index with it if there is one; or an index for the archive that is open. */
async function openFiles(files) {
  const index = files.find(isIndex) ?? null;
  const file = files.find((one) => !isIndex(one));
  if (file) await openFile(file, index);
  else if (index && archive) await openArchive({ ...archive.source, index });
  else if (index) showError(`${index.name}: drop its archive together with it`);
}

/** Takes a file, whatever it is. */
async function openFile(file, index = null) {
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
  leave(file);
  if (kind === "archive") await openArchive({ name: file.name, file, index });
  else askForModel();
}

/** Leaves what is open for a file, or for an address. */
function leave(file) {
  turn++;
  if (engine.isBusy) engine.stop();
  dropped = file;
  archive = null;
  byId("archive").hidden = true;
  byId("compress").hidden = true;
  byId("welcome").classList.add("small");
}

/** Opens the archive at an address, from this page's own. */
async function openAddress(address) {
  const place = new URL(address, location.href);
  leave(null);
  const name = decodeURIComponent(place.pathname.split("/").pop()) || place.host;
  await openArchive({ name, address: place.href });
}

/** Compresses the games that come with the page, and shows the first of them. */
async function openFamous() {
  showError("");
  say("");
  leave(new File([bytesOfText(PLYZIP.famous)], "famous.pgn"));
  await compress("none");
  if (archive) await openGame(0);
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
    const [title, about] = MODELS[name] ?? [name, "from the file that you gave"];
    element(label, "b", {}, title);
    element(label, "span", { class: "quiet" }, about);
  }
}

async function compress(model) {
  const file = dropped;
  let made = null;
  showError("");
  byId("compress-button").disabled = true;
  const isDone = await attempt(
    file.name,
    `Compressing ${file.name}`,
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
  await openArchive({ name, file: new File([made.blob], name) });
  if (!archive) return;
  downloadLink(byId("actions"), "save", made.blob, name);
  const { originalBytes, archiveBytes } = made.figures;
  const share = decimals((100 * archiveBytes) / Math.max(1, originalBytes), 1);
  const sizes = `${count(originalBytes)} bytes became ${count(archiveBytes)}, ${share} %`;
  say(`${sizes}. The archive was decoded again and compared.`);
}

function stop() {
  const { source } = archive ?? {};
  engine.stop();
  // The worker that had it open is gone.
  if (source) setTimeout(() => openArchive(source).then(() => say("Stopped.")));
}

byId("file").addEventListener("change", (event) => {
  const files = [...event.target.files];
  // The same file may be chosen again.
  event.target.value = "";
  openFiles(files);
});
for (const name of ["dragenter", "dragover", "dragleave", "drop"]) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    document.body.classList.toggle("dragged", name === "dragenter" || name === "dragover");
    if (name === "drop") openFiles([...event.dataTransfer.files]);
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
byId("famous").addEventListener("click", openFamous);
byId("explain").addEventListener("click", explainGame);
byId("back-to-list").addEventListener("click", closeGame);
byId("version").textContent = PLYZIP.version;
const START = `rnbqkbnrpppppppp${".".repeat(32)}PPPPPPPPRNBQKBNR`;
new Board(byId("start-board")).show({ pieces: START, label: "The position at the start" });

const asked = new URLSearchParams(location.search).get("archive");
if (asked) {
  openAddress(asked);
} else {
  // Policies add up: from here on nothing but this folder is in reach.
  const content = "connect-src 'self'";
  element(document.head, "meta", { "http-equiv": "Content-Security-Policy", content });
}

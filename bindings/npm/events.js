// What the module calls while it works: build.sh imports it into the glue of wasm-bindgen.

let listener = null;
let panic = "";

/** Calls `work` with reports of its progress going to `heard`: bytes of the original that are done. */
export function observed(heard, work) {
  const before = listener;
  listener = heard ?? null;
  try {
    return work();
  } finally {
    listener = before;
  }
}

/** What the module said before it stopped. */
export const lastPanic = () => panic;

export function plyzipProgress(originalBytes) {
  listener?.(originalBytes);
}

export function plyzipPanic(message) {
  panic = message;
}

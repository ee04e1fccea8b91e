// Orbitscope for JavaScript: the engine, loaded when it is first needed.

import load, * as engine from "./engine.js";

/** An error of the engine: its kind, its message, and the places in the text. */
export class OrbitscopeError extends Error {
  constructor({ kind, message, problems }) {
    super(message);
    this.name = "OrbitscopeError";
    this.kind = kind;
    this.problems = problems;
  }
}

/** The engine throws data; an error of JavaScript itself stays as it is. */
function thrown(error) {
  return error instanceof Error || typeof error?.kind !== "string" ? error : new OrbitscopeError(error);
}

let loading;

/**
 * Loads the engine. Nobody has to call it, unless the engine's file lies elsewhere than beside this module: then `source` is its
 * address, a response, its bytes, or a compiled module.
 */
export function init(source) {
  loading ??= (async () => load({ module_or_path: await (source ?? own()) }))().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading.then(() => {});
}

/** The engine's file beside this module; Node does not fetch files. */
async function own() {
  const url = new URL("engine_bg.wasm", import.meta.url);
  if (url.protocol !== "file:" || !globalThis.process?.versions?.node) return url;
  // No bundler has to know this module: a page never comes here.
  const name = ["node:fs", "promises"].join("/");
  const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
  return readFile(url);
}

async function ask(question) {
  await init();
  try {
    return question();
  } catch (error) {
    throw thrown(error);
  }
}

/** The options that the engine knows. */
const OPTIONS = ["set", "property", "fairness", "engine", "deadlock", "states", "of", "nodes"];

/** The options for the engine; those of this module are taken out, and one that is misspelt is an error. */
function plain({ signal, onProgress, format, ...options } = {}) {
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) {
    throw { kind: "usage", message: `there is no option \`${unknown}\`; there are ${OPTIONS.join(", ")}`, problems: [] };
  }
  return options;
}

export const parse = (text, options) => ask(() => engine.describe(text, plain(options)));
export const symmetry = (text, options) => ask(() => engine.symmetry(text, plain(options)));
export const link = (text, options) => ask(() => engine.link(text, plain(options)));
export const format = (text) => ask(() => engine.format(text));

export async function graph(text, options = {}) {
  const form = options.format ?? "json";
  const written = await ask(() => engine.graph(text, plain(options), form));
  return form === "json" ? JSON.parse(written) : written;
}

/** A turn of the event loop, without the delay that timers have. */
const pause = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => (port1.close(), resolve());
    port2.postMessage(0);
  });

export async function check(text, options = {}) {
  const { signal, onProgress } = options;
  await init();
  signal?.throwIfAborted();
  const told = async ({ property, nodes, edges }) => {
    onProgress?.({ property, nodes, edges });
    await pause();
    return !signal?.aborted;
  };
  try {
    return await engine.check(text, plain(options), false, told);
  } catch (error) {
    signal?.throwIfAborted();
    throw thrown(error);
  }
}

export async function* search(text, options = {}) {
  if (typeof options.property !== "string") {
    throw new OrbitscopeError({ kind: "usage", message: "a search needs a property", problems: [] });
  }
  const known = await ask(() => plain(options));
  let deliver;
  let answer;
  const next = () => new Promise((resolve) => (deliver = resolve));
  let coming = next();
  // The engine waits until its last batch was taken: whoever stops reading stops the search.
  const told = ({ events }) => new Promise((goesOn) => deliver({ events, goesOn }));
  const done = engine.check(text, known, true, told).then(
    ([found]) => deliver({ found }),
    (error) => deliver({ error: thrown(error) }),
  );
  let pending;
  try {
    for (;;) {
      const { events, goesOn, found, error } = await coming;
      if (error) throw error;
      if (!events) return (answer = found);
      coming = next();
      pending = goesOn;
      yield* events;
      await pause();
      options.signal?.throwIfAborted();
      pending = undefined;
      goesOn(true);
    }
  } finally {
    pending?.(false);
    if (!answer) await done;
  }
}

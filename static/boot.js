// Starts the program that the page names, and sees to it that the page works offline and is never half old, half new. A
// file of its own, so that the content security policy can forbid inline scripts.

/** Puts the theme of the last visit on the page before anything is drawn. */
function restoreTheme() {
  try {
    const theme = localStorage.getItem("orbitscope-theme");
    if (theme) document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is forbidden: the system's theme it is.
  }
}

async function start() {
  const { js, wasm } = document.querySelector("meta[name=orbitscope-program]").dataset;
  const program = await import(new URL(js, document.baseURI).href);
  await program.default({ module_or_path: new URL(wasm, document.baseURI) });
}

/** A line over the page with one button. */
function say(id, words, button, onClick) {
  if (document.getElementById(id)) return;
  const bar = document.createElement("div");
  bar.id = id;
  bar.className = "bar";
  bar.setAttribute("role", "status");
  const text = document.createElement("span");
  text.className = "bar-words";
  text.textContent = words;
  const press = document.createElement("button");
  press.type = "button";
  press.className = "button";
  press.textContent = button;
  press.addEventListener("click", onClick);
  bar.append(text, press);
  document.body.append(bar);
}

const reload = () => location.reload();

/** A program that broke down does nothing any more; what was typed is kept, so that a reload brings it back. */
function watch() {
  const broken = (error) => {
    if (error instanceof WebAssembly.RuntimeError) {
      say("broken", "The page broke down. Your text is kept.", "Reload", reload);
    }
  };
  addEventListener("error", (event) => broken(event.error));
  addEventListener("unhandledrejection", (event) => broken(event.reason));
}

/** Lets the page work offline. A new version is announced, and comes whole or not at all. */
async function goOffline() {
  const offline = document.querySelector("meta[name=orbitscope-offline]")?.content === "yes";
  const embedded = new URLSearchParams(location.search).get("embed") === "1";
  if (!offline || embedded || !("serviceWorker" in navigator)) return;
  let renewing = false;
  const had = navigator.serviceWorker.controller;
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    if (renewing) reload();
    else if (had) say("renewed", "Orbitscope was renewed in another tab.", "Reload", reload);
  });
  const registration = await navigator.serviceWorker.register(new URL("sw.js", document.baseURI));
  const announce = (worker) =>
    say("renewal", "A new version of Orbitscope is ready. Your text is kept.", "Reload", () => {
      renewing = true;
      worker.postMessage("renew");
    });
  const follow = (worker) =>
    worker?.addEventListener("statechange", () => {
      if (worker.state === "installed" && navigator.serviceWorker.controller) announce(worker);
    });
  if (registration.waiting && had) announce(registration.waiting);
  follow(registration.installing);
  registration.addEventListener("updatefound", () => follow(registration.installing));
}

/** An exercise comes with a link of version 2, and stays with the tab. The panel that shows it is loaded only then. */
async function exercise(event) {
  let kept = null;
  try {
    kept = sessionStorage.getItem("orbitscope-exercise");
  } catch {
    // Storage is forbidden.
  }
  const { hash, search } = location;
  if ((!kept && !hash.startsWith("#2.")) || search.includes("embed=1")) return;
  const { js } = document.querySelector("meta[name=orbitscope-program]").dataset;
  try {
    const panel = await import(new URL(`exercise.js?of=${js.split("/").pop()}`, document.baseURI).href);
    panel.arrive(hash, kept, event);
  } catch (error) {
    say("lost", `The exercise could not be loaded: ${error.message}`, "Reload", reload);
  }
}

restoreTheme();
watch();
const started = start();
started.catch((error) => {
  const message = document.getElementById("boot");
  if (message) message.textContent = `Orbitscope could not be started: ${error.message}`;
  throw error;
});
// Its panel stands beside the page, which clears its place when it starts.
const beside = () => {
  addEventListener("hashchange", exercise);
  return exercise();
};
started.then(beside, () => {});
// The first picture comes first: what is kept for later is fetched when the page has nothing else to do. A browser that
// forbids it shows the page all the same.
const idle = () => new Promise((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve));
started
  .then(idle, idle)
  .then(goOffline)
  .catch((error) => console.info(`Orbitscope does not work offline here: ${error.message}`));

// Starts the program that the page names. A file of its own, so that the content security policy can forbid
// inline scripts.

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

restoreTheme();
start().catch((error) => {
  const message = document.getElementById("boot");
  if (message) message.textContent = `Orbitscope could not be started: ${error.message}`;
  throw error;
});

// The page in a frame. Its files come from the kernel, once for all widgets, and the frame is made of them alone.

const PAGES = Symbol.for("orbitscope.pages");
const PATIENCE = 30_000;
const KINDS = { css: "text/css", js: "text/javascript", svg: "image/svg+xml", wasm: "application/wasm" };
// As on the site, but everything has an address of the browser's own: the page can ask nobody for anything.
const POLICY =
  "default-src 'none'; script-src blob: 'wasm-unsafe-eval'; style-src blob:; img-src blob:; connect-src blob:; worker-src blob:; form-action 'none'";

/** Asks the kernel for the page's files. */
function ask(model) {
  return new Promise((resolve, reject) => {
    const hear = (content, buffers) => {
      if (!content?.names) return;
      stop();
      resolve({ names: content.names, buffers });
    };
    const late = setTimeout(() => {
      stop();
      reject(new Error("the kernel does not answer: run the cell again"));
    }, PATIENCE);
    const stop = () => {
      clearTimeout(late);
      model.off("msg:custom", hear);
    };
    model.on("msg:custom", hear);
    model.send("page");
  });
}

/** The text of a compressed file, or an address for it. */
const unpacked = (buffer) => new Response(new Blob([buffer]).stream().pipeThrough(new DecompressionStream("gzip")));

async function address(name, buffer) {
  const type = KINDS[name.split(".").pop()] ?? "application/octet-stream";
  return URL.createObjectURL(new Blob([await unpacked(buffer).arrayBuffer()], { type }));
}

const script = (text) => URL.createObjectURL(new Blob([text], { type: KINDS.js }));

/** The page names its worker and its engine by their files: the frame gives it their addresses. */
const stand_in = (files) => `
const files = ${JSON.stringify(files)};
window.Worker = class extends Worker {
  constructor(name, options) {
    super(files[name], options);
  }
  postMessage(message, ...rest) {
    const start = message?.wasm && { js: files["orbitscope-engine.js"], wasm: files["orbitscope-engine_bg.wasm"] };
    super.postMessage(start || message, ...rest);
  }
};`;

/** The page as a text in which every file has its address. */
async function made(model) {
  const { names, buffers } = await ask(model);
  const files = {};
  let html;
  for (const [at, name] of names.entries()) {
    if (name === "index.html") html = await unpacked(buffers[at]).text();
    else files[name] = await address(name, buffers[at]);
  }
  const page = new DOMParser().parseFromString(html, "text/html");
  page.documentElement.dataset.embed = "frame";
  page.querySelector("meta[http-equiv=Content-Security-Policy]").content = POLICY;
  page.querySelector("meta[name=orbitscope-offline]").content = "no";
  page.querySelectorAll("link[rel=manifest], link[rel=modulepreload], link[rel=preload]").forEach((link) => link.remove());
  // Addresses that the page puts together are never asked for; they only have to be addresses.
  const base = page.createElement("base");
  base.href = "https://orbitscope.invalid/";
  const first = page.createElement("script");
  first.src = script(stand_in(files));
  page.head.prepend(base, first);
  page.head.prepend(page.querySelector("meta[charset]"), page.querySelector("meta[http-equiv]"));
  for (const element of page.querySelectorAll("[href], [src], [data-js]")) {
    for (const { name, value } of [...element.attributes]) {
      const file = files[value.replace(/^\.\//, "")];
      if (file) element.setAttribute(name, file);
    }
  }
  return `<!doctype html>${page.documentElement.outerHTML}`;
}

/** The page of this build; the widgets of a notebook share it. */
function page(model) {
  const pages = (globalThis[PAGES] ??= new Map());
  const build = model.get("build");
  if (!pages.has(build)) {
    const coming = made(model);
    pages.set(build, coming);
    coming.catch(() => pages.delete(build));
  }
  return pages.get(build);
}

async function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.title = "Orbitscope";
  frame.style.cssText = "width: 100%; border: 0; display: block";
  const words = document.createElement("p");
  words.setAttribute("role", "status");
  words.textContent = "Orbitscope is loading …";
  el.append(words);
  let own;
  const size = () => (frame.style.height = model.get("height"));
  // Another fragment alone would not load the page anew.
  const show = (html) => {
    URL.revokeObjectURL(own);
    own = URL.createObjectURL(new Blob([html], { type: "text/html" }));
    frame.src = `${own}#${model.get("link")}`;
  };
  let renew = () => {};
  model.on("change:height", size);
  const changed = () => renew();
  model.on("change:link", changed);
  size();
  page(model).then(
    (html) => {
      renew = () => show(html);
      words.replaceWith(frame);
      renew();
    },
    (error) => (words.textContent = `Orbitscope cannot be shown: ${error.message}`),
  );
  return () => {
    model.off("change:height", size);
    model.off("change:link", changed);
    URL.revokeObjectURL(own);
  };
}

export default { render };

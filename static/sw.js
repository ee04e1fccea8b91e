// Keeps the site in the browser. One cache holds one build, whole: it is filled when the worker is installed, each file is
// checked against the sum that the build wrote down, and what is answered comes from that cache alone.

const BUILD = "@BUILD@";
/** The files of the build and their checksums. */
const FILES = {
  /* @FILES@ */
};

const NAME = `orbitscope-${BUILD}`;
const scope = self.registration.scope;
const address = (path) => new URL(path, scope).href;

/** FNV-1a, 32 bits, as `xtask/src/offline.rs` computes it: files of two builds are not mixed. */
function checksum(bytes) {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

async function keep(cache, path) {
  const response = await fetch(address(path), { cache: "no-cache" });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (checksum(bytes) !== FILES[path]) throw new Error(`${path} is of another build`);
  const headers = { "content-type": response.headers.get("content-type") ?? "application/octet-stream" };
  await cache.put(address(path), new Response(bytes, { headers }));
}

async function install() {
  const cache = await caches.open(NAME);
  try {
    await Promise.all(Object.keys(FILES).map((path) => keep(cache, path)));
  } catch (error) {
    await caches.delete(NAME);
    throw error;
  }
}

/** Another tab may still show the build before this one: that one stays, older ones go. */
async function clean() {
  const others = (await caches.keys()).filter((name) => name.startsWith("orbitscope-") && name !== NAME);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

async function answer(request) {
  const path = request.mode === "navigate" ? "index.html" : request.url.slice(scope.length).split(/[?#]/)[0];
  const own = await (await caches.open(NAME)).match(address(path));
  return own ?? (await caches.match(request)) ?? fetch(request);
}

// The page of a first visit is taken over at once: what it loads from then on, such as an engine that starts anew, needs no network. A
// page that another build shows is not, since two builds do not mix.
let isFirst = false;
addEventListener("install", (event) => {
  isFirst = !self.registration.active;
  event.waitUntil(install());
});
addEventListener("activate", (event) => event.waitUntil(clean().then(() => isFirst && self.clients.claim())));
addEventListener("message", (event) => {
  if (event.data === "renew") self.skipWaiting();
});
addEventListener("fetch", (event) => {
  const { request } = event;
  const page = address("").split(/[?#]/)[0];
  const isPage = [page, address("index.html")].includes(request.url.split(/[?#]/)[0]);
  if (request.method !== "GET" || !request.url.startsWith(scope)) return;
  if (request.mode === "navigate" && !isPage) return;
  event.respondWith(answer(request));
});

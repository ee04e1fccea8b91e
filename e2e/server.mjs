// A static server for the built site, under any path.

import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
};

/** Serves `folder` under `base` (which starts and ends with a slash) on a free port of 127.0.0.1. */
export async function serve(folder, base = "/") {
  const server = createServer((request, response) => {
    const file = locate(folder, base, new URL(request.url, "http://localhost").pathname);
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": TYPES[path.extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}${base}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function locate(folder, base, pathname) {
  if (!pathname.startsWith(base)) return undefined;
  const name = decodeURIComponent(pathname.slice(base.length)) || "index.html";
  const file = path.join(folder, name);
  const isInside = file.startsWith(folder + path.sep);
  return isInside && statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}

// A worker of the page: it is told where the engine's program is, and runs it.

addEventListener(
  "message",
  async ({ data: { js, wasm } }) => {
    const program = await import(js);
    await program.default({ module_or_path: wasm });
  },
  { once: true },
);

// The page is told of any error, also of one in a promise.
addEventListener("unhandledrejection", (event) => {
  throw event.reason;
});

// A worker of the page: it gets the page's own program, compiled, and runs it; the program sees where it is.

addEventListener(
  "message",
  async ({ data: { js, module } }) => {
    const program = await import(js);
    await program.default({ module_or_path: module });
  },
  { once: true },
);

// The page is told of any error, also of one in a promise.
addEventListener("unhandledrejection", (event) => {
  throw event.reason;
});

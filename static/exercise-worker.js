// The worker of an exercise: it reads one, and marks a text, with the engine's program.

let engine;

addEventListener("message", async ({ data: { js, wasm, fragment, text, number } }) => {
  engine ??= import(js).then(async (program) => {
    await program.default({ module_or_path: wasm });
    return program;
  });
  const program = await engine;
  postMessage({ answer: text === undefined ? program.exercise(fragment) : program.marks(fragment, text, number) });
});

// The page is told of any error, also of one in a promise.
addEventListener("unhandledrejection", (event) => {
  throw event.reason;
});

// The extension: a language client for `orbitscope lsp`, and the page of `orbitscope serve` in a panel beside the text.

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");
const { Pages } = require("./pages");

let client;

/** The program and the folder of the page, as the settings have them. */
function settings() {
  const own = vscode.workspace.getConfiguration("orbitscope");
  return { path: own.get("path") || "orbitscope", site: own.get("site") || "" };
}

function newClient(pages) {
  const run = { command: settings().path, args: ["lsp"], transport: TransportKind.stdio };
  return new LanguageClient("orbitscope", "Orbitscope", { run, debug: run }, {
    documentSelector: [{ language: "orbitscope" }, { language: "murphi" }],
    middleware: {
      // The server answers with the run and with a link; the page shows both.
      async executeCommand(command, args, next) {
        const result = await next(command, args);
        if (command === "orbitscope.showRun" && result) await pages.showRun(result);
        return result;
      },
    },
  });
}

async function start(pages) {
  client = newClient(pages);
  try {
    await client.start();
  } catch (error) {
    const choice = await vscode.window.showErrorMessage(
      `Orbitscope's language server did not start: ${error.message}. Install the program orbitscope, or say where it is.`,
      "Open Settings",
    );
    if (choice) await vscode.commands.executeCommand("workbench.action.openSettings", "orbitscope.path");
  }
}

async function activate(context) {
  const pages = new Pages(vscode, settings);
  context.subscriptions.push(pages);
  const command = (name, does) => context.subscriptions.push(vscode.commands.registerCommand(name, does));
  command("orbitscope.openPage", () => pages.follow(vscode.window.activeTextEditor?.document));
  command("orbitscope.checkModel", () => {
    const uri = vscode.window.activeTextEditor?.document.uri.toString();
    return uri && vscode.commands.executeCommand("orbitscope.checkAll", uri);
  });
  command("orbitscope.restart", async () => {
    await client?.stop().catch(() => {});
    await start(pages);
  });
  await start(pages);
}

function deactivate() {
  return client?.stop().catch(() => {});
}

module.exports = { activate, deactivate };

// The page in panels: each is a frame around a server that `orbitscope serve` runs on this machine.

const { spawn } = require("node:child_process");
const { createInterface } = require("node:readline");

/** Text for an attribute of HTML. */
const quoted = (text) => text.replace(/[&"<>]/g, (c) => `&#${c.charCodeAt(0)};`);

/** The panel's document: nothing of its own but the frame. */
function frame(url) {
  const origin = new URL(url).origin;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; frame-src ${quoted(origin)}; style-src 'unsafe-inline'">
    <style>html, body, iframe { margin: 0; padding: 0; border: 0; width: 100%; height: 100vh; display: block; }</style>
  </head>
  <body><iframe title="Orbitscope" src="${quoted(url)}" allow="clipboard-write"></iframe></body>
</html>`;
}

/** Starts `orbitscope serve` and gives its address, or says why it has none. */
function serve({ path, site }, file, cwd) {
  const args = ["serve", ...(file ? [file] : []), "--port", "0", ...(site ? ["--site", site] : [])];
  const child = spawn(path, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let complaint = "";
  child.stderr.on("data", (data) => (complaint += data));
  const address = new Promise((resolve, reject) => {
    child.on("error", (error) => reject(new Error(`${path} cannot be started: ${error.message}`)));
    child.on("close", () => reject(new Error(complaint.trim() || `${path} ended at once`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /^The page is at (http:\S+)/.exec(line);
      if (found) resolve(found[1]);
    });
  });
  return { child, address };
}

class Pages {
  constructor(vscode, settings) {
    this.vscode = vscode;
    this.settings = settings;
    /** The servers and panels by the file that they follow; under "" the one that follows none. */
    this.open = new Map();
  }

  /** Shows a file that is followed. */
  async follow(document) {
    if (!document || document.isUntitled) {
      return void this.vscode.window.showInformationMessage("Save the model first: the page follows its file.");
    }
    await this.show(document.uri.fsPath, "", document.uri.path.split("/").pop());
  }

  /** Shows the run of a property, from the answer of the language server; as text where there is no page. */
  async showRun({ property, words, run, link }) {
    if (link && (await this.show("", link.startsWith("#") ? link : `#${link}`, property))) return;
    const content = `${property}: ${words}\n${run}`;
    const text = await this.vscode.workspace.openTextDocument({ content });
    await this.vscode.window.showTextDocument(text, { preview: true, viewColumn: this.vscode.ViewColumn.Beside });
  }

  /** Opens a panel with the page at this fragment; false where there is no page, which was said. */
  async show(file, fragment, title) {
    const { vscode } = this;
    let url;
    try {
      url = await this.address(file);
    } catch (error) {
      vscode.window.showErrorMessage(`Orbitscope's page cannot be shown: ${error.message}`);
      return false;
    }
    // From another machine the port is reached under another address.
    const outside = await vscode.env.asExternalUri(vscode.Uri.parse(url));
    const entry = this.open.get(file);
    if (!entry.panel) {
      entry.panel = vscode.window.createWebviewPanel(
        "orbitscope.page",
        "Orbitscope",
        { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
        { enableScripts: true, retainContextWhenHidden: true },
      );
      entry.panel.onDidDispose(() => this.close(file));
    }
    entry.panel.title = `Orbitscope: ${title}`;
    entry.panel.webview.html = frame(`${outside.toString(true).replace(/\/$/, "")}/${fragment}`);
    entry.panel.reveal(undefined, true);
    return true;
  }

  /** The address of the server for a file, which is started where there is none. */
  async address(file) {
    let entry = this.open.get(file);
    if (!entry) {
      const folder = this.vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
      entry = serve(this.settings(), file, folder);
      this.open.set(file, entry);
      entry.child.on("close", () => this.open.get(file) === entry && this.close(file));
    }
    return entry.address;
  }

  close(file) {
    const entry = this.open.get(file);
    if (!entry) return;
    this.open.delete(file);
    entry.child.kill();
    entry.panel?.dispose();
  }

  dispose() {
    [...this.open.keys()].forEach((file) => this.close(file));
  }
}

module.exports = { Pages, frame, serve };

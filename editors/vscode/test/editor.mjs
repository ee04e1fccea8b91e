// A stand-in for the editor: as much of its interface as the extension and the language client use.

import Module from "node:module";

/** A class that takes anything, for types that are only made and handed on. */
const anything = () =>
  class {
    constructor(...values) {
      Object.assign(this, { values });
    }
  };

export function editor(settings) {
  const commands = new Map();
  const [errors, panels, texts] = [[], [], []];
  const disposable = (dispose = () => {}) => ({ dispose });
  const event = () => disposable();
  const uri = (text) => ({ toString: () => text, fsPath: text.replace("file://", ""), path: text, scheme: "file" });
  const own = {
    commands: {
      registerCommand: (name, does) => (commands.set(name, does), disposable(() => commands.delete(name))),
      executeCommand: async (name, ...args) => commands.get(name)?.(...args),
    },
    env: { asExternalUri: async (url) => url, appName: "a test", language: "en" },
    version: "1.91.0",
    window: {
      activeTextEditor: undefined,
      visibleTextEditors: [],
      showErrorMessage: async (words) => void errors.push(words),
      showInformationMessage: async () => {},
      showWarningMessage: async () => {},
      showTextDocument: async (document) => void texts.push(document.content),
      createOutputChannel: () => new Proxy({}, { get: () => () => {} }),
      createWebviewPanel: () => {
        const gone = [];
        const panel = { webview: { html: "" }, title: "", reveal() {}, onDidDispose: (does) => gone.push(does) };
        panel.dispose = () => gone.splice(0).forEach((does) => does());
        panels.push(panel);
        return panel;
      },
      tabGroups: { all: [], onDidChangeTabs: event, onDidChangeTabGroups: event },
    },
    workspace: {
      getConfiguration: () => ({ get: (name) => settings[name], inspect: () => undefined }),
      openTextDocument: async (document) => document,
      textDocuments: [],
      notebookDocuments: [],
      workspaceFolders: undefined,
      createFileSystemWatcher: () => new Proxy({}, { get: (_, name) => (name === "dispose" ? () => {} : event) }),
      asRelativePath: String,
    },
    languages: { createDiagnosticCollection: () => new Proxy({}, { get: () => () => {} }), match: () => 0 },
    Uri: { parse: uri, file: (path) => uri(`file://${path}`) },
    Disposable: class {
      constructor(dispose) {
        this.dispose = dispose ?? (() => {});
      }
      static from = (...all) => disposable(() => all.forEach((item) => item.dispose()));
    },
    EventEmitter: class {
      event = event;
      fire() {}
      dispose() {}
    },
    CancellationTokenSource: class {
      token = { isCancellationRequested: false, onCancellationRequested: event };
      cancel() {}
      dispose() {}
    },
    ViewColumn: { Beside: -2 },
  };
  // Registrations of every kind, events and enumerations are answered alike.
  const filled = (object) =>
    new Proxy(object, {
      get: (target, name) => {
        if (name in target || typeof name === "symbol") return target[name];
        if (/^(on(Did|Will)|register|create|set)/.test(name)) return event;
        return undefined;
      },
    });
  const spaces = { commands: 1, window: 1, workspace: 1, languages: 1, env: 1 };
  const api = new Proxy(own, {
    get: (target, name) => {
      if (typeof name === "symbol") return target[name];
      if (name in target) return spaces[name] ? filled(target[name]) : target[name];
      if (/^(tests|debug|tasks|notebooks|extensions|authentication|comments|scm|lm|chat|l10n)$/.test(name)) return filled({});
      if (name === "default" || name === "__esModule" || name === "then") return undefined;
      // A class or an enumeration: it can be made, extended, and asked for its members.
      return (target[name] = new Proxy(anything(), { get: (type, key) => (key in type || typeof key === "symbol" ? type[key] : 0) }));
    },
  });
  const load = (file, require) => {
    const { _load } = Module;
    Module._load = function (request, ...rest) {
      return request === "vscode" ? api : _load.call(this, request, ...rest);
    };
    try {
      delete require.cache[file];
      return require(file);
    } finally {
      Module._load = _load;
    }
  };
  return { api, commands: { has: (name) => commands.has(name) }, errors, panels, texts, load };
}

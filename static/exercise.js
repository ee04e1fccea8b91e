// An exercise that came with a link: its task, its hints one by one, and which expectations the text on the page meets. It is loaded
// only where there is one, and stays with the tab until it is put away. The engine reads and marks it, in a worker of its own.

const KEY = "orbitscope-exercise";
/** The text is marked when it has rested for so many milliseconds. */
const REST = 500;

const make = (tag, classes, ...inside) => {
  const element = document.createElement(tag);
  if (classes) element.className = classes;
  element.append(...inside);
  return element;
};

const button = (classes, words, onClick) => {
  const element = make("button", classes, words);
  element.type = "button";
  element.addEventListener("click", onClick);
  return element;
};

/** The address of a file of the same build. */
const address = (file) => new URL(file + new URL(import.meta.url).search, document.baseURI).href;

/** A worker that answers one question at a time. A question that is no longer of interest ends with its worker. */
class Engine {
  #worker = null;
  #answer = null;

  ask(question) {
    if (this.#answer) this.stop();
    return new Promise((resolve, reject) => {
      this.#answer = { resolve, reject };
      if (!this.#worker) {
        this.#worker = new Worker(address("exercise-worker.js"), { type: "module" });
        this.#worker.addEventListener("message", ({ data }) => this.#done("resolve", data.answer));
        this.#worker.addEventListener("error", (event) => {
          event.preventDefault();
          this.#done("reject", new Error(event.message || "the engine could not be loaded"));
        });
      }
      this.#worker.postMessage({ js: address("orbitscope-engine.js"), wasm: address("orbitscope-engine_bg.wasm"), ...question });
    });
  }

  #done(how, value) {
    if (value === undefined) return;
    const answer = this.#answer;
    this.#answer = null;
    if (how === "reject") this.stop();
    answer?.[how](value);
  }

  stop() {
    this.#worker?.terminate();
    this.#worker = this.#answer = null;
  }
}

/** Words with `code` and **weight**; a link is its words, since the files that it names are elsewhere. */
function inline(text) {
  const parts = text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*)/);
  return parts.map((part) => {
    if (/^`.+`$/.test(part)) return make("code", "", part.slice(1, -1));
    if (/^\*\*.+\*\*$/.test(part)) return make("strong", "", part.slice(2, -2));
    if (/^\*.+\*$/.test(part)) return make("em", "", part.slice(1, -1));
    return part;
  });
}

/** The little of Markdown that a task needs: headings, paragraphs, lists and blocks of code. All of it is text, never markup. */
function markdown(text) {
  const blocks = [];
  let code = null;
  for (const line of text.split("\n")) {
    const last = blocks.at(-1);
    const item = /^\s*(\d+\.|[-*])\s+(.*)/.exec(line);
    const heading = /^#+\s+(.*)/.exec(line);
    if (line.startsWith("```")) {
      if (!code) blocks.push({ kind: "pre", text: (code = []) });
      else code = null;
    } else if (code) code.push(line);
    else if (!line.trim()) blocks.push({ kind: "gap" });
    else if (heading) blocks.push({ kind: "h3", text: [heading[1]] });
    else if (item && last?.kind === "list") last.items.push([item[2]]);
    else if (item) blocks.push({ kind: "list", ordered: /\d/.test(item[1]), items: [[item[2]]] });
    else if (last?.kind === "list") last.items.at(-1).push(line.trim());
    else if (last?.kind === "p") last.text.push(line.trim());
    else blocks.push({ kind: "p", text: [line] });
  }
  return blocks.filter((block) => block.kind !== "gap").map((block) => {
    if (block.kind === "pre") return make("pre", "", block.text.join("\n"));
    if (block.kind !== "list") return make(block.kind, "", ...inline(block.text.join(" ")));
    return make(block.ordered ? "ol" : "ul", "", ...block.items.map((item) => make("li", "", ...inline(item.join(" ")))));
  });
}

/** One expectation: its state, and its hint when somebody asks. */
class Check {
  constructor({ words, points, hint }) {
    this.points = points;
    this.sign = make("span", "exercise-sign", "…");
    this.why = make("pre", "exercise-why");
    this.why.tabIndex = 0;
    this.row = make("li", "exercise-check", this.sign, make("span", "exercise-words", words));
    if (points !== 1) this.row.append(make("span", "exercise-points", `${points} points`));
    if (hint) {
      this.hint = button("button is-small exercise-hint", "Hint", () => this.hint.replaceWith(make("p", "exercise-told", ...inline(hint))));
      this.row.append(this.hint);
    }
    this.row.append(this.why);
    this.show({ state: "waiting" });
  }

  show({ state, why = "" }) {
    this.state = state;
    this.row.dataset.state = state;
    this.sign.textContent = { waiting: "…", met: "✓", unmet: "✗" }[state];
    this.sign.setAttribute("aria-label", { waiting: "not marked yet", met: "met", unmet: "not met" }[state]);
    this.why.textContent = why;
    this.why.hidden = !why;
  }
}

class Panel {
  #engine = new Engine();
  #checks = [];
  #text = null;
  #timer = null;

  constructor(fragment) {
    this.fragment = fragment;
    this.count = make("span", "exercise-count");
    this.count.setAttribute("role", "status");
    this.title = make("span", "exercise-title", "Exercise");
    this.toggle = button("exercise-toggle", "", () => this.#open(this.body.hidden));
    this.toggle.append(this.title, this.count);
    const away = button("button is-small exercise-away", "×", () => this.close());
    away.setAttribute("aria-label", "Put the exercise away");
    away.title = "Put the exercise away; the model stays";
    this.body = make("div", "exercise-body");
    this.body.id = "exercise-body";
    this.toggle.setAttribute("aria-controls", this.body.id);
    this.aside = make("aside", "exercise", make("div", "exercise-head", this.toggle, away), this.body);
    this.aside.setAttribute("aria-label", "Exercise");
    this.#open(true);
    document.body.append(this.aside);
    document.documentElement.classList.add("has-exercise");
    this.#read();
  }

  #open(open) {
    this.body.hidden = !open;
    this.toggle.setAttribute("aria-expanded", String(open));
  }

  close() {
    clearTimeout(this.#timer);
    this.#engine.stop();
    this.observer?.disconnect();
    this.aside.remove();
    document.documentElement.classList.remove("has-exercise");
    keep(null);
    shown = null;
  }

  #trouble(words) {
    this.body.replaceChildren(make("p", "exercise-trouble", words));
    this.body.firstChild.setAttribute("role", "alert");
  }

  async #read() {
    let told;
    try {
      told = JSON.parse(await this.#engine.ask({ fragment: this.fragment }));
    } catch (error) {
      return this.#trouble(`The exercise cannot be read here: ${error.message}.`);
    }
    if (told.error) return this.#trouble(`The model is open, but its exercise cannot be shown: ${told.error}.`);
    this.title.textContent = told.title;
    this.#checks = told.checks.map((check) => new Check(check));
    this.notice = make("section", "exercise-notice", make("h3", "", "What you should notice"), ...markdown(told.notice));
    this.notice.hidden = true;
    const list = make("ul", "exercise-checks", ...this.#checks.map((check) => check.row));
    list.setAttribute("aria-label", "What is expected");
    // The panel has the title already.
    const task = markdown(told.task.replace(/^#\s.*\n+/, ""));
    this.body.replaceChildren(make("section", "exercise-task", ...task), make("h3", "", "What is expected"), list, this.notice);
    // Whatever changes the text, typing or opening another model, changes the coloured lines under it.
    this.observer = new MutationObserver(() => (this.#timer ??= setTimeout(() => this.#look(), REST)));
    this.observer.observe(document.querySelector("main") ?? document.body, { childList: true, characterData: true, subtree: true });
    this.#look();
  }

  #look() {
    this.#timer = null;
    const text = document.querySelector("#source")?.value;
    if (text === undefined) {
      // The page is not there yet.
      this.#timer = setTimeout(() => this.#look(), REST);
    } else if (text !== this.#text) this.#mark((this.#text = text));
  }

  async #mark(text) {
    this.#checks.forEach((check) => check.show({ state: "waiting" }));
    this.#tell();
    for (const [number, check] of this.#checks.entries()) {
      let marks;
      try {
        marks = JSON.parse(await this.#engine.ask({ fragment: this.fragment, text, number }));
      } catch (error) {
        marks = { met: false, why: `the engine broke down: ${error.message}` };
      }
      // By now another text may be marked.
      if (text !== this.#text || !this.aside.isConnected) return;
      check.show({ state: marks.met ? "met" : "unmet", why: marks.why });
      this.#tell();
    }
  }

  #tell() {
    const sum = (checks) => checks.reduce((points, check) => points + check.points, 0);
    const met = this.#checks.filter((check) => check.state === "met");
    const all = met.length === this.#checks.length;
    this.count.textContent = `${sum(met)} of ${sum(this.#checks)} points`;
    this.aside.classList.toggle("is-met", all);
    this.notice.hidden = !all || this.notice.childElementCount < 2;
  }
}

let shown = null;

function keep(fragment) {
  try {
    if (fragment) sessionStorage.setItem(KEY, fragment);
    else sessionStorage.removeItem(KEY);
  } catch {
    // Storage is forbidden: the exercise lasts as long as the page.
  }
}

/** The page was opened, or its address has changed: shows the exercise of its link, or the one that the tab has kept. */
export function arrive(hash, kept, changed) {
  const linked = hash.startsWith("#2.");
  // Whoever follows another link is done with the exercise; whoever loads the page anew is not.
  const [visit] = performance.getEntriesByType("navigation");
  const elsewhere = !linked && hash !== "" && (changed || visit?.type === "navigate");
  if (changed && !linked && !elsewhere) return;
  shown?.close();
  if (elsewhere) return keep(null);
  const fragment = linked ? hash.slice(1) : kept;
  keep(fragment);
  if (!document.querySelector("link[href*='exercise.css']")) {
    const sheet = make("link");
    sheet.rel = "stylesheet";
    sheet.href = address("exercise.css");
    document.head.append(sheet);
  }
  shown = new Panel(fragment);
}

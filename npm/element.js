// <orbit-scope>: a model with its picture and player in any page, as a frame around Orbitscope's own page.

/** The content of a link, as docs/link-format.md describes it. */
async function encode(text, { property, settings, options }) {
  const lines = [...settings.map((setting) => `set ${setting}`), ...(property ? [`property ${property}`] : [])];
  lines.push(...options.map((option) => `option ${option}`));
  const content = `${lines.map((line) => `${line}\n`).join("")}\n${text}`;
  const stream = new Blob([content]).stream().pipeThrough(new CompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `1.${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** The text of a script without the indentation and the empty lines that its place in the page gives it. */
function dedent(text) {
  const lines = text.split("\n");
  while (lines.length && !lines[0].trim()) lines.shift();
  while (lines.length && !lines.at(-1).trim()) lines.pop();
  const depths = lines.filter((line) => line.trim()).map((line) => line.match(/^\s*/)[0].length);
  return lines.map((line) => line.slice(Math.min(...depths))).join("\n") + "\n";
}

const words = (list) => (list ?? "").split(/[\s,]+/).filter(Boolean);

/**
 * Its text is the model; `src` names a file instead. `property`, `set` ("clients=4") and `option` ("fairness=strong") say what is
 * looked at, `link` is a whole link, and `site` is the address of the page where that is not beside this module.
 */
export class OrbitScope extends (globalThis.HTMLElement ?? Object) {
  static observedAttributes = ["src", "property", "set", "option", "link", "site", "full"];

  #shown = 0;

  connectedCallback() {
    if (!this.shadowRoot) {
      const root = this.attachShadow({ mode: "open" });
      root.innerHTML =
        "<style>:host { display: block; height: 32rem } :host([hidden]) { display: none }" +
        " iframe { width: 100%; height: 100%; border: 0 } p { font: 1rem system-ui; color: #b00020 }</style>";
    }
    // The text may still be on its way from the network when the element is made.
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", () => this.#show(), { once: true });
    else this.#show();
  }

  attributeChangedCallback() {
    if (this.shadowRoot) this.#show();
  }

  /** Shows another text. */
  set text(text) {
    this.textContent = text;
    if (this.shadowRoot) this.#show();
  }

  get text() {
    return this.querySelector("script")?.textContent ?? this.textContent;
  }

  async #show() {
    const turn = ++this.#shown;
    let body;
    try {
      const url = await this.#address();
      body = document.createElement("iframe");
      body.title = this.getAttribute("title") ?? "Orbitscope";
      body.src = url;
    } catch (error) {
      body = document.createElement("p");
      body.textContent = `orbit-scope: ${error.message}`;
    }
    // Something newer was asked for in the meantime.
    if (turn !== this.#shown) return;
    this.shadowRoot.querySelectorAll("iframe, p").forEach((old) => old.remove());
    this.shadowRoot.append(body);
    this.dispatchEvent(new Event(body.localName === "p" ? "error" : "shown"));
  }

  async #address() {
    const site = new URL(this.getAttribute("site") ?? new URL("site/index.html", import.meta.url), document.baseURI);
    if (!site.pathname.endsWith("/") && !site.pathname.endsWith(".html")) site.pathname += "/";
    if (!this.hasAttribute("full")) site.searchParams.set("embed", "1");
    const given = this.getAttribute("link");
    site.hash = given ? given.replace(/^.*#/, "") : await encode(await this.#model(), {
      property: this.getAttribute("property"),
      settings: words(this.getAttribute("set")),
      options: words(this.getAttribute("option")),
    });
    return site.href;
  }

  async #model() {
    const src = this.getAttribute("src");
    if (!src) return dedent(this.text);
    const response = await fetch(new URL(src, document.baseURI));
    if (!response.ok) throw new Error(`${src} cannot be read: ${response.status}`);
    return response.text();
  }
}

if (globalThis.customElements && !customElements.get("orbit-scope")) customElements.define("orbit-scope", OrbitScope);

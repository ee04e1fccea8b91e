/**
 * `<orbit-scope>` shows a model with its picture and player: its text is the model, or `src` names a file. `property`, `set`
 * ("clients=4") and `option` ("fairness=strong") say what is looked at; `link` is a whole link, `site` the address of the page, and `full` shows
 * all of it.
 */
export class OrbitScope extends HTMLElement {
  text: string;
}

declare global {
  interface HTMLElementTagNameMap {
    "orbit-scope": OrbitScope;
  }
}

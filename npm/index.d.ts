/** The options of a question about a model. A misspelt member is an error. */
export interface Options {
  /** Values of parameters, by their names. */
  set?: Record<string, number>;
  /** The property; without it `check` answers all. */
  property?: string;
  fairness?: "model" | "weak" | "strong" | "none";
  engine?: "onthefly" | "threaded" | "explicit" | "symbolic";
  /** Whether the last state of a computation that ends repeats for ever, or the computation is dropped. */
  deadlock?: "stutter" | "drop";
  /** At most this many states of a search. */
  states?: number;
}

export interface CheckOptions extends Options {
  /** Stops the check. */
  signal?: AbortSignal;
  /** Called again and again while the engine works. */
  onProgress?: (progress: { property: string; nodes: number; edges: number }) => void;
}

export interface GraphOptions extends Options {
  /** The program's states, the annotated quotient, that with the processes of `property` tracked, or the product with its automaton. */
  of?: "states" | "quotient" | "tracked" | "product";
  /** At most this many nodes. */
  nodes?: number;
}

export interface Description {
  parameters: { name: string; value: number; least: number | null; most: number | null }[];
  families: { name: string; size: number }[];
  properties: { name: string; logic: string; line: number }[];
  processes: number;
}

/** Shared variables by name, and for each family a list of its processes' variables; for a single process they stand alone. */
export type State = Record<string, unknown>;

export interface Step {
  /** Who moved; null for the initial state, and where nobody moves any more. */
  process: string | null;
  action: string | null;
  args: string[];
  /** The state after the step; null where states are large, and `changes` says what is new. */
  state: State | null;
  changes?: { variable: string; value: unknown }[];
}

export interface Answer {
  property: string;
  logic: string;
  verdict: "holds" | "violated" | "unknown";
  /** The verdict in words: a `cover` is covered or never is, and what is unknown has its reason. */
  words: string;
  /** The processes that the names in front of the property stand for. */
  instance: string | null;
  /** The run that shows it; its cycle repeats for ever, and is null where the run ends. */
  run: { prefix: Step[]; cycle: Step[] | null } | null;
  /** For each process how the cycle treats it fairly. */
  ledger: { process: string; action?: string; last?: string; because: string; step: number | null }[] | null;
}

export interface Graph {
  title: string;
  complete: boolean;
  note: string | null;
  nodes: {
    id: string;
    label: string[];
    below: string[];
    initial: boolean;
    deadlock: boolean;
    accepting: boolean;
    open: boolean;
    class: number | null;
  }[];
  edges: { from: string; to: string; label: string; style: "solid" | "ghost" }[];
}

export interface Symmetry {
  /** A number of any size, in decimal. */
  order: string;
  /** In cycles of processes. */
  generators: string[];
  families: string[];
  /** The reasons why the group is not larger. */
  reasons: { line: number; column: number; message: string }[];
}

/** A step of the search on the fly. Nodes are numbered in the order in which they are found. */
export type SearchEvent =
  | { kind: "root"; node: number }
  | { kind: "tree" | "back" | "cross"; from: number; edge: number; to: number }
  | { kind: "join"; child: number; parent: number }
  | { kind: "component"; root: number; size: number }
  | { kind: "yes"; node: number }
  | { kind: "no" }
  | { kind: "stopped"; why: "limit" | "fault" };

export interface Problem {
  message: string;
  line: number | null;
  column: number | null;
  end_line: number | null;
  end_column: number | null;
}

export class OrbitscopeError extends Error {
  kind: "model" | "fault" | "refusal" | "limit" | "stopped" | "usage" | "internal";
  /** The places in the text, where the error is about these. */
  problems: Problem[];
}

/** Loads the engine from elsewhere than beside this module. Call it before anything else, or not at all. */
export function init(source?: string | URL | Request | Response | BufferSource | WebAssembly.Module): Promise<void>;

/** The parameters, families and properties of a model; throws what is wrong with it. */
export function parse(text: string, options?: Options): Promise<Description>;

/** The answers to all properties, or to the one that `options` names. */
export function check(text: string, options?: CheckOptions): Promise<Answer[]>;

/** The steps of the search for a property, one after the other; the generator's value at its end is the answer. */
export function search(
  text: string,
  options: Options & { property: string; signal?: AbortSignal },
): AsyncGenerator<SearchEvent, Answer, void>;

export function graph(text: string, options?: GraphOptions & { format?: "json" }): Promise<Graph>;
export function graph(text: string, options: GraphOptions & { format: "dot" | "svg" }): Promise<string>;

/** The symmetry of a model, and what limits it. */
export function symmetry(text: string, options?: Options): Promise<Symmetry>;

/** The part of an address after `#` that opens the model in Orbitscope's page. */
export function link(text: string, options?: Options): Promise<string>;

/** The text in standard form. */
export function format(text: string): Promise<string>;

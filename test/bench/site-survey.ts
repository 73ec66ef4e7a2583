import { join } from "node:path";
import { linesOf } from "./lines.ts";

export interface Pointer {
  readonly contentEntryId: string;
}

export interface Entry {
  readonly id: string;
  readonly modelId: string;
  readonly data: Record<string, unknown>;
}

/** Which of a model's fields an edit may change. */
export interface Model {
  readonly title: string;
  /** Its references to entries of any model. */
  readonly links?: string;
  readonly assets: readonly string[];
}

interface Field {
  readonly key: string;
  readonly type: string;
  readonly repeatable?: boolean;
  readonly models?: readonly string[];
}

/** Entries with more incoming references than this count as hubs. */
const ORDINARY = 3;

/** What an edit needs to know about a workspace folder of NDJSON files. */
export class SiteSurvey {
  readonly models: string;
  readonly blocks: string;
  readonly assets: string;
  readonly entries: string;
  readonly #models = new Map<string, Model>();
  /** The layout entries of steps. */
  readonly #layouts = new Set<string>();
  /** The number of references to an entry. */
  readonly #pointers = new Map<string, number>();
  readonly #ids = new Set<string>();

  constructor(folder: string) {
    this.models = join(folder, "models.ndjson");
    this.blocks = join(folder, "blocks.ndjson");
    this.assets = join(folder, "assets.ndjson");
    this.entries = join(folder, "entries.ndjson");
    for (const line of linesOf(this.models)) {
      const { id, fields } = JSON.parse(line);
      this.#models.set(id, modelOf(fields));
    }
    for (const line of linesOf(join(folder, "projects.ndjson"))) {
      for (const [, id = ""] of line.matchAll(/"layoutContentId":"([^"]+)"/g))
        this.#layouts.add(id);
    }
    for (const line of linesOf(this.entries)) {
      this.#ids.add(idOf(line));
      for (const [, id = ""] of line.matchAll(/"contentEntryId":"([^"]+)"/g)) {
        this.#pointers.set(id, (this.#pointers.get(id) ?? 0) + 1);
      }
    }
  }

  model(id: string): Model {
    const model = this.#models.get(id);
    if (model === undefined) throw new Error(`there is no model ${id}`);
    return model;
  }

  /** A layout entry with few incoming references, after skipping this many others. */
  shown(after: number, fits: (entry: Entry) => boolean = () => true): Entry {
    let left = after;
    for (const line of linesOf(this.entries)) {
      const id = idOf(line);
      if (!this.#layouts.has(id) || this.#count(id) > ORDINARY) continue;
      const entry: Entry = JSON.parse(line);
      if (!fits(entry)) continue;
      if (left === 0) return entry;
      left -= 1;
    }
    throw new Error(`"${this.entries}" has too few entries for this edit`);
  }

  get lastShown(): string {
    return [...this.#layouts].findLast((id) => this.#ids.has(id)) ?? "";
  }

  /** Whether an entry is not a layout entry, and has a few incoming references. */
  isOrdinary(id: string): boolean {
    return this.#ids.has(id) && !this.#layouts.has(id) && this.#count(id) <= ORDINARY;
  }

  /** The entry with the most incoming references. */
  get hub(): string {
    let hub = "";
    for (const id of this.#ids) if (this.#count(id) > this.#count(hub)) hub = id;
    return hub;
  }

  #count(id: string): number {
    return this.#pointers.get(id) ?? 0;
  }
}

function modelOf(fields: readonly Field[]): Model {
  const ofType = (type: string) => fields.filter((field) => field.type === type);
  const title = ofType("text").find(({ repeatable }) => !repeatable)?.key;
  if (title === undefined) throw new Error("a model has no text");
  const links = ofType("reference").find(({ repeatable, models }) => repeatable && !models)?.key;
  const assets = ofType("asset").filter(({ repeatable }) => !repeatable);
  return { title, ...(links && { links }), assets: assets.map(({ key }) => key) };
}

/** The id of a record. Both generators write it first, so that it can be read without parsing. */
function idOf(line: string): string {
  return /^\{"id":"([^"\\]+)"/.exec(line)?.[1] ?? JSON.parse(line).id;
}

import type { Lookup, Pointer } from "../fields/serving.ts";
import { Serving } from "../fields/serving.ts";
import type { HeldFile } from "../workspace/asset.ts";
import type { Draft } from "../workspace/draft.ts";
import { byCodeUnit, type JsonObject } from "../workspace/json.ts";
import type { Problem } from "../workspace/problem.ts";
import type { Block, Entry, Model, Project, Step } from "../workspace/records.ts";
import { canonicalJson } from "./canonical-json.ts";

/** An entry as it stands in `content[]` and `references[]`, made once for all documents. */
export interface RenderedEntry {
  readonly id: string;
  readonly modelKey: string | null;
  /** Canonical JSON of `{ contentModelKey, data, id }`, as UTF-8: half the memory of a string. */
  readonly bytes: Buffer;
  readonly pointers: readonly Pointer[];
  readonly files: readonly HeldFile[];
  readonly problems: readonly Problem[];
}

/** Bounds what a rendering holds: about this many bytes of entries. */
const HELD_BYTES = 128 * 1024 * 1024;

/**
 * A draft being rendered. It says what entries look like when served and remembers them, since
 * most stand in several documents. It is valid for one state of the draft.
 */
export class Rendering implements Lookup {
  readonly draft: Draft;
  readonly models: ReadonlyMap<string, Model>;
  readonly blocks: ReadonlyMap<string, Block>;
  readonly #entries = new Map<string, RenderedEntry>();
  #heldBytes = 0;
  readonly #steps = new Map<Project, ReadonlyMap<string, Step>>();

  constructor(draft: Draft) {
    this.draft = draft;
    this.models = new Map(draft.models.map((model) => [model.id, inServedOrder(model)]));
    this.blocks = new Map(draft.blocks.map((block) => [block.id, inServedOrder(block)]));
  }

  /** The served entry with this id; undefined when the workspace has none. */
  entry(id: string): RenderedEntry | undefined {
    const held = this.#entries.get(id);
    if (held !== undefined) return held;
    const entry = this.draft.entry(id);
    return entry && this.render(entry).rendered;
  }

  /** An entry of the draft as served, and its served data as a value. */
  render(entry: Entry): { rendered: RenderedEntry; data: JsonObject } {
    const model = this.models.get(entry.modelId);
    const serving = new Serving(this, { kind: "entry", id: entry.id });
    if (model === undefined) {
      serving.report({ code: "model-missing", args: { modelId: entry.modelId } });
    }
    const data = serving.data(model?.fields ?? [], entry.data);
    const modelKey = model?.key ?? null;
    const { pointers, files, problems } = serving;
    const bytes = Buffer.from(canonicalJson({ contentModelKey: modelKey, data, id: entry.id }));
    const rendered = { id: entry.id, modelKey, bytes, pointers, files, problems };
    this.#hold(rendered);
    return { rendered, data };
  }

  /** The steps of a project by id. */
  stepsOf(project: Project): ReadonlyMap<string, Step> {
    let steps = this.#steps.get(project);
    if (steps === undefined) {
      steps = new Map(project.steps.map((step) => [step.id, step]));
      this.#steps.set(project, steps);
    }
    return steps;
  }

  /** The key of the model of an existing entry whose model exists. */
  modelKeyOf(entryId: string): string | undefined {
    const modelId = this.draft.entryModelId(entryId);
    return modelId === undefined ? undefined : this.models.get(modelId)?.key;
  }

  #hold(rendered: RenderedEntry): void {
    if (this.#heldBytes > HELD_BYTES) {
      this.#entries.clear();
      this.#heldBytes = 0;
    }
    this.#entries.set(rendered.id, rendered);
    this.#heldBytes += rendered.bytes.length;
  }
}

/** With the fields in the order in which canonical JSON has them (F2). */
function inServedOrder<M extends Model>(model: M): M {
  return { ...model, fields: [...model.fields].sort((a, b) => byCodeUnit(a.key, b.key)) };
}

import { fieldType } from "../fields/registry.ts";
import { type Lookup, Serving, type TracedPointer } from "../fields/serving.ts";
import type { HeldFile } from "../workspace/asset.ts";
import type { Draft } from "../workspace/draft.ts";
import { byCodeUnit, type JsonObject } from "../workspace/json.ts";
import type { Problem } from "../workspace/problem.ts";
import type { Block, Entry, Model, Project, Step } from "../workspace/records.ts";
import { canonicalJson } from "./canonical-json.ts";
import { EntryTable } from "./entry-table.ts";
import { type Overflow, TextHeap } from "./text-heap.ts";

/** An entry of a rendering, by the number that it has there. */
export type EntryNumber = number;

const NO_FILES: readonly HeldFile[] = [];
const NO_PROBLEMS: readonly Problem[] = [];

/**
 * A draft being rendered. It says what entries look like when served, each made once and kept as
 * text with what it points at, since most stand in several documents. It is valid for one state of
 * the draft.
 */
export class Rendering implements Lookup {
  readonly draft: Draft;
  readonly blocks: ReadonlyMap<string, Block>;
  readonly #models: ReadonlyMap<string, Model>;
  readonly #entries = new EntryTable<Model>();
  readonly #texts: TextHeap;
  readonly #files = new Map<EntryNumber, readonly HeldFile[]>();
  readonly #problems = new Map<EntryNumber, readonly Problem[]>();
  readonly #steps = new Map<Project, ReadonlyMap<string, Step>>();
  /** Models whose entries are served in canonical order as they are made. */
  readonly #ordered: ReadonlySet<Model | undefined>;
  /** Memory for one document; undefined: each has its own. */
  #shared: Buffer | undefined;
  /** Whether every entry of the draft has a number. */
  #isComplete = false;

  /**
   * @param overflow takes the texts that are too many for memory. With it, documents share their
   *   memory as well: each content is valid until the next is rendered.
   */
  constructor(draft: Draft, overflow?: Overflow) {
    this.draft = draft;
    this.#shared = overflow && Buffer.alloc(0);
    this.#texts = new TextHeap(overflow);
    this.#models = new Map(draft.models.map((model) => [model.id, inServedOrder(model)]));
    this.blocks = new Map(draft.blocks.map((block) => [block.id, inServedOrder(block)]));
    const hasOrder = ({ fields }: Model) =>
      fields.every(({ type }) => fieldType(type).isOpaque !== true);
    const models = [...this.blocks.values()].every(hasOrder) ? [...this.#models.values()] : [];
    this.#ordered = new Set([undefined, ...models.filter(hasOrder)]);
  }

  /** The entry with this id; undefined when the workspace has none. */
  find(id: string): EntryNumber | undefined {
    const known = this.#entries.find(id);
    if (known !== undefined || this.#isComplete) return known;
    const modelId = this.draft.entryModelId(id);
    return modelId === undefined ? undefined : this.#entries.add(id, this.#models.get(modelId));
  }

  idOf(entry: EntryNumber): string {
    return this.#entries.id(entry);
  }

  /** Sorted by id, by code unit (E5). */
  inOrderOfIds(entries: readonly EntryNumber[]): EntryNumber[] {
    return this.#entries.isInOrder
      ? [...entries].sort((a, b) => a - b)
      : [...entries].sort((a, b) => byCodeUnit(this.idOf(a), this.idOf(b)));
  }

  /** The key of the entry's model; undefined when there is no such model. */
  modelKeyOf(entry: EntryNumber): string | undefined {
    return this.#entries.model(entry)?.key;
  }

  /** The entries that it points at, blocks included: those that exist, as often as it does. */
  pointersOf(entry: EntryNumber): Int32Array {
    if (!this.#entries.isServed(entry)) this.#load(entry);
    return this.#entries.pointers(entry);
  }

  /** The bytes of its text: canonical JSON of `{ contentModelKey, data, id }` as UTF-8. */
  sizeOf(entry: EntryNumber): number {
    if (!this.#entries.hasText(entry)) this.#load(entry);
    return this.#entries.textSize(entry);
  }

  copyText(entry: EntryNumber, target: Buffer, at: number): void {
    const size = this.sizeOf(entry);
    this.#texts.copy(this.#entries.textPlace(entry), size, target, at);
  }

  /** Memory for a document of so many bytes. */
  allocate(size: number): Buffer {
    if (this.#shared === undefined) return Buffer.allocUnsafe(size);
    if (this.#shared.length < size) this.#shared = Buffer.allocUnsafeSlow(2 * size);
    return this.#shared.subarray(0, size);
  }

  /** The held files whose urls it shows. */
  filesOf(entry: EntryNumber): readonly HeldFile[] {
    if (!this.#entries.isServed(entry)) this.#load(entry);
    return this.#files.get(entry) ?? NO_FILES;
  }

  problemsOf(entry: EntryNumber): readonly Problem[] {
    if (!this.#entries.isServed(entry)) this.#load(entry);
    return this.#problems.get(entry) ?? NO_PROBLEMS;
  }

  /** Where in its stored data it points at what; looked up anew, since few ask. */
  tracePointers(entry: EntryNumber): readonly TracedPointer[] {
    const trace: TracedPointer[] = [];
    this.serve(this.#entryOf(entry), trace);
    return trace;
  }

  /** The model of an entry, its fields in served order. */
  modelOf({ modelId }: Entry): Model | undefined {
    return this.#models.get(modelId);
  }

  /** An entry as served, with what the walk through its data finds; nothing of it is kept. */
  serve(entry: Entry, trace?: TracedPointer[]): { data: JsonObject; serving: Serving } {
    const model = this.modelOf(entry);
    const serving = new Serving(this, { kind: "entry", id: entry.id }, [], trace);
    if (model === undefined) {
      serving.report({ code: "model-missing", args: { modelId: entry.modelId } });
    }
    return { data: serving.data(model?.fields ?? [], entry.data), serving };
  }

  /**
   * Serves every entry of the draft, in order of the ids; `visit` hears of each with its served
   * data. Texts are made unless they are not wanted.
   */
  serveAll(visit?: (entry: EntryNumber, data: JsonObject) => void, withTexts = true): void {
    // Some have a number when single ones were asked for before.
    const known = this.#entries.size > 0;
    for (const [id, modelId] of this.draft.entryModels()) {
      if (known && this.#entries.find(id) !== undefined) continue;
      this.#entries.add(id, this.#models.get(modelId));
    }
    this.#isComplete = true;
    let next = 0;
    for (const entry of this.draft.entries()) {
      const number = known ? (this.#entries.find(entry.id) as EntryNumber) : next++;
      visit?.(number, this.#keep(number, entry, withTexts));
    }
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

  #load(entry: EntryNumber): void {
    this.#keep(entry, this.#entryOf(entry), true);
  }

  #entryOf(entry: EntryNumber): Entry {
    const id = this.#entries.id(entry);
    const found = this.draft.entry(id);
    if (found === undefined) throw new TypeError(`the draft has lost the entry "${id}"`);
    return found;
  }

  #keep(number: EntryNumber, entry: Entry, withText: boolean): JsonObject {
    const model = this.#entries.model(number);
    const { data, serving } = this.serve(entry);
    this.#entries.setPointers(number, serving.pointers);
    if (serving.files.length > 0) this.#files.set(number, serving.files);
    if (serving.problems.length > 0) this.#problems.set(number, serving.problems);
    if (withText && !this.#entries.hasText(number)) {
      const served = { contentModelKey: model?.key ?? null, data, id: entry.id };
      const text = this.#ordered.has(model) ? JSON.stringify(served) : canonicalJson(served);
      const size = Buffer.byteLength(text);
      this.#entries.setText(number, this.#texts.add(text, size), size);
    }
    return data;
  }
}

/** With the fields in the order in which canonical JSON has them (F2). */
function inServedOrder<M extends Model>(model: M): M {
  return { ...model, fields: [...model.fields].sort((a, b) => byCodeUnit(a.key, b.key)) };
}

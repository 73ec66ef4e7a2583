import type { Project } from "../../src/workspace/records.ts";
import { type BareRows, type Data, type Model, readRows } from "./bare-rows.ts";

interface Served {
  readonly id: string;
  readonly text: Buffer;
  readonly pointers: readonly string[];
}

const VERSION = "0".repeat(32);
const COMMA = Buffer.from(",");

/**
 * Renders the documents of a store's draft with minimal work: reads and parses rows, resolves
 * references, and stringifies each entry once with sorted members. It validates, hashes and caches
 * nothing, and assumes that every value has the type of its field.
 */
export class BareSite {
  readonly projects: readonly Project[];
  readonly #rows: BareRows;
  readonly #served = new Map<string, Served>();

  constructor(file: string) {
    this.#rows = readRows(file);
    this.projects = this.#rows.projects;
    for (const { id, modelId, data } of this.#rows.entries) {
      this.#served.set(id, this.#serveEntry(id, modelId, data));
    }
  }

  /** The document of a project. */
  config({ id, steps, experiences }: Project): string {
    const shown = steps.map((step) => ({
      id: step.id,
      key: step.key,
      layoutContentId: this.#served.has(step.layoutContentId ?? "") ? step.layoutContentId : null,
      layoutName: step.layoutName,
      name: step.name,
    }));
    const known = new Set(steps.map((step) => step.id));
    const listed = experiences.map((experience) => {
      const stepIds = experience.stepIds.filter((stepId) => known.has(stepId));
      return { id: experience.id, key: experience.key, name: experience.name, stepIds };
    });
    const config = { experiences: listed, fields: {}, id, steps: shown, versionId: VERSION };
    return `${JSON.stringify(config)}\n`;
  }

  /** The content documents of a project's experiences; none for those without entries. */
  *contents(project: Project): Generator<{ id: string; document: Buffer }> {
    const steps = new Map(project.steps.map((step) => [step.id, step.layoutContentId ?? ""]));
    for (const { id, stepIds } of project.experiences) {
      const content = this.#entries(stepIds.map((stepId) => steps.get(stepId) ?? ""));
      if (content.length === 0) continue;
      const document = Buffer.concat([
        Buffer.from('{"content":['),
        ...separated(content),
        Buffer.from(`],"experienceId":${JSON.stringify(id)},"references":[`),
        ...separated(this.#reach(content)),
        Buffer.from(`],"versionId":"${VERSION}"}\n`),
      ]);
      yield { id, document };
    }
  }

  #serveEntry(id: string, modelId: string, stored: Data): Served {
    const model = this.#rows.models.get(modelId);
    const pointers: string[] = [];
    const data = model === undefined ? {} : this.#serve(model, stored, pointers);
    const value = { contentModelKey: model?.key ?? null, data, id };
    return { id, text: Buffer.from(JSON.stringify(value)), pointers };
  }

  #serve({ fields }: Model, stored: Data, pointers: string[]): Data {
    const data: Data = {};
    for (const { key, type, repeatable } of fields) {
      const value = stored[key] ?? (repeatable ? [] : undefined);
      if (value === undefined) continue;
      if (!repeatable) data[key] = this.#serveValue(type, value, pointers);
      else {
        const served = value.map((one: Data) => this.#serveValue(type, one, pointers));
        data[key] = served.filter((one: unknown) => one !== undefined);
      }
    }
    return data;
  }

  /** Undefined if the value's block was deleted. */
  #serveValue(type: string, value: Data, pointers: string[]): unknown {
    if (type === "reference") {
      const { contentEntryId } = value;
      pointers.push(contentEntryId);
      const contentModelKey = this.#rows.models.get(
        this.#rows.modelIds.get(contentEntryId) ?? "",
      )?.key;
      return { contentEntryId, contentModelKey };
    }
    if (type === "asset") return this.#rows.assets.get(value.assetId) ?? { id: value.assetId };
    if (type === "html-asset") {
      return { content: this.#rows.html.get(value.assetId) ?? null, id: value.assetId };
    }
    if (type !== "content-block") return value;
    const block = this.#rows.blocks.get(value.contentBlockId);
    if (block === undefined) return undefined;
    const data = this.#serve(block, value.data, pointers);
    return { contentBlockId: block.id, contentBlockKey: block.key, data };
  }

  #reach(content: readonly Served[]): Served[] {
    const listed = new Map(content.map((entry) => [entry.id, entry]));
    let level = content;
    for (let depth = 1; depth <= 5; depth += 1) {
      const ids = level.flatMap(({ pointers }) => pointers).filter((id) => !listed.has(id));
      level = this.#entries(ids);
      for (const entry of level) listed.set(entry.id, entry);
    }
    return [...listed.values()].slice(content.length).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  #entries(ids: readonly string[]): Served[] {
    return [...new Set(ids)].flatMap((id) => this.#served.get(id) ?? []);
  }
}

function separated(list: readonly Served[]): Buffer[] {
  return list.flatMap(({ text }, index) => (index === 0 ? text : [COMMA, text]));
}

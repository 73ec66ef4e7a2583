import type { Project, ProjectLocales } from "../../src/workspace/records.ts";
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
  /** By id, in each language; an entry without localized fields is served once. */
  readonly #served = new Map<string, Map<string, Served>>();
  #language: readonly string[] = [];

  constructor(file: string) {
    this.#rows = readRows(file);
    this.projects = this.#rows.projects;
    const { models, blocks } = this.#rows;
    const isLocalized = ({ fields }: Model) => fields.some(({ localized }) => localized);
    const ofBlocks = [...blocks.values()].some(isLocalized);
    const differs = (model: Model) =>
      isLocalized(model) ||
      (ofBlocks &&
        model.fields.some(({ type }) => type === "content-block" || type === "rich-text"));
    const differing = new Set([...models.values()].filter(differs).map(({ id }) => id));
    const languages = new Map(this.projects.map((project) => [keyOf(project), chainOf(project)]));
    for (const key of languages.keys()) this.#served.set(key, new Map());
    for (const { id, modelId, data } of this.#rows.entries) {
      let served: Served | undefined;
      for (const [key, language] of languages) {
        this.#language = language;
        if (served === undefined || differing.has(modelId)) {
          served = this.#serveEntry(id, modelId, data);
        }
        this.#served.get(key)?.set(id, served);
      }
    }
  }

  /** The document of a project. */
  config({ id, steps, experiences, ...project }: Project): string {
    const served = this.#servedIn(project);
    const shown = steps.map((step) => ({
      id: step.id,
      key: step.key,
      layoutContentId: served.has(step.layoutContentId ?? "") ? step.layoutContentId : null,
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
    const served = this.#servedIn(project);
    const steps = new Map(project.steps.map((step) => [step.id, step.layoutContentId ?? ""]));
    for (const { id, stepIds } of project.experiences) {
      const content = entriesIn(
        served,
        stepIds.map((stepId) => steps.get(stepId) ?? ""),
      );
      if (content.length === 0) continue;
      const document = Buffer.concat([
        Buffer.from('{"content":['),
        ...separated(content),
        Buffer.from(`],"experienceId":${JSON.stringify(id)},"references":[`),
        ...separated(reach(content, served)),
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
    for (const { key, type, repeatable, localized } of fields) {
      const own = localized ? this.#chosen(stored[key]) : stored[key];
      const value = own ?? (repeatable ? [] : undefined);
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
    if (type === "rich-text") return this.#serveTree(value, pointers);
    if (type !== "content-block") return value;
    const block = this.#rows.blocks.get(value.contentBlockId);
    if (block === undefined) return undefined;
    const data = this.#serve(block, value.data, pointers);
    return { contentBlockId: block.id, contentBlockKey: block.key, data };
  }

  #serveTree(value: Data, pointers: string[]): Data {
    if (Array.isArray(value)) return value.map((item) => this.#serveTree(item, pointers));
    if (typeof value !== "object" || value === null) return value;
    if (value.contentEntryId !== undefined) {
      return this.#serveValue("reference", value, pointers) as Data;
    }
    const members = Object.entries<Data>(value);
    return Object.fromEntries(
      members.sort().map(([key, member]) => [key, this.#serveTree(member, pointers)]),
    );
  }

  #chosen(values: Data | undefined): unknown {
    const locale = this.#language.find((one) => values?.[one] !== undefined);
    return locale === undefined ? undefined : values?.[locale];
  }

  #servedIn(project: ProjectLocales): ReadonlyMap<string, Served> {
    return this.#served.get(keyOf(project)) ?? new Map();
  }
}

function chainOf({ locale, fallbackLocales = [] }: ProjectLocales): readonly string[] {
  return locale === undefined ? [] : [locale, ...fallbackLocales];
}

function keyOf(project: ProjectLocales): string {
  return chainOf(project).join(" ");
}

function reach(content: readonly Served[], served: ReadonlyMap<string, Served>): Served[] {
  const listed = new Map(content.map((entry) => [entry.id, entry]));
  let level = content;
  for (let depth = 1; depth <= 5; depth += 1) {
    const ids = level.flatMap(({ pointers }) => pointers).filter((id) => !listed.has(id));
    level = entriesIn(served, ids);
    for (const entry of level) listed.set(entry.id, entry);
  }
  return [...listed.values()].slice(content.length).sort((a, b) => (a.id < b.id ? -1 : 1));
}

function entriesIn(served: ReadonlyMap<string, Served>, ids: readonly string[]): Served[] {
  return [...new Set(ids)].flatMap((id) => served.get(id) ?? []);
}

function separated(list: readonly Served[]): Buffer[] {
  return list.flatMap(({ text }, index) => (index === 0 ? text : [COMMA, text]));
}

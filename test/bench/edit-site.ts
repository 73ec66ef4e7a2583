// node edit-site.ts <folder> <edit>: changes one thing in a workspace folder of NDJSON files, as an
// author would between two publishes. Field names are read from models.ndjson. Each edit uses
// different entries, so that all can be applied in order.
import { changeLines, linesOf } from "./lines.ts";
import { type Entry, type Model, type Pointer, SiteSurvey } from "./site-survey.ts";

export type Edit = keyof typeof EDITS;

const EDITS = { title, link, add, remove, asset, hub, field, block };

/** Changes one title. */
function title(site: SiteSurvey): void {
  retitle(site, site.shown(0).id);
}

/** Changes the target of a reference. */
function link(site: SiteSurvey): void {
  const { id } = site.shown(1, (entry) => pointersOf(site, entry).length > 0);
  changeEntry(site, id, (entry) => {
    const [, ...others] = pointersOf(site, entry);
    setPointers(site, entry, [{ contentEntryId: site.lastShown }, ...others]);
  });
}

/** Adds an entry and a reference to it. */
function add(site: SiteSurvey): void {
  const host = site.shown(2, ({ modelId }) => site.model(modelId).links !== undefined);
  const added: Entry = { ...host, id: `added-${host.id}`, data: { ...host.data } };
  setPointers(site, added, []);
  changeLines(site.entries, function* (line) {
    if (!isOf(line, host.id)) {
      yield line;
      return;
    }
    setPointers(site, host, [...pointersOf(site, host), { contentEntryId: added.id }]);
    yield JSON.stringify(host);
    yield JSON.stringify(added);
  });
}

/** Deletes an entry that another one references. */
function remove(site: SiteSurvey): void {
  const target = (entry: Entry) =>
    pointersOf(site, entry).find(({ contentEntryId }) => site.isOrdinary(contentEntryId));
  const id = target(site.shown(3, (entry) => target(entry) !== undefined))?.contentEntryId ?? "";
  changeLines(site.entries, (line) => (isOf(line, id) ? [] : [line]));
}

/** Replaces a picture, with the same id. */
function asset(site: SiteSurvey): void {
  const urls = new Set<string>();
  for (const line of linesOf(site.assets)) {
    const { id, url } = JSON.parse(line);
    if (url !== undefined) urls.add(id);
  }
  const used = ({ modelId, data }: Entry) =>
    site
      .model(modelId)
      .assets.map((key) => (data[key] as { assetId: string } | undefined)?.assetId ?? "")
      .find((id) => urls.has(id));
  const id = used(site.shown(4, (entry) => used(entry) !== undefined)) ?? "";
  changeLines(site.assets, (line) => {
    if (!isOf(line, id)) return [line];
    const record = JSON.parse(line);
    const replaced = { url: `${record.url}?replaced`, sizeBytes: (record.sizeBytes ?? 0) + 1 };
    return [JSON.stringify({ ...record, ...replaced })];
  });
}

/** Changes the title of the entry with the most incoming references. */
function hub(site: SiteSurvey): void {
  retitle(site, site.hub);
}

/** Adds a field to a model: each of its entries is then served with an additional empty list. */
function field(site: SiteSurvey): void {
  const { modelId } = site.shown(0);
  changeLines(site.models, (line) => {
    if (!isOf(line, modelId)) return [line];
    const model = JSON.parse(line);
    model.fields.push({ key: "addedTags", name: "Added tags", type: "text", repeatable: true });
    return [JSON.stringify(model)];
  });
}

/** Deletes a block that entries still use. */
function block(site: SiteSurvey): void {
  let isFirst = true;
  changeLines(site.blocks, (line) => {
    const kept = isFirst ? [] : [line];
    isFirst = false;
    return kept;
  });
}

function retitle(site: SiteSurvey, id: string): void {
  changeEntry(site, id, ({ modelId, data }) => {
    const key = site.model(modelId).title;
    const value = data[key] as Record<string, string> | string;
    // In a workspace with languages in all of them.
    const changed = (text: string) => `${text}, changed`;
    data[key] =
      typeof value === "string"
        ? changed(value)
        : Object.fromEntries(
            Object.entries(value).map(([locale, text]) => [locale, changed(text)]),
          );
  });
}

function changeEntry(site: SiteSurvey, id: string, change: (entry: Entry) => void): void {
  changeLines(site.entries, (line) => {
    if (!isOf(line, id)) return [line];
    const entry: Entry = JSON.parse(line);
    change(entry);
    return [JSON.stringify(entry)];
  });
}

function pointersOf(site: SiteSurvey, { modelId, data }: Entry): readonly Pointer[] {
  const { links }: Model = site.model(modelId);
  return links === undefined ? [] : ((data[links] ?? []) as readonly Pointer[]);
}

function setPointers(site: SiteSurvey, entry: Entry, pointers: readonly Pointer[]): void {
  const { links } = site.model(entry.modelId);
  if (links !== undefined) entry.data[links] = pointers;
}

/** Whether a line is the record with this id, in most cases without parsing it. */
function isOf(line: string, id: string): boolean {
  return line.includes(`"${id}"`) && JSON.parse(line).id === id;
}

if (import.meta.main) {
  const [folder = "", name = ""] = process.argv.slice(2);
  if (!Object.hasOwn(EDITS, name)) throw new Error(`no edit "${name}"`);
  EDITS[name as Edit](new SiteSurvey(folder));
}

// The bare loop of `svc publish`: one process that reads a store's rows, parses them, resolves what
// they point at, stringifies each entry once with its members in order, puts the documents together
// and writes them to a new tree as plainly as Node can. It checks, hashes and keeps nothing, and knows
// no more of fields than test/bench/make-workspace.ts has.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";

interface Field {
  readonly key: string;
  readonly type: string;
  readonly repeatable?: boolean;
}
interface Model {
  readonly id: string;
  readonly key: string;
  readonly fields: readonly Field[];
}
interface Project {
  readonly id: string;
  readonly steps: readonly { readonly id: string; readonly layoutContentId: string }[];
  readonly experiences: readonly { readonly id: string; readonly stepIds: readonly string[] }[];
}
// biome-ignore lint/suspicious/noExplicitAny: stored data is whatever it is
type Data = Record<string, any>;
interface Served {
  readonly id: string;
  readonly text: Buffer;
  readonly pointers: readonly string[];
}

const [file = "", out = ""] = process.argv.slice(2);
const database = new Database(file, { readonly: true });
const models = new Map<string, Model>();
const blocks = new Map<string, Model>();
const projects: Project[] = [];
const records = database.prepare<[], [string, string]>("SELECT kind, body FROM records").raw();
for (const [kind, body] of records.iterate()) {
  const record = JSON.parse(body);
  if (kind === "projects") projects.push(record);
  else if (kind === "models" || kind === "blocks") {
    const fields = [...record.fields].sort((a, b) => (a.key < b.key ? -1 : 1));
    (kind === "models" ? models : blocks).set(record.id, { ...record, fields });
  }
}

const modelIds = new Map(
  database.prepare<[], [string, string]>("SELECT id, model_id FROM entries").raw().all(),
);
const served = new Map<string, Served>();
const rows = database.prepare<[], [string, string, string]>(
  "SELECT id, model_id, data FROM entries",
);
for (const [id, modelId, data] of rows.raw().iterate()) {
  const model = models.get(modelId) as Model;
  const pointers: string[] = [];
  const value = { contentModelKey: model.key, data: serve(model, JSON.parse(data), pointers), id };
  served.set(id, { id, text: Buffer.from(JSON.stringify(value)), pointers });
}

for (const project of projects) {
  const steps = new Map(project.steps.map((step) => [step.id, step.layoutContentId]));
  const folder = join(out, "api/v1/projects", project.id, "experiences");
  mkdirSync(folder, { recursive: true });
  for (const { id, stepIds } of project.experiences) {
    const content = entries(stepIds.map((stepId) => steps.get(stepId) as string));
    const document = Buffer.concat([
      Buffer.from('{"content":['),
      ...separated(content),
      Buffer.from(`],"experienceId":${JSON.stringify(id)},"references":[`),
      ...separated(reach(content)),
      Buffer.from('],"versionId":"00000000000000000000000000000000"}\n'),
    ]);
    mkdirSync(join(folder, id));
    const descriptor = openSync(join(folder, id, "content.json"), "w");
    writeSync(descriptor, document);
    closeSync(descriptor);
  }
}
database.close();

function serve({ fields }: Model, stored: Data, pointers: string[]): Data {
  const data: Data = {};
  for (const { key, type, repeatable } of fields) {
    const value = stored[key];
    if (value === undefined) continue;
    const one = (element: Data) => serveValue(type, element, pointers);
    data[key] = repeatable ? value.map(one) : one(value);
  }
  return data;
}

function serveValue(type: string, value: Data, pointers: string[]): Data {
  if (type === "reference") {
    const { contentEntryId } = value;
    pointers.push(contentEntryId);
    const contentModelKey = models.get(modelIds.get(contentEntryId) ?? "")?.key;
    return { contentEntryId, contentModelKey };
  }
  if (type !== "content-block") return value;
  const block = blocks.get(value.contentBlockId) as Model;
  const data = serve(block, value.data, pointers);
  return { contentBlockId: block.id, contentBlockKey: block.key, data };
}

function reach(content: readonly Served[]): Served[] {
  const listed = new Map(content.map((entry) => [entry.id, entry]));
  let level = content;
  for (let depth = 1; depth <= 5; depth += 1) {
    level = entries(level.flatMap(({ pointers }) => pointers).filter((id) => !listed.has(id)));
    for (const entry of level) listed.set(entry.id, entry);
  }
  return [...listed.values()].slice(content.length).sort((a, b) => (a.id < b.id ? -1 : 1));
}

function entries(ids: readonly string[]): Served[] {
  return [...new Set(ids)].flatMap((id) => served.get(id) ?? []);
}

function separated(list: readonly Served[]): Buffer[] {
  const comma = Buffer.from(",");
  return list.flatMap(({ text }, index) => (index === 0 ? text : [comma, text]));
}

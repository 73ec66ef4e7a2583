// The configuration of Eleventy 3 for `npm run bench`, and `node eleventy.config.js <out>`, a bare
// loop that writes the same: the documents of the store in SVC_BENCH_STORE, rendered with minimal
// work. Nothing is validated, hashed or kept, and every value is assumed to fit its field.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";

const VERSION = "0".repeat(32);

/** The documents by path, as functions that render them. */
function readSite() {
  const database = new Database(process.env.SVC_BENCH_STORE, { readonly: true });
  const rows = (sql) => database.prepare(sql).raw().all();
  const records = (kind) =>
    rows(`SELECT body FROM records WHERE kind = '${kind}'`).map(([body]) => JSON.parse(body));
  const definitions = (kind) =>
    new Map(
      records(kind).map((one) => {
        const fields = one.fields.toSorted((a, b) => (a.key < b.key ? -1 : 1));
        return [one.id, { ...one, fields }];
      }),
    );
  const [models, blocks] = [definitions("models"), definitions("blocks")];
  const files = database.prepare("SELECT bytes FROM files WHERE sha256 = ?").pluck();
  const assets = new Map(
    rows("SELECT id, body FROM assets").map(([id, body]) => {
      const { fileName, height, width, mimeType, sizeBytes, url, sha256 } = JSON.parse(body);
      const content = sha256 === undefined ? null : `${files.get(sha256)}`;
      const pixels = { height: height ?? null, id, mimeType, sizeBytes, url, width: width ?? null };
      return [id, { asset: { fileName, ...pixels }, html: { content, id } }];
    }),
  );
  const modelOf = new Map(rows("SELECT id, model_id FROM entries"));
  const served = new Map();
  for (const [id, modelId, data] of rows("SELECT id, model_id, data FROM entries")) {
    const [model, pointers] = [models.get(modelId), []];
    const value = {
      contentModelKey: model.key,
      data: serve(model, JSON.parse(data), pointers),
      id,
    };
    served.set(id, { id, text: JSON.stringify(value), pointers });
  }
  const projects = records("projects");
  database.close();

  function serve({ fields }, stored, pointers) {
    const data = {};
    for (const { key, type, repeatable } of fields) {
      if (stored[key] === undefined && !repeatable) continue;
      const values = [stored[key] ?? []].flat().map((value) => serveValue(type, value, pointers));
      data[key] = repeatable ? values.filter((value) => value !== undefined) : values[0];
    }
    return data;
  }

  function serveValue(type, value, pointers) {
    if (type === "asset") return assets.get(value.assetId)?.asset ?? { id: value.assetId };
    if (type === "html-asset") {
      return assets.get(value.assetId)?.html ?? { content: null, id: value.assetId };
    }
    if (type === "reference") {
      pointers.push(value.contentEntryId);
      return { ...value, contentModelKey: models.get(modelOf.get(value.contentEntryId))?.key };
    }
    if (type !== "content-block") return value;
    const block = blocks.get(value.contentBlockId);
    if (block === undefined) return undefined;
    const { id: contentBlockId, key: contentBlockKey } = block;
    return { contentBlockId, contentBlockKey, data: serve(block, value.data, pointers) };
  }

  const shown = (ids) => [...new Set(ids)].flatMap((id) => served.get(id) ?? []);
  const joined = (entries) => `[${entries.map(({ text }) => text).join(",")}]`;
  const content = (experienceId, layouts) => {
    const first = shown(layouts);
    const listed = new Map(first.map((entry) => [entry.id, entry]));
    for (let depth = 1, level = first; depth <= 5; depth += 1) {
      level = shown(level.flatMap(({ pointers }) => pointers).filter((id) => !listed.has(id)));
      for (const entry of level) listed.set(entry.id, entry);
    }
    const reached = [...listed.values()].slice(first.length).sort((a, b) => (a.id < b.id ? -1 : 1));
    const end = `"experienceId":"${experienceId}","references":${joined(reached)}`;
    return `{"content":${joined(first)},${end},"versionId":"${VERSION}"}\n`;
  };
  const documents = new Map();
  for (const { id, name, ...project } of projects) {
    const layouts = new Map(project.steps.map((step) => [step.id, step.layoutContentId ?? ""]));
    const folder = `api/v1/projects/${id}`;
    const config = JSON.stringify({ ...project, fields: {}, id, versionId: VERSION });
    documents.set(`${folder}/index.json`, () => `${config}\n`);
    for (const experience of project.experiences) {
      const path = `${folder}/experiences/${experience.id}/content.json`;
      const ids = experience.stepIds.map((step) => layouts.get(step) ?? "");
      documents.set(path, () => content(experience.id, ids));
    }
  }
  return documents;
}

export default function (eleventy) {
  const documents = readSite();
  eleventy.addTemplate("documents.11ty.js", {
    data: {
      addresses: [...documents.keys()],
      pagination: { data: "addresses", size: 1, alias: "address" },
      permalink: ({ address }) => address,
    },
    render: ({ address }) => documents.get(address)(),
  });
}

if (import.meta.main) {
  for (const [path, render] of readSite()) {
    const file = join(process.argv[2], path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, render());
  }
}

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// biome-ignore lint/suspicious/noExplicitAny: records have any shape
type Data = Record<string, any>;

export type Edit = "title" | "hub" | "add" | "field";

/** Changes one thing in a workspace folder of NDJSON files, as an author does between two publishes. */
export function editSite(folder: string, edit: Edit): void {
  if (edit === "field") {
    const added = { key: "addedTags", name: "Added", type: "text", repeatable: true };
    // Each of the model's entries is served with one more empty list.
    changeFirst(folder, "models", (model) => [{ ...model, fields: [...model.fields, added] }]);
  } else if (edit === "add") {
    const shown = firstShown(folder);
    const added = `added-${shown}`;
    changeEntry(folder, shown, (entry) => [entry, { ...entry, id: added }]);
    changeFirst(folder, "projects", (project) => {
      const change = (step: Data) =>
        step.layoutContentId === shown ? { ...step, layoutContentId: added } : step;
      return [{ ...project, steps: project.steps.map(change) }];
    });
  } else changeEntry(folder, edit === "hub" ? mostMeant(folder) : firstShown(folder), retitled);
}

/** The entry that most others point at. */
function mostMeant(folder: string): string {
  const counts = new Map<string, number>();
  for (const line of linesOf(folder, "entries")) {
    for (const [, id = ""] of line.matchAll(/"contentEntryId":"([^"]+)"/g)) {
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  const [[id] = [""]] = [...counts].sort(([, a], [, b]) => b - a);
  return id;
}

/** The entry with another first text, in each language that it has. */
export function retitled(entry: Data, suffix = ", changed"): [Data] {
  const isText = (value: unknown) =>
    typeof value === "string" ||
    (typeof value === "object" && typeof (value as Data)?.en === "string");
  const [key = "", value] = Object.entries(entry.data).find(([, one]) => isText(one)) ?? [];
  const changed =
    typeof value === "string"
      ? value + suffix
      : { ...(value as Data), en: (value as Data).en + suffix };
  return [{ ...entry, data: { ...entry.data, [key]: changed } }];
}

export function linesOf(folder: string, kind: string): string[] {
  const text = readFileSync(join(folder, `${kind}.ndjson`), "utf8");
  return text.split("\n").filter((line) => line !== "");
}

function firstShown(folder: string): string {
  const [first = ""] = linesOf(folder, "projects");
  return JSON.parse(first).steps.find((step: Data) => step.layoutContentId).layoutContentId;
}

function changeEntry(folder: string, id: string, change: (entry: Data) => Data[]): void {
  const start = `{"id":"${id}"`;
  const lines = linesOf(folder, "entries").flatMap((line) =>
    line.startsWith(start) ? change(JSON.parse(line)).map((one) => JSON.stringify(one)) : [line],
  );
  writeFileSync(join(folder, "entries.ndjson"), `${lines.join("\n")}\n`);
}

function changeFirst(folder: string, kind: string, change: (record: Data) => Data[]): void {
  const [first = "", ...others] = linesOf(folder, kind);
  const changed = change(JSON.parse(first)).map((record) => JSON.stringify(record));
  writeFileSync(join(folder, `${kind}.ndjson`), [...changed, ...others, ""].join("\n"));
}

import type { Diff } from "../../diff/diff.ts";
import { grouped } from "./counted.ts";
import {
  byRecord,
  configLabel,
  entryPlaces,
  listed,
  MAX_ITEMS,
  modelLabel,
  placeOf,
} from "./diff-lines.ts";
import { markdownCode, markdownTable, markdownText } from "./markdown.ts";

/** A diff as tables of GitHub Flavored Markdown: what breaks, then what changes. */
export function markdownDiff({ schema, config, entries, documents }: Diff): string[] {
  const places = entryPlaces(entries);
  return [
    // Never truncated, as `diffLines`.
    ...markdownTable(
      ["schema", "place", "change"],
      schema.map(({ verdict, at, message }) => [
        verdict === "breaking" ? "**breaking**" : verdict,
        markdownCode(placeOf(at)),
        markdownText(message),
      ]),
    ),
    ...limited(
      ["config", "changes"],
      byRecord(config).map((changes) => {
        const [first] = changes as [(typeof changes)[number]];
        const paths = changes.map(({ path, change }) => (path === "" ? change : path));
        return [markdownText(configLabel(first)), markdownText(listed(paths))];
      }),
    ),
    ...limited(
      ["entry", "model", "changes", "shown in"],
      entries.map((entry) => [
        markdownCode(entry.id),
        markdownText(modelLabel(entry)),
        markdownText(listed(entry.fields.map(({ path }) => path))),
        markdownText(places(entry)),
      ]),
    ),
    ...limited(
      ["document", "change"],
      documents.map(({ path, change }) => [markdownCode(path), change]),
    ),
  ];
}

function limited(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const left = rows.length - MAX_ITEMS;
  const table = markdownTable(head, rows.slice(0, MAX_ITEMS));
  return left > 0 ? [...table, "", `… and ${grouped(left)} more`] : table;
}

import { Transform } from "prosemirror-transform";
import { describe, expect, it } from "vitest";
import { isArchive, unpackArchive } from "../../src/import/unpack-archive.ts";
import { mappingOf } from "../../src/page/browser/rich-dialects.ts";
import type { JsonValue } from "../../src/workspace/json.ts";
import { richTextIn } from "../support/page/rich-text-in.ts";
import { NO_OPTIONS } from "../support/read-export.ts";
import { exportsOf, SYSTEMS } from "../support/real-exports.ts";
import { temporaryFolder } from "../support/test-bed.ts";

const blocksOf = (tree: JsonValue) =>
  (Array.isArray(tree) ? tree : (tree as { content: JsonValue[] }).content) as JsonValue[];

describe.each(SYSTEMS)("rich text of real exports", (system) => {
  it.each(exportsOf(system))("H57: is kept by the editor as it is: %s", async (path) => {
    const unpacked = temporaryFolder();
    if (isArchive(path)) await unpackArchive(path, unpacked);
    const { source } = system.format.read([isArchive(path) ? unpacked : path], NO_OPTIONS);
    let [texts, blocks, opaque] = [0, 0, 0];
    for (const item of source) {
      if (item.kind !== "entries") continue;
      for (const tree of richTextIn(item.record.data as JsonValue)) {
        const mapping = mappingOf(tree, { sample: null });
        if (mapping === undefined) throw new Error("of no dialect");
        const doc = mapping.read(tree);
        doc.check();
        expect(mapping.write(doc)).toBe(tree);
        let at = -1;
        doc.descendants((node, place) => {
          if (node.isBlock) blocks += 1;
          if (node.type.name === "opaque") opaque += 1;
          if (node.isTextblock) at = place + 1;
        });
        texts += 1;
        if (at < 0) continue;
        const changed = new Transform(doc).insert(at, mapping.schema.text("NEW")).doc;
        const [before, now] = [blocksOf(tree), blocksOf(mapping.write(changed))];
        expect(now.length).toBe(before.length);
        expect(now.filter((one, n) => one !== before[n]).length).toBe(1);
      }
    }
    console.log(path, JSON.stringify({ texts, blocks, opaque }));
  });
});

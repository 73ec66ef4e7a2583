import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/documents/canonical-json.ts";
import { renderDraft } from "../../src/publish/draft-source.ts";
import { renamedTargets } from "../../src/publish/renamed-targets.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import { draftOf } from "../support/documents/rendered.ts";
import { page, smallWorkspace } from "../support/workspaces/small-workspace.ts";

/** A page that names `gone`, and one that came. */
const draft = draftOf(
  smallWorkspace({
    entries: [page("home", "Home", { next: { contentEntryId: "gone" } }), page("come", "Next")],
  }),
);

/** What was published, and which documents of it were read. */
function earlier(...documents: readonly (readonly JsonObject[])[]) {
  const read: number[] = [];
  const contents = () =>
    documents.map((references, at) => ({
      isKept: at === 0,
      bytes() {
        read.push(at);
        return Buffer.from(canonicalJson({ content: [], references: [...references] }));
      },
    }));
  const renamed = () => renamedTargets(renderDraft(draft, {}), contents);
  return { renamed, read };
}

const served = (id: string, title: string) => ({ id, contentModelKey: "page", data: { title } });

describe("D6: what was published is asked for renamed entries that pointers name", () => {
  it("D6: is read once where none of these was in it, and what the version keeps not at all", () => {
    const before = earlier([served("home", "Home")], [served("other", "Next")], []);
    expect(before.renamed()).toEqual([]);
    expect(before.read).toEqual([1, 2]);
  });

  it("D6: is read again where one was, for all ids that it had", () => {
    const before = earlier([served("home", "Home")], [served("gone", "Next")]);
    expect(before.renamed()).toEqual([{ from: "gone", to: "come" }]);
    expect(before.read).toEqual([1, 0, 1]);
    expect(earlier([served("come", "Next")], [served("gone", "Next")]).renamed()).toEqual([]);
  });

  it("D6: prevents no publish by faults", () => {
    const fault = () => {
      throw new SvcError("out-differs", "a file is not there");
    };
    const rendered = renderDraft(draft, {});
    const bytes = () => Buffer.from('{"content":[{"id":"gone"');
    expect(renamedTargets(rendered, () => [{ isKept: false, bytes: fault }])).toEqual([]);
    expect(renamedTargets(rendered, () => [{ isKept: false, bytes }])).toEqual([]);
  });
});

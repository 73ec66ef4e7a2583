import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sha256, versionIdOf } from "../../src/documents/version-id.ts";
import type { SvcError } from "../../src/workspace/errors.ts";
import type { Entry } from "../../src/workspace/records.ts";
import { bytesBelow, statesBelow } from "../support/file-tree.ts";
import { draftProblems } from "../support/publish/publishing.ts";
import { storeRows } from "../support/store/store-rows.ts";
import { TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  PAGE_MODEL,
  page,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

const photo = heldAsset("photo", "photo.png", "a photo");
const WITH_PHOTO = smallWorkspace({
  entries: [page("home", "Home", { picture: { assetId: "photo" } })],
  assets: [photo.asset],
  files: new Map([photo.file]),
});

describe("R3: a published version", () => {
  it("R3: keeps its bytes when the draft, the models and the assets change", () => {
    const bed = new TestBed(WITH_PHOTO);
    const { versionId } = bed.publish();
    const bytes = bytesBelow(bed.out);
    expect(bytes[photo.path]).toBe("a photo");

    const fields = [...PAGE_MODEL.fields, { key: "summary", type: "text" }];
    bed.import(
      smallWorkspace({
        models: [{ ...PAGE_MODEL, key: "document", fields }],
        entries: [page("home", "Another home", { summary: "New" })],
      }),
    );
    rmSync(bed.out, { recursive: true });
    expect(bed.write()).toMatchObject({ versionId });
    expect(bytesBelow(bed.out)).toEqual(bytes);
  });

  it("R3: keeps the shapes that an older release of the program gave it", () => {
    const bed = new TestBed(smallWorkspace());
    const { store, out } = bed;
    const { number } = store.workspace("w");
    const path = "api/v1/projects/site/index.json";
    const bytes = Buffer.from('{"old":"shape","versionId":null}\n');
    const documents = [{ path, sha256: sha256(bytes) }];
    const versionId = versionIdOf({ [path]: sha256(bytes) });
    const file = `{"old":"shape","versionId":"${versionId}"}\n`;
    store.write(() => {
      store.versions.saveDocument(sha256(bytes), bytes);
      const version = { versionId, documents, files: [] };
      store.versions.add(number, version, new Date("2020-01-01"), null);
      store.history.makeCurrent(number, versionId, "publish", new Date("2020-01-01"));
    });
    bed.write();
    expect(readFileSync(join(out, path), "utf8")).toBe(file);
  });

  it("R3: is current again, with the earlier id and bytes, when its content is published again", () => {
    const bed = new TestBed(WITH_PHOTO);
    const first = bed.publish();
    const bytes = bytesBelow(bed.out);
    bed.import(smallWorkspace());
    const second = bed.publish();
    expect(second.versionId).not.toBe(first.versionId);

    bed.import(WITH_PHOTO);
    expect(bed.publish()).toMatchObject({ versionId: first.versionId, published: true });
    expect(bytesBelow(bed.out)).toEqual(bytes);
    expect(bed.publish()).toMatchObject({ versionId: first.versionId, published: false });
  });

  it("R3: does not exist before the first publish, so nothing can be written", () => {
    const bed = new TestBed(WITH_PHOTO);
    expect(() => bed.write()).toThrow(expect.objectContaining({ code: "not-published" }));
    expect(bytesBelow(bed.out)).toEqual({});
  });
});

describe("R4: a draft with problems", () => {
  const numberAsTitle: Entry = { id: "about", modelId: "m-page", data: { title: 5 } };
  const noTitle: Entry = { id: "home", modelId: "m-page", data: {} };
  const warned = page("news", "News", { next: { contentEntryId: "gone" } });
  const WITH_ERRORS = smallWorkspace({ entries: [numberAsTitle, noTitle, warned] });
  const WITH_WARNING = smallWorkspace({ entries: [page("home", "Home"), warned] });

  function refusal(work: () => unknown): SvcError | undefined {
    try {
      work();
    } catch (error) {
      return error as SvcError;
    }
    return undefined;
  }

  it("R4: is refused for its errors, with every problem listed and nothing changed", () => {
    const bed = new TestBed(smallWorkspace());
    const { versionId } = bed.publish();
    bed.import(WITH_ERRORS);
    const [rows, states] = [storeRows(bed.store.file), statesBelow(bed.out)];

    const error = refusal(() => bed.publish());
    expect(error).toMatchObject({ name: "SvcError", code: "draft-has-problems" });
    expect(error && draftProblems(error)).toMatchObject([
      { level: "error", code: "value-type", at: { id: "about", path: "/title" } },
      { level: "error", code: "value-missing", at: { id: "home", path: "/title" } },
      { level: "warning", code: "reference-deleted", at: { id: "news", path: "/next" } },
    ]);
    expect(error && draftProblems(error)).toEqual(bed.check());
    expect(storeRows(bed.store.file)).toEqual(rows);
    expect(statesBelow(bed.out)).toEqual(states);
    expect(bed.write()).toMatchObject({ versionId, files: { written: 0, removed: 0 } });
  });

  it("R4: makes no version and no out/ when it was never published", () => {
    const bed = new TestBed(WITH_ERRORS);
    expect(refusal(() => bed.publish())?.code).toBe("draft-has-problems");
    expect(storeRows(bed.store.file)).toMatchObject({ versions: [], documents: [] });
    expect(existsSync(bed.out)).toBe(false);
    expect(refusal(() => bed.write())?.code).toBe("not-published");
  });

  it("R4: is published with its warnings, which are reported", () => {
    const bed = new TestBed(WITH_WARNING);
    expect(bed.publish()).toMatchObject({
      published: true,
      problems: [{ level: "warning", code: "reference-deleted" }],
    });
  });

  it("R4: is refused for warnings with --strict; a draft without problems is not", () => {
    const bed = new TestBed(WITH_WARNING);
    const error = refusal(() => bed.publish({ strict: true }));
    expect(error).toMatchObject({
      code: "draft-has-problems",
      problems: { kind: "draft", list: bed.check() },
    });
    expect(storeRows(bed.store.file)).toMatchObject({ versions: [], documents: [] });

    bed.import(smallWorkspace());
    expect(bed.publish({ strict: true })).toMatchObject({ published: true, problems: [] });
  });
});

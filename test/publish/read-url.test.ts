import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NOT_FOUND_DOCUMENT, problemDocument } from "../../src/http/problem-document.ts";
import { readUrl } from "../../src/publish/read-url.ts";
import {
  HOME,
  INDEX,
  NEWS,
  publishedPagesBed,
  SCHEMA,
} from "../support/publish/published-pages-bed.ts";
import { answer, breakOff, deadUrl, hostOf, type Misbehaviour } from "../support/server/hosts.ts";
import { page, smallWorkspace } from "../support/workspaces/small-workspace.ts";

/** The version that is read, and the paths of its documents. Does not pause. */
async function readAt(url: string, ...projectIds: readonly string[]) {
  return readPausing(url, projectIds, async () => {});
}

async function readPausing(
  url: string,
  projectIds: readonly string[],
  pause: (milliseconds: number) => Promise<void>,
) {
  const ids = projectIds.length === 0 ? ["site"] : projectIds;
  const { versionId, snapshot } = await readUrl(url, ids, () => {}, pause);
  return { versionId: versionId ?? undefined, paths: [...snapshot.documents.keys()].sort() };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error) => error.code,
  );

/** Misbehaves this number of times, then serves what is given. */
function atFirst(times: number, misbehave: Misbehaviour, then: Misbehaviour): Misbehaviour {
  let done = 0;
  return (response: ServerResponse) => {
    done += 1;
    return (done <= times ? misbehave : then)(response);
  };
}

describe("D4b: reading a version from an address", () => {
  it("reads all documents of the projects; those that are not published are absent", async () => {
    const bed = publishedPagesBed();
    const { versionId } = bed.publish();
    const read = { versionId, paths: [HOME, NEWS, INDEX, SCHEMA].sort() };
    const url = await hostOf(bed);
    expect(await readAt(url)).toEqual(read);
    expect(await readAt(url, "other", "site")).toEqual(read);
    expect(await readAt(url, "other")).toEqual({ versionId: undefined, paths: [] });
  });

  it("D4c: follows a redirect of a host to itself, and refuses one to another", async () => {
    const bed = publishedPagesBed();
    const { versionId } = bed.publish();
    const elsewhere = await hostOf(bed);
    const path = "/api/v1/projects/site/experiences/home/content";
    const to = (Location: string) => answer(302, "", { Location });
    const served = answer(200, readFileSync(join(bed.out, HOME), "utf8"));
    const own = await hostOf(bed, { [HOME]: atFirst(2, to(path), served) });
    expect((await readAt(own)).versionId).toBe(versionId);
    const other = await hostOf(bed, { [HOME]: to(new URL(path, elsewhere).href) });
    await expect(readAt(other)).rejects.toThrow("redirects to another host");
    expect(await codeOf(readAt(await hostOf(bed, { [HOME]: to(path) })))).toBe("url-refused");
  });

  it.each([HOME, INDEX, SCHEMA])("reads %s again after a failure that may pass", async (path) => {
    const bed = publishedPagesBed();
    const text = JSON.stringify(bed.file(path));
    const serve = answer(
      200,
      path === SCHEMA ? `${JSON.stringify(bed.file(path), null, 2)}\n` : `${text}\n`,
    );
    for (const misbehave of [answer(503), answer(429), breakOff]) {
      const url = await hostOf(bed, { [path]: atFirst(2, misbehave, serve) });
      expect((await readAt(url)).paths.length).toBe(4);
    }
  });

  it.each<[code: string, what: string, path: string, misbehaviour: Misbehaviour]>([
    ["url-refused", "that is forbidden", HOME, answer(403)],
    ["url-unreachable", "that always fails", HOME, answer(500)],
    ["url-unreachable", "that always breaks off", SCHEMA, breakOff],
    ["url-refused", "that is not a document", HOME, answer(200, "<html>")],
    ["url-refused", "that is no config", INDEX, answer(200, `{"versionId":"${"0".repeat(32)}"}\n`)],
    ["version-incomplete", "that is missing", HOME, answer(404)],
    ["version-incomplete", "that is missing", SCHEMA, answer(404)],
  ])("refuses with %s a document %s: %s", async (code, _what, path, misbehaviour) => {
    expect(await codeOf(readAt(await hostOf(publishedPagesBed(), { [path]: misbehaviour })))).toBe(
      code,
    );
  });

  it("refuses other bytes with the right version id, by the documents' own version (R1)", async () => {
    const bed = publishedPagesBed();
    const text = JSON.stringify(bed.file(HOME)).replace("Home", "Other");
    const url = await hostOf(bed, { [HOME]: answer(200, `${text}\n`) });
    expect(await codeOf(readAt(url))).toBe("version-incomplete");
  });

  it("reads documents of several versions again, and refuses them in the end", async () => {
    const bed = publishedPagesBed();
    const old = answer(200, `${JSON.stringify(bed.file(HOME))}\n`);
    bed.import(smallWorkspace({ entries: [page("home", "New"), page("news", "News")] }));
    const { versionId } = bed.publish();
    const now = answer(200, `${JSON.stringify(bed.file(HOME))}\n`);
    const later = await hostOf(bed, { [HOME]: atFirst(2, old, now) });
    const pauses: number[] = [];
    const pause = async (milliseconds: number) => void pauses.push(milliseconds);
    expect((await readPausing(later, [], pause)).versionId).toBe(versionId);
    expect(pauses).toEqual([1200, 4800]);
    expect(await codeOf(readAt(await hostOf(bed, { [HOME]: old })))).toBe("versions-mixed");
  });

  it("has nothing published only where an API or S3 says so", async () => {
    const bed = publishedPagesBed();
    const ofS3 = (code: string) => `<?xml version="1.0"?>\n<Error><Code>${code}</Code></Error>`;
    const ofWebsite = "<html><ul>\n<li>Code: NoSuchBucket</li>";
    const at = async (status: number, text: string) =>
      readAt(await hostOf(bed, { [INDEX]: answer(status, text) }));
    const absent = [
      problemDocument("project-not-found").text,
      ...["NoSuchKey", "NoSuchBucket"].map(ofS3),
      ofWebsite,
    ];
    for (const text of absent) {
      expect(await at(404, text), text).toEqual({ versionId: undefined, paths: [] });
    }
    expect(await at(403, ofS3("AccessDenied"))).toEqual({ versionId: undefined, paths: [] });
    for (const text of [NOT_FOUND_DOCUMENT, "<html>Not Found", "", ofS3("NoSuchUpload")]) {
      expect(await codeOf(at(404, text)), text).toBe("url-refused");
    }
    for (const text of ["<html>Forbidden", ofS3("SignatureDoesNotMatch")]) {
      expect(await codeOf(at(403, text)), text).toBe("url-refused");
    }
  });

  it("an experience without content is absent from a bucket that may not be listed, and no other (E6)", async () => {
    const bed = publishedPagesBed();
    const denied = answer(403, "<Error><Code>AccessDenied</Code></Error>");
    expect(await codeOf(readAt(await hostOf(bed, { [HOME]: denied })))).toBe("version-incomplete");
    bed.import(smallWorkspace({ entries: [page("home", "Home")] }));
    const { versionId } = bed.publish();
    expect((await readAt(await hostOf(bed, { [NEWS]: denied }))).versionId).toBe(versionId);
  });

  it("refuses an address that does not answer, and one that is not of an API", async () => {
    expect(await codeOf(readAt(await deadUrl()))).toBe("url-unreachable");
    await expect(readAt("https://cdn.example.com/")).rejects.toThrow("is not a base URL");
  });
});

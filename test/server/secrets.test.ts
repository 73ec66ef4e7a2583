import { createHash } from "node:crypto";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { readFolder } from "../../src/folder/read-folder.ts";
import { pathsBelow } from "../support/file-tree.ts";
import { ServerProcess } from "../support/server/server-process.ts";
import { ENDPOINTS, type HttpClient } from "../support/server/serving.ts";
import { TestBed } from "../support/test-bed.ts";
import { everythingIn } from "../support/workspaces/canary.ts";
import {
  PAGE_MODEL,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const FOLDER_TOKEN = "token-of-workspace-json";

/** The raw responses to requests with a token in various places, well-formed or not. */
async function answersTo(server: HttpClient, token: string): Promise<string[]> {
  const query = `preview_token=${token}`;
  const targets = [
    ...ENDPOINTS.flatMap((path) => [path, `${path}?${query}`, `${path}?${query}&${query}`]),
    ...["site/experiences/none/content", "nowhere", "nowhere/schema"].map(
      (path) => `/api/v1/projects/${path}?${query}`,
    ),
    `/api/v1/projects/${token}`,
    `/assets/0123456789abcdef/${token}.png`,
    `/${token}`,
    `/%ZZ?${query}`,
    `/..%2f?${query}`,
    `http://localhost/?${query}`,
  ];
  const requests = targets.flatMap((target) =>
    ["GET", "HEAD", "POST", "OPTIONS", "BREW"].map((method) => `${method} ${target} HTTP/1.1`),
  );
  const headers = `Host: localhost\r\nConnection: close\r\nAuthorization: Bearer ${token}`;
  const texts = [
    ...requests.map((line) => `${line}\r\n${headers}\r\nIf-None-Match: "${token}"\r\n\r\n`),
    `GET ${ENDPOINTS[0]}?${query} HTTP/1.1\r\n${headers}\r\nRange: ${token}\r\n\r\n`,
    `GET ${ENDPOINTS[0]} HTTP/1.1\r\n${token}\r\n\r\n`,
    `GET /?${query}${"x".repeat(20_000)} HTTP/1.1\r\n${headers}\r\n\r\n`,
    `${token}\r\n\r\n`,
  ];
  return Promise.all(texts.map((text) => server.raw(text)));
}

/** A token, and the encodings in which it could be stored. */
function formsOf(token: string): string[] {
  const bytes = Buffer.from(token);
  return [token, bytes.toString("hex"), bytes.toString("base64").replace(/=+$/, "")];
}

describe("H3: a preview token", () => {
  it("is in no file of the store and of out/, in no output of the server, and in no answer", async () => {
    const bed = new TestBed(smallWorkspace());
    bed.publish();
    const folder = workspaceFolder({
      "workspace.json": { id: "w", name: "Workspace", previewToken: FOLDER_TOKEN },
      "models.json": [PAGE_MODEL],
      "projects.json": [projectOf("site", "home")],
      "entries.json": [page("home", "Draft")],
    });
    const files = ["--store", bed.store.file, "--out", bed.out];
    bed.store.import(readFolder(folder), new Date());
    const server = await ServerProcess.start("preview", ...files);
    const { number } = bed.store.workspace("w");
    const created = bed.store.tokens.create(number, { name: "a", createdAt: new Date() });
    const tokens = [FOLDER_TOKEN, created.token];

    const answers: string[] = [];
    for (const token of tokens) {
      const { status } = await server.client.request(`${ENDPOINTS[0]}?preview_token=${token}`);
      expect(status).toBe(200);
      answers.push(...(await answersTo(server.client, token)));
    }
    const written = everythingIn(bed.folder);
    expect(pathsBelow(bed.folder)).toEqual(
      expect.arrayContaining(["workspace.db", "workspace.db-shm", "workspace.db-wal"]),
    );
    // The server's own error messages do not contain the token either.
    const database = new Database(bed.store.file);
    database.exec("DROP TABLE tokens");
    for (const token of tokens) answers.push(...(await answersTo(server.client, token)));
    expect(answers.join()).toContain("internal-error");
    database.close();
    server.signal("SIGTERM");
    expect(await server.end()).toBe(0);
    expect(server.stderr).toContain("error: ");
    bed.store.close();

    const places = {
      answers: answers.join("\n"),
      stdout: server.stdout,
      stderr: server.stderr,
      files: written + everythingIn(bed.folder),
    };
    for (const [place, text] of Object.entries(places)) {
      expect(text.length, place).toBeGreaterThan(0);
      for (const token of tokens) {
        for (const form of formsOf(token)) expect(text.includes(form), place).toBe(false);
      }
    }
    for (const token of tokens) {
      const hash = createHash("sha256").update(token).digest("hex");
      expect(written).toContain(hash);
      expect(places.answers + everythingIn(bed.out)).not.toContain(hash);
    }
  });
});

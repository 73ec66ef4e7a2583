import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { ServerProcess } from "../support/server/server-process.ts";
import { ENDPOINTS, refusal } from "../support/server/serving.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const [, , CONTENT] = ENDPOINTS;

const files = (title: string) => ({
  "workspace.json": { id: "w", name: "Workspace", previewToken: "t0ken" },
  "models.json": [PAGE_MODEL],
  "projects.json": [projectOf("site", "home")],
  "entries.json": [page("home", title)],
});

let folder: string;
let options: string[];
beforeEach(() => {
  folder = workspaceFolder(files("At the start"));
  const place = temporaryFolder();
  options = ["--store", join(place, "w.db"), "--out", join(place, "out")];
});

/** Saves as editors do: writes another file, then renames it. */
function save(name: string, text: string): void {
  writeFileSync(join(folder, `${name}.new`), text);
  renameSync(join(folder, `${name}.new`), join(folder, name));
}

const titleOn = async (server: ServerProcess): Promise<string> => {
  const answer = await server.client.request(`${CONTENT}?preview_token=t0ken`);
  return answer.status === 200 ? JSON.parse(answer.text).content[0].data.title : refusal(answer);
};

/** Waits until the condition holds, or the test times out. */
async function until(passes: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await passes())) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe("H10: svc preview <folder>", { timeout: 30_000 }, () => {
  it("serves the folder's current content while it runs", async () => {
    const server = await ServerProcess.start("preview", folder, ...options);
    expect(await titleOn(server)).toBe("At the start");
    for (const title of ["First", "Second"]) {
      save("entries.json", JSON.stringify([page("home", title)]));
      await until(async () => (await titleOn(server)) === title);
    }
    server.signal("SIGTERM");
    expect(await server.end()).toBe(0);
  });

  it("reports faults with their positions, and serves the last good draft", async () => {
    const server = await ServerProcess.start("preview", folder, ...options);
    save("entries.json", '[\n  { "id": "home", "modelId": "m-page", "data": [] },\n  {}\n]');
    await until(() => server.stderr.includes("hint:"));
    expect(server.stderr).toMatch(/^error +entries\.json:2:\d+ /m);
    expect(server.stderr).toMatch(/^error +entries\.json:3:3 /m);
    expect(server.stderr).toMatch(/^hint: fix them; .*last good draft/m);
    expect(await titleOn(server)).toBe("At the start");
    save("entries.json", JSON.stringify([page("home", "Fixed")]));
    await until(async () => (await titleOn(server)) === "Fixed");
    server.signal("SIGTERM");
    expect(await server.end()).toBe(0);
  });

  it("starts despite faults, serves the draft in the store, if any, and reports which", async () => {
    const first = await ServerProcess.start("preview", folder, ...options);
    first.signal("SIGTERM");
    await first.end();
    save("models.json", "[");
    const made = join(temporaryFolder(), "new.db");
    for (const [file, expected, until] of [
      [made, "401 preview-token-invalid", "there is no draft to serve"],
      // The first attempt has created a store without a draft.
      [made, "401 preview-token-invalid", "there is no draft to serve"],
      [options[1], "At the start", "the last good draft is served"],
    ]) {
      const server = await ServerProcess.start("preview", folder, "--store", `${file}`);
      expect(server.stderr).toContain("models.json:1:2");
      expect(server.stderr).toContain(`hint: fix them; until then ${until}\n`);
      expect(await titleOn(server)).toBe(expected);
      server.signal("SIGTERM");
      expect(await server.end()).toBe(0);
    }
  });

  it("with --json, prints the address, then one JSON value per failure", async () => {
    const server = await ServerProcess.start("preview", folder, ...options, "--json");
    save("models.json", "[");
    const lines = () => server.stdout.split("\n").slice(0, -1);
    await until(() => lines().length > 1);
    expect(JSON.parse(lines()[0] ?? "")).toMatchObject({ listening: server.client.url });
    expect(JSON.parse(lines()[1] ?? "").error).toMatchObject({
      code: "folder-invalid",
      problems: [{ file: "models.json", line: 1, column: 2 }],
    });
    server.signal("SIGINT");
    expect(await server.end()).toBe(0);
    expect(server.stderr).toBe("");
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { RunningCommand } from "../cli/running-command.ts";
import { CliBed } from "../support/cli-bed.ts";
import { PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

function folderBed(): CliBed {
  const bed = new CliBed();
  const files = {
    "models.json": [PAGE_MODEL],
    "projects.json": [projectOf("site", "home")],
    "entries/home.json": page("home", "Home"),
  };
  workspaceFolder(files, bed.path("content"));
  return bed;
}

describe("H42a: svc dev --edit", () => {
  it("H42a: has actions that write, which there are not without it", async () => {
    for (const options of [[], ["--edit"]]) {
      const bed = folderBed();
      const dev = new RunningCommand(bed, "dev", "content", "--port", "0", ...options);
      await dev.until(({ stdout }) => stdout.includes("no problems\n"));
      const [, origin, key] = /(http:\S+)\/#key=([\w-]+)/.exec(dev.stdout) ?? [];
      const Authorization = `Bearer ${key}`;
      const act = async (name: string, body: object) => {
        const response = await fetch(`${origin}/_svc/do/${name}?workspace=w`, {
          method: "POST",
          headers: { Authorization, "Content-Type": "application/json" },
          body: JSON.stringify(body),
        });
        return { status: response.status, answer: await response.json() };
      };
      const overview = await fetch(`${origin}/_svc/data/overview`, { headers: { Authorization } });
      const { actions } = await overview.json();
      const change = { id: "home", path: "/title" };
      const { status, answer } = await act("edit-open", change);
      if (options.length === 0) {
        expect([status, actions.includes("edit")]).toEqual([404, false]);
      } else {
        expect([status, actions.includes("edit")]).toEqual([200, true]);
        const { was } = answer;
        expect(
          await act("edit", { id: "home", was, changes: [{ path: "/title", value: "" }] }),
        ).toMatchObject({
          status: 422,
          answer: { code: "edit-refused", hint: "nothing was written" },
        });
        expect(
          await act("edit", { id: "home", was, changes: [{ path: "/title", value: "Start" }] }),
        ).toMatchObject({
          status: 200,
          answer: { warnings: [], undo: "the change of “Home”" },
        });
        expect(
          await act("edit", { id: "home", was, changes: [{ path: "/title", value: "Again" }] }),
        ).toMatchObject({
          status: 409,
          answer: { code: "edit-conflict" },
        });
        expect(readFileSync(bed.path("content/entries/home.json"), "utf8")).toBe(
          JSON.stringify(page("home", "Start")),
        );
      }
      dev.signal("SIGINT");
      expect((await dev.end()).status).toBe(0);
    }
  });

  it("H42a: is refused where others may reach it, and of a store", () => {
    const bed = folderBed();
    const [error] = bed.failure(2, "dev", "content", "--edit", "--host", "0.0.0.0");
    expect(error).toContain("--edit writes files, and --host 0.0.0.0 may be reached by others");
    expect(bed.failure(2, "preview", "--edit").join()).toContain("--edit");
  });
});

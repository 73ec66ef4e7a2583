import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { RunningCommand } from "../cli/running-command.ts";
import { CliBed } from "../support/cli-bed.ts";
import { PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const gone = (id: string) => page(id, "A", { next: { contentEntryId: "gone" } });

let bed: CliBed;
/** Temporary files of the program. */
let temporary: string;
beforeEach(() => {
  bed = new CliBed();
  temporary = bed.path("tmp");
  mkdirSync(temporary);
  bed.env = { TMPDIR: temporary };
  workspaceFolder(
    {
      "workspace.json": { id: "w", name: "W", previewToken: "t0ken-0123456789abcdef" },
      "models.json": [PAGE_MODEL],
      "projects.json": [projectOf("site", "home")],
      "entries.json": [page("home", "Home"), gone("a")],
    },
    bed.path("content"),
  );
});

const save = (name: string, value: unknown) =>
  writeFileSync(bed.path("content", name), JSON.stringify(value));

/** Starts `svc dev content`; resolves when it has printed so much. */
async function start(printed: string, ...args: readonly string[]): Promise<RunningCommand> {
  const dev = new RunningCommand(bed, "dev", "content", "--port", "0", ...args);
  await dev.until(({ stdout }) => stdout.includes(printed));
  return dev;
}

/** Waits until the folder was read so often. */
const reads = (dev: RunningCommand, count: number) =>
  dev.until(({ stderr }) => stderr.split(/^read "w": /m).length > count);

async function stop(dev: RunningCommand): Promise<void> {
  dev.signal("SIGINT");
  expect((await dev.end()).status).toBe(0);
}

const linkOf = ({ stdout }: RunningCommand) => /http:\S+#key=\S+/.exec(stdout)?.[0] ?? "";

describe("H19: svc dev <folder>", () => {
  it("D6: says that an entry seems to be renamed, with the migration that changes what points at it", async () => {
    const dev = await start("1 warning\n");
    save("entries.json", [page("front", "Home"), gone("a")]);
    await dev.until(({ stderr }) => stderr.includes("renamed?"));
    expect(dev.stderr).toContain(
      'the entry "home" went and "front" came, with the same content: renamed? svc migrate content rename-entry home front',
    );
    save("entries.json", [page("front", "Home")]);
    await reads(dev, 3);
    expect(dev.stderr.split("renamed?")).toHaveLength(2);
    await stop(dev);
  });

  it("H19a: prints the link, then the problems as svc check does, and again when they change", async () => {
    const dev = await start("1 warning\n");
    const [link, project, ...problems] = dev.stdout.trimEnd().split("\n");
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#key=/);
    expect(project).toMatch(/\/projects\/site$/);
    expect(problems).toEqual(bed.ok("check", "content").stdout.trimEnd().split("\n"));
    const first = dev.stdout;

    save("entries.json", [page("home", "Another title"), gone("a")]);
    await reads(dev, 2);
    save("entries.json", [page("home", "Home"), gone("a"), gone("b")]);
    await dev.until(({ stdout }) => stdout.endsWith("2 warnings\n"));
    const second = dev.stdout.slice(first.length);
    expect(second).toBe(
      bed
        .ok("check", "content")
        .stdout.replace(/\n(?=\d+ errors, 2 warnings\n$)/, "\nthe problems have changed: "),
    );
    save("entries.json", [page("home", "Home")]);
    await dev.until(({ stdout }) => stdout.endsWith("the problems have changed: no problems\n"));
    expect(dev.stdout.slice(first.length + second.length)).toBe(
      "the problems have changed: no problems\n",
    );
    await stop(dev);
  });

  it("H19: shows drafts on the page and to holders of a token, from memory, without SQLite; a store that is named elsewhere stays as it is", async () => {
    bed.env = { ...bed.env, SVC_STORE: "kept.db" };
    const dev = await start("1 warning\n");
    const [origin = "", key] = linkOf(dev).split("/#key=");
    const headers = { Authorization: `Bearer ${key?.split("&")[0]}` };
    const data = await fetch(`${origin}/_svc/data/problems?workspace=w`, { headers });
    expect(await data.json()).toMatchObject({ problems: [{ code: "reference-deleted" }] });
    const made = await fetch(`${origin}/_svc/do/token?workspace=w`, {
      headers: { ...headers, "Content-Type": "application/json" },
      method: "POST",
      body: "{}",
    });
    const { token } = await made.json();
    const content = `${origin}/api/v1/projects/site/experiences/home/content?preview_token=`;
    const statuses = ["t0ken-0123456789abcdef", token, "other"].map(
      async (one) => (await fetch(content + one)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 401]);
    expect(readdirSync(temporary)).toEqual([]);
    if (process.platform === "linux") expect(dev.maps).not.toContain("sqlite");
    await stop(dev);
    expect(readdirSync(bed.folder).sort()).toEqual(["content", "tmp"]);
  });

  it("H19: is refused without a folder, and ends on SIGTERM and on two signals at once", async () => {
    expect(bed.failure(2, "dev", "nowhere", "--port", "0")[0]).toContain("nowhere");
    const one = await start("http://");
    one.signal("SIGTERM");
    expect((await one.end()).status).toBe(0);
    const two = await start("http://");
    two.signal("SIGINT");
    two.signal("SIGINT");
    await two.end();
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("H10a: with faults serves all else, from the start, but nothing without a workspace.json", async () => {
    save("models.json", "no list");
    save("workspace.json", []);
    const dev = new RunningCommand(bed, "dev", "content", "--port", "0");
    await dev.until(({ stdout }) => stdout.includes("http://"));
    expect(dev.stderr).toContain("until then there is no draft to show");
    const content = `${linkOf(dev).split("/#")[0]}/api/v1/projects/site/experiences/home/content?preview_token=t0ken-0123456789abcdef`;
    expect((await fetch(content)).status).toBe(401);
    save("workspace.json", { id: "w", name: "W", previewToken: "t0ken-0123456789abcdef" });
    await dev.until(({ stderr }) => stderr.includes("all else is shown"));
    expect((await fetch(content)).status).toBe(200);
    save("models.json", [PAGE_MODEL]);
    await dev.until(({ stdout }) => stdout.endsWith("1 warning\n"));
    save("entries.json", [{ id: "home" }, page("b", "B")]);
    await dev.until(({ stderr }) => /content\/entries\.json:1:2.*"modelId"/.test(stderr));
    expect(await (await fetch(content)).text()).toContain('"Home"');
    expect(bed.run("check", "content").status).toBe(1);
    await stop(dev);
  });

  it("H19: is refused with --store", () => {
    expect(bed.failure(2, "dev", "content", "--store", "kept.db")[1]).toContain("svc preview");
  });

  it("H19: svc preview of a folder is refused, and names it", () => {
    const [error, hint] = bed.failure(2, "preview", "content");
    expect(error).toContain('"content"');
    expect(hint).toBe("hint: svc dev content shows a workspace folder, and follows it");
  });

  it("H19a: writes the types of svc types, and again only when they differ", async () => {
    const dev = await start("1 warning\n", "--types", "src/content.ts");
    const types = () => readFileSync(bed.path("src", "content.ts"), "utf8");
    expect(dev.stdout).toContain("\nwrote src/content.ts\n");
    expect(types()).toBe(bed.json(0, "types", "content").types);
    const { ino } = statSync(bed.path("src", "content.ts"));

    save("entries.json", [page("home", "Another title")]);
    await dev.until(({ stdout }) => stdout.endsWith("no problems\n"));
    expect(statSync(bed.path("src", "content.ts")).ino).toBe(ino);
    save("models.json", [PAGE_MODEL, { ...PAGE_MODEL, id: "m-tour", key: "tour", name: "Tour" }]);
    await dev.until(({ stdout }) => stdout.split("wrote src/content.ts\n").length === 3);
    expect(types()).toContain("interface Tour ");
    expect(readdirSync(bed.path("src"))).toEqual(["content.ts"]);
    await stop(dev);
  });

  it("H19a: reports once that types cannot be written, and goes on", async () => {
    save("projects.json", [projectOf("site", "home"), projectOf("app", "a")]);
    const dev = await start("1 warning\n", "--types", "content.ts", "--project", "none");
    save("entries.json", [page("home", "Home"), gone("a"), gone("b")]);
    await dev.until(({ stdout }) => stdout.endsWith("2 warnings\n"));
    expect(dev.stderr.match(/^error: .*"none"\nhint: .*site.*$/gm)).toHaveLength(1);
    await stop(dev);
    const one = await start("wrote content.ts", "--types", "content.ts", "--project", "app");
    await stop(one);
    expect(readFileSync(bed.path("content.ts"), "utf8")).toBe(
      bed.json(0, "types", "content", "--project", "app").types,
    );
    expect(bed.failure(2, "dev", "content", "--project", "app")[1]).toContain("--types");
  });

  it("H19a: prints the problems again when types can be written again", async () => {
    mkdirSync(bed.path("content.ts"));
    const dev = await start("1 warning\n", "--types", "content.ts");
    const before = dev.stdout.length;
    rmdirSync(bed.path("content.ts"));
    save("entries.json", [page("home", "Another title"), gone("a")]);
    const problems = bed.ok("check", "content").stdout;
    await dev.until(({ stdout }) => stdout.slice(before) === `wrote content.ts\n${problems}`);
    await stop(dev);
  });

  it("H19, N2, N3: takes folder and severities from the config file", async () => {
    const severity = { "reference-deleted": "error" };
    const config = (value: object) =>
      writeFileSync(bed.path("svc.config.json"), JSON.stringify(value));
    config({ severity });
    expect(bed.failure(2, "dev")[1]).toContain("svc dev <folder>");
    config({ folder: "content", severity });
    const dev = new RunningCommand(bed, "dev", "--port", "0");
    await dev.until(({ stdout }) => stdout.includes("1 error, 0 warnings\n"));
    await stop(dev);
  });

  it("H19: --json prints a value on one line for each", async () => {
    const dev = await start('"problems"', "--types", "content.ts", "--json");
    save("models.json", []);
    await dev.until(({ stdout }) => stdout.split('"problems"').length === 3);
    save("models.json", "no list");
    await dev.until(({ stdout }) => stdout.includes('"error":{'));
    const lines = dev.stdout.trimEnd().split("\n");
    expect(lines.map((line) => Object.keys(JSON.parse(line)).join())).toEqual([
      "listening,page,baseUrl,projects",
      "file,written",
      "problems,counts",
      "file,written",
      "problems,counts",
      "error",
    ]);
    expect(JSON.parse(lines[2] ?? "").problems).toMatchObject([
      { code: "reference-deleted", file: "content/entries.json", line: 1 },
    ]);
    dev.signal("SIGINT");
    expect(await dev.end()).toMatchObject({ status: 0, stderr: "" });
  });

  it("H19a: says that a failure is over: the problems are printed again, as at the start", async () => {
    const json = await start('"problems"', "--json");
    const text = await start("1 warning\n");
    const [linesBefore, textBefore] = [json.stdout.trimEnd().split("\n"), text.stdout];
    renameSync(bed.path("content"), bed.path("away"));
    await json.until(({ stdout }) => stdout.includes('"error"'));
    await text.until(({ stderr }) => stderr.includes("error: "));
    renameSync(bed.path("away"), bed.path("content"));
    await json.until(({ stdout }) => stdout.split('"problems"').length === 3);
    await text.until(({ stdout }) => stdout.length > textBefore.length);
    const lines = json.stdout.trimEnd().split("\n").slice(linesBefore.length);
    expect(JSON.parse(lines[0] ?? "").error.code).toBe("folder-not-found");
    expect(lines.slice(1)).toEqual(linesBefore.slice(-1));
    const problems = bed.ok("check", "content").stdout;
    await text.until(({ stdout }) => stdout === textBefore + problems);
    await stop(text);
    json.signal("SIGINT");
    await json.end();
  });

  it("H3a: --open passes a file that leads to the link to the command of the platform, and says when it fails", async () => {
    const PATH = bed.path("bin");
    mkdirSync(PATH);
    const command = join(PATH, process.platform === "darwin" ? "open" : "xdg-open");
    const opens = (script: string) => {
      writeFileSync(command, `#!/bin/sh\n${script}\n`);
      chmodSync(command, 0o755);
      bed.env = { TMPDIR: temporary, PATH };
    };
    opens(`printf %s "$*" > "${bed.path("opened")}"`);
    const silent = await start("1 warning\n");
    await stop(silent);
    expect(readdirSync(bed.folder)).not.toContain("opened");
    const dev = await start("1 warning\n", "--open");
    await expect
      .poll(
        () =>
          readdirSync(bed.folder).includes("opened") && readFileSync(bed.path("opened"), "utf8"),
      )
      .toMatch(/\.html$/);
    const file = readFileSync(bed.path("opened"), "utf8");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toContain(`url=${linkOf(dev)}"`);
    await stop(dev);
    expect(readdirSync(temporary)).toEqual([]);
    opens("exit 3");
    const failing = await start("http://", "--open");
    await failing.until(({ stderr }) => /cannot open the browser: .*status 3/.test(stderr));
    await stop(failing);
  });
});

import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { commandTree } from "../../src/cli/main.ts";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { startCloudFront } from "../support/deploy/cloudfront-stand-in.ts";
import { startKvs } from "../support/deploy/kvs-stand-in.ts";
import { startCli } from "../support/deploy/start-cli.ts";
import { OUTPUT_SCHEMAS, type OutputSchema } from "../support/json-output.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { documentText, ROOT, sections } from "./documents.ts";
import { startS3 } from "./s3-stand-in.ts";

const BLOG = `${ROOT}/fixtures/contentful/blog.json`;
const DATASET = `${ROOT}/fixtures/sanity/blog.ndjson`;
const STORIES = `${ROOT}/fixtures/storyblok/stories.json`;
const TREE = await commandTree();

/**
 * The paths of the members in a notation such as `{ a, b?: [{ c }], d: … }`: a, b, b.c, d, d.*. A path
 * with a star has members that are not listed. What is named by an id is in angle brackets.
 */
function membersIn(notation: string): string[] {
  const above: string[] = [];
  let [path, before] = ["", ""];
  return [...notation.matchAll(/"[^"]*"|[{}:…]|<?\w+>?/g)].flatMap(([token]) => {
    const isMember = /^[<\w]/.test(token) && before !== ":";
    if (token === "{") above.push(path);
    else if (token === "}") above.pop();
    else if (isMember) path = [above.at(-1), token].filter(Boolean).join(".");
    const open = before === ":" ? path : above.at(-1);
    before = token;
    if (token === "…") return [`${open}.*`];
    return isMember ? [path] : [];
  });
}

/** The paths of the members of a value, but for those in an open member. */
function membersOf(value: unknown, open: ReadonlySet<string>, above = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => membersOf(item, open, above));
  if (typeof value !== "object" || value === null || open.has(`${above}.*`)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const name = key === "made" ? "<workspaceId>" : key;
    const path = above === "" ? name : `${above}.${name}`;
    return [path, ...membersOf(member, open, path)];
  });
}

/** The paths of the members that a schema has, but for those in an open member, and for errors. */
function membersOfSchema(schema: OutputSchema, open: ReadonlySet<string>, above = ""): string[] {
  if (open.has(`${above}.*`)) return [];
  const { $ref, anyOf = [], items, properties = {}, additionalProperties: others } = schema;
  const inner = [
    ...($ref === undefined ? [] : [OUTPUT_SCHEMAS[$ref.replace("#/$defs/", "")]]),
    ...anyOf,
    items,
  ].filter((one) => one !== undefined);
  const members = Object.entries({ ...properties, ...(others && { "<workspaceId>": others }) });
  return [
    ...inner.flatMap((one) => membersOfSchema(one, open, above)),
    ...members.flatMap(([name, member]) => {
      const path = above === "" ? name : `${above}.${name}`;
      return [path, ...membersOfSchema(member, open, path)];
    }),
  ];
}

/** The members that docs/cli.md lists, by command. */
const DOCUMENTED = new Map(
  sections(documentText("docs/cli.md")).flatMap(({ heading, body }) => {
    const text = body.slice(body.indexOf("`--json`")).replaceAll("\n", " ");
    const found = [...text.matchAll(/`(\{[^`]*\})`/g)].flatMap(([, shape = ""]) =>
      membersIn(shape),
    );
    return heading.startsWith("svc ") && found.length > 0 ? [[heading, new Set(found)]] : [];
  }),
);

/** Runs commands, and collects the members that they print. */
class JsonBed extends CliBed {
  readonly printed = new Map<string, Set<string>>();

  /** Runs a command with `--json`; returns the last line that it prints. */
  // biome-ignore lint/suspicious/noExplicitAny: tests access results without types
  async members(status: number, line: string, ...more: readonly string[]): Promise<any> {
    const args = [...line.split(" "), ...more];
    const ran = await this.runBeside(...args, "--json");
    expect(ran, line).toMatchObject({ status, stderr: "" });
    return this.add(args, ran.stdout);
  }

  /** Starts a server; returns the first line that it prints, and the process. */
  async serve(...args: readonly string[]) {
    const { process } = startCli(this, ...args, "--port", "0", "--json");
    const [line] = (await process.stdout.take(1).toArray()) as Buffer[];
    return { process, first: this.add(args, String(line)) };
  }

  /** Starts a server that prints so many lines. */
  async lines(count: number, ...args: readonly string[]): Promise<void> {
    const { process, ended } = startCli(this, ...args, "--port", "0", "--json");
    let text = "";
    for await (const part of process.stdout.setEncoding("utf8")) {
      text += part;
      if (text.split("\n").length > count) break;
    }
    process.kill("SIGTERM");
    await ended;
    for (const line of text.trimEnd().split("\n")) this.add(args, line);
  }

  add(args: readonly string[], line: string) {
    const two = `svc ${args[0]} ${args[1]}`;
    const command = TREE.has(two) ? two : `svc ${args[0]}`;
    const value = JSON.parse(line);
    const seen = this.printed.get(command) ?? new Set();
    for (const path of membersOf(value, DOCUMENTED.get(command) ?? new Set())) seen.add(path);
    this.printed.set(command, seen);
    return value;
  }

  edit(path: string, from: string | RegExp, to: string): void {
    const text = readFileSync(this.path(path), "utf8");
    expect(text).toMatch(from);
    writeFileSync(this.path(path), text.replace(from, to));
  }
}

async function useWorkspace(bed: JsonBed): Promise<void> {
  await bed.members(0, "completion bash");
  await bed.members(0, "init made");
  await bed.members(0, "migrate made rename-field page intro lead");
  await bed.members(0, "migrate made rename-field page intro lead --write");
  await bed.members(0, "migrate made rename-field page lead intro --write");
  await bed.members(0, "import made");
  cpSync(STARTER, bed.path("broken"), { recursive: true });
  bed.edit("broken/features.json", "[", "[,");
  bed.edit("broken/models/page.json", '"key": "intro"', '"key": 1');
  await bed.members(1, "import broken");
  await bed.members(0, "import --from contentful", BLOG, "--store", "strict.db");
  await bed.members(0, "import --from sanity", DATASET, "--store", "sanity.db");
  await bed.members(0, "import --from markdown", `${ROOT}/fixtures/markdown`, "--store", "m.db");
  await bed.members(0, "import --from storyblok", STORIES, "--store", "storyblok.db");
  await bed.members(0, "import --from contentful", BLOG, "--write", "blog");
  bed.edit("blog/models/post.json", '"type": "boolean"', '"type": "date", "unique": true');
  await bed.members(0, "migrate blog relax");
  await bed.members(1, "check --store strict.db");
  await bed.members(0, "stats");
  const entry = { id: "e", modelId: "m", publishAt: "2126-01-01T00:00:00Z", data: {} };
  workspaceFolder({ "entries.json": [entry] }, bed.path("due"));
  await bed.members(0, "stats due --due");
  const localized = { key: "title", type: "text", localized: true };
  const project = { id: "p", name: "P", locale: "de", steps: [], experiences: [] };
  workspaceFolder(
    {
      "models.json": [{ id: "m", key: "m", name: "M", fields: [localized] }],
      "projects.json": [project],
    },
    bed.path("localized"),
  );
  await bed.members(0, "stats localized");
  await bed.members(0, "export copy");
  bed.edit("copy/entries/home-page.json", "Welcome", "Hello");
  await bed.members(3, "export copy");
  execFileSync("git", ["init", "--quiet", bed.folder]);
  await bed.members(0, "schema folder copy --vscode .");
  await bed.members(0, "merge-driver install copy");
  for (const name of ["base", "ours", "theirs"]) {
    writeFileSync(bed.path(`${name}.json`), `{ "a": "${name}" }`);
  }
  await bed.members(
    1,
    "merge-driver run",
    ...["base", "ours", "theirs"].map((n) => bed.path(`${n}.json`)),
  );
  await bed.members(0, "publish --dry-run");
  await bed.members(0, "publish");
  bed.edit("made/features.json", '"key": "compact"', '"key": "dense"');
  bed.edit("made/models/page.json", '"key": "intro"', '"key": "summary"');
  bed.edit("made/projects/site.json", "My site", "Our site");
  bed.edit("made/projects/site.json", '"name": "Home"', '"name": "Start"');
  bed.edit("made/entries/home-page.json", "Welcome to your workspace", "Hello");
  await bed.members(0, "import made");
  await bed.members(0, "publish");
  bed.edit("made/entries/about-page.json", '"modelId": "page"', '"modelId": "author"');
  await bed.members(0, "import made");
  await bed.members(1, "check made");
  await bed.members(0, "diff f51 draft");
  await bed.members(0, "rollback f51");
  await bed.members(0, "write");
  await bed.members(0, "types");
  await bed.members(0, "types -o content.ts");
  await bed.members(0, "types -o content.ts --check");
  const { id } = await bed.members(0, "token create");
  await bed.members(0, "token list");
  await bed.members(0, "token revoke", id);
}

async function useHosts(bed: JsonBed): Promise<void> {
  const { process: server, first } = await bed.serve("serve");
  const url = `${first.listening}/api/v1`;
  await bed.members(0, "verify --url", url);
  const [objects, kvs, cloudFront] = [await startS3(), await startKvs(), await startCloudFront()];
  bed.env = { ...kvs.env, ...cloudFront.env };
  const releases = ["--endpoint", objects, "--kvs", kvs.arn];
  await bed.members(0, "deploy s3://bucket --dry-run", ...releases);
  const { workspaces } = await bed.members(0, "deploy s3://bucket --url", url, ...releases);
  const inPlace = ["--endpoint", objects, "--distribution", cloudFront.distribution];
  await bed.members(0, "deploy s3://other/place --dry-run", ...inPlace);
  await bed.members(0, "deploy s3://other/place", ...inPlace);
  const { versions } = await bed.members(0, "versions");
  await bed.members(0, "rollback", versions[0].versionId);
  await bed.members(0, "deploy s3://bucket", ...releases);
  const [{ release }] = workspaces;
  await bed.members(0, "deploy list s3://bucket", ...releases);
  await bed.members(0, "deploy pin s3://bucket", release, ...releases);
  await bed.members(0, "deploy unpin s3://bucket", release, ...releases);
  await bed.members(0, "deploy rollback --dry-run s3://bucket", release, ...releases);
  await bed.members(0, "deploy rollback s3://bucket", release, ...releases);
  await bed.members(0, "deploy prune --dry-run s3://bucket", ...releases);
  await bed.members(0, "deploy prune s3://bucket", ...releases);
  await bed.members(0, "store push s3://team/workspace.db --endpoint", objects);
  await bed.members(0, "store pull s3://team/workspace.db --endpoint", objects);
  await bed.members(0, "cdn tokens --kvs", kvs.arn);
  await bed.members(0, "cdn function");
  await bed.members(0, "cdn nginx");
  await bed.members(1, "cdn doctor --url", url);
  server.kill("SIGTERM");
}

async function useBrokenFiles(bed: JsonBed): Promise<void> {
  rmSync(bed.path("out/404.json"));
  const pending = { made: { versionId: "f5", files: [] } };
  writeFileSync(bed.path("out/.svc-writing.json"), JSON.stringify(pending));
  await bed.members(1, "verify");
  // The first import fails: its error comes before or after the addresses.
  for (const command of ["preview", "dev"]) await bed.lines(2, command, "broken");
  await bed.lines(3, "dev", "made", "--types", "dev.ts");
}

it("N5: docs/cli.md and the schemas have each member that a command prints with --json, and no other", {
  timeout: 180_000,
}, async () => {
  const bed = new JsonBed();
  await useWorkspace(bed);
  await useHosts(bed);
  await useBrokenFiles(bed);
  const listed = (members: Iterable<string>) =>
    [...new Set(members)].filter((path) => !path.endsWith("*")).sort();
  const byCommand = (all: ReadonlyMap<string, ReadonlySet<string>>) =>
    Object.fromEntries([...all].map(([command, members]) => [command, listed(members)]));
  expect(byCommand(DOCUMENTED)).toEqual(byCommand(bed.printed));
  const bySchema = [...DOCUMENTED].map(([words, open]) => {
    const schema = OUTPUT_SCHEMAS[words.replace("svc ", "").replaceAll(" ", "-")] as OutputSchema;
    return [words, listed(membersOfSchema(schema, open))];
  });
  const withoutErrors = [...DOCUMENTED].map(([words, members]) => [
    words,
    listed(members).filter((path) => !/^error\b/.test(path)),
  ]);
  expect(Object.fromEntries(bySchema)).toEqual(Object.fromEntries(withoutErrors));
  const silent = [...TREE]
    .filter(([words, { commands }]) => commands.length === 0 && !DOCUMENTED.has(words))
    .map(([words]) => words);
  expect(silent).toEqual(["svc cdn template"]);
});

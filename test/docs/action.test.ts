import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import {
  ACTION,
  CI_FILES,
  conditionOf,
  expressionsIn,
  type GitLabFile,
  pathsOf,
  type Runner,
  runSteps,
  type Step,
  type Workflow,
} from "../support/ci/workflow.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { documentText } from "./documents.ts";

const STEPS = ACTION.runs.steps;
const INPUTS = Object.keys(ACTION.inputs);

/** The steps of the jobs of each workflow in docs/ci.md. */
const WORKFLOWS = [...CI_FILES]
  .filter(([path]) => path.startsWith(".github/"))
  .map(([path, text]) => {
    const workflow = load(text) as Workflow;
    return { path, workflow, steps: Object.values(workflow.jobs).flatMap(({ steps }) => steps) };
  });

/** All expressions of a step, but those of its script. */
function expressionsOf(step: Step): string[] {
  const { run: _run, if: _if, ...others } = step;
  return [conditionOf(step) ?? [], expressionsIn(JSON.stringify(others))].flat();
}

describe("action.yml", () => {
  it("N4: has the members of a composite action, and no others", () => {
    expect(Object.keys(ACTION).toSorted()).toEqual(["description", "inputs", "name", "runs"]);
    expect(Object.keys(ACTION.runs).toSorted()).toEqual(["steps", "using"]);
    expect(ACTION.runs.using).toBe("composite");
    for (const [name, input] of Object.entries(ACTION.inputs)) {
      expect(Object.keys(input).toSorted(), name).toEqual(["default", "description"]);
      // GitHub passes strings; `true` of YAML would not be one.
      expect([typeof input.default, typeof input.description], name).toEqual(["string", "string"]);
    }
    const known = ["id", "name", "if", "shell", "working-directory", "env", "run"];
    for (const step of STEPS) {
      expect(Object.keys(step).filter((member) => !known.includes(member))).toEqual([]);
      expect(step.shell).toBe("bash");
      expect(typeof step.run).toBe("string");
    }
    expect(STEPS.map(({ name }) => name)).toEqual([
      undefined,
      "check",
      "types",
      "diff",
      "publish",
      "deploy",
      "prune",
      "preview",
      "drop",
    ]);
  });

  it("N4: inputs reach scripts by the environment only, and each is used", () => {
    const scripts = [...STEPS, ...WORKFLOWS.flatMap(({ steps }) => steps)].map((step) => step.run);
    expect(scripts.filter((script) => script?.includes("${{"))).toEqual([]);
    const read = STEPS.flatMap(expressionsOf).flatMap(pathsOf);
    const inputs = read.flatMap((path) => /^inputs\.(.*)/.exec(path)?.[1] ?? []);
    expect([...new Set(inputs)].toSorted()).toEqual(INPUTS.toSorted());
    const others = read.filter((path) => !path.startsWith("inputs."));
    expect([...new Set(others)].toSorted()).toEqual([
      "github.event.action",
      "github.event.number",
      "github.repository",
      "github.token",
      "steps.plan.outputs.jobs",
      "steps.plan.outputs.live",
    ]);
    for (const { env = {}, run = "" } of STEPS) {
      for (const name of Object.keys(env)) {
        const isUsed = new RegExp(`\\$\\{?${name}\\b`).test(run) || /^(?:SVC|GH)_/.test(name);
        expect(isUsed, name).toBe(true);
      }
    }
  });

  it("N4: runs the installed svc", () => {
    const command = /(?:npx --no-install )?\bsvc [a-z]+(?: prune$)?(?= -|\s*$)/gm;
    const commands = STEPS.flatMap(({ run = "" }) => run.match(command) ?? []);
    const words = ["check", "types", "diff", "publish", "deploy", "deploy prune"];
    words.push("deploy", "deploy", "deploy prune");
    expect(commands).toEqual(words.map((word) => `npx --no-install svc ${word}`));
  });

  it("docs/ci.md has each input with its default", () => {
    const rows = [...documentText("docs/ci.md").matchAll(/^\| `([a-z-]+)` \| (.*) \|$/gm)];
    const documented = rows.map(([, name, meaning = ""]) => [
      name,
      /\(default `([^`]+)`\)/.exec(meaning)?.[1] ?? "",
    ]);
    expect(Object.fromEntries(documented)).toEqual(
      Object.fromEntries(INPUTS.map((name) => [name, ACTION.inputs[name]?.default])),
    );
  });
});

describe("the plan of action.yml", () => {
  /** What the action decides to do; undefined: it fails. */
  async function planned(
    event: string,
    ref: string,
    inputs: Readonly<Record<string, string>>,
    action = "",
  ) {
    const runner: Runner = {
      folder: temporaryFolder(),
      env: { PATH: process.env.PATH ?? "", GITHUB_EVENT_NAME: event, GITHUB_REF: ref },
      uses: () => Promise.reject(new Error("not expected")),
      printed: "",
    };
    const defaults = Object.entries(ACTION.inputs).map(([name, input]) => [name, input.default]);
    const probe = { run: 'echo "$JOBS, $LIVE"', shell: "bash" };
    const output = (name: string) => `\${{ steps.plan.outputs.${name} }}`;
    const env = { JOBS: output("jobs"), LIVE: output("live") };
    const status = await runSteps([STEPS[0] as Step, { ...probe, env }], runner, {
      inputs: { ...Object.fromEntries(defaults), ...inputs },
      github: { event: { action } },
    });
    return { status, printed: runner.printed.trimEnd() };
  }

  const MAIN = "refs/heads/main";
  const url = "https://cdn.example.com/api/v1";
  const live = { target: "s3://bucket", kvs: "arn", url };

  it.each([
    ["push", MAIN],
    ["schedule", MAIN],
    ["workflow_dispatch", MAIN],
  ])("N4: %s of the main branch publishes, compared with the target", async (event, ref) => {
    const printed = "check diff publish deploy prune, s3://bucket";
    expect(await planned(event, ref, live)).toEqual({ status: 0, printed });
    const inPlace = "check diff publish deploy, s3://bucket";
    expect((await planned(event, ref, { ...live, kvs: "" })).printed).toBe(inPlace);
  });

  it.each([
    ["pull_request", "refs/pull/1/merge"],
    ["pull_request_target", MAIN],
    ["issue_comment", MAIN],
    ["push", "refs/heads/other"],
    ["push", "refs/tags/main"],
  ])("N4: %s of %s only checks, and compares with the address", async (event, ref) => {
    expect(await planned(event, ref, live)).toEqual({
      status: 0,
      printed: `check diff, ${url}`,
    });
  });

  it("N4, L15: only a pull request has a preview, of which nothing but the end is left when it is closed", async () => {
    const inputs = { ...live, "on-pull-request": "publish preview", "on-push": "preview" };
    const printed = async (action: string) =>
      (await planned("pull_request", "refs/pull/1/merge", inputs, action)).printed;
    expect(await printed("opened")).toBe(`publish preview, ${url}`);
    expect(await printed("closed")).toBe(`drop, ${url}`);
    const message = "::error title=svc::preview is for pull requests";
    expect(await planned("push", MAIN, inputs)).toEqual({ status: 2, printed: message });
  });

  it("N4b: types are checked where a file of them is named", async () => {
    const types = { ...live, types: "content.ts" };
    const { printed } = await planned("pull_request", "refs/pull/1/merge", types);
    expect(printed).toBe(`check types diff, ${url}`);
  });

  it("N4b: before there is an address, nothing is compared, and a warning says so", async () => {
    const { status, printed } = await planned("pull_request", "refs/pull/1/merge", {});
    expect([status, printed.split("\n").at(-1)]).toEqual([0, "check,"]);
    expect(printed).toMatch(/^::warning title=svc::nothing is compared .* the input url\n/);
  });

  it.each([
    [{ "on-pull-request": "deploy", target: "" }, "deploy needs the input target"],
    [{ "on-pull-request": "preview", kvs: "" }, "preview needs the inputs target and kvs"],
    [
      { "on-pull-request": "chekc *" },
      "on-push and on-pull-request take check, diff, publish, deploy, prune and preview, not chekc",
    ],
  ])("N4: %j is refused", async (inputs, message) => {
    const refused = { status: 2, printed: `::error title=svc::${message}` };
    expect(await planned("pull_request", "refs/pull/1/merge", { ...live, ...inputs })).toEqual(
      refused,
    );
  });

  it("N4: an input cannot add an output or a command", async () => {
    const inputs = { ...live, "on-push": "check\ndeploy\nlive=$(touch x)" };
    expect((await planned("push", MAIN, inputs)).status).toBe(2);
    expect(await planned("push", MAIN, { ...live, "on-push": "check\ndiff" })).toEqual({
      status: 0,
      printed: "check diff, s3://bucket",
    });
  });
});

describe("docs/ci.md", () => {
  it("N4: workflows give the action inputs that it has", () => {
    for (const { path, steps } of WORKFLOWS) {
      const given = steps.find(({ uses }) => uses?.startsWith("<owner>/svc@"))?.with ?? {};
      expect(
        Object.keys(given).filter((name) => !INPUTS.includes(name)),
        path,
      ).toEqual([]);
      expect(Object.keys(given).length, path).toBeGreaterThan(2);
    }
    expect([...CI_FILES.keys()]).toEqual([
      ".github/workflows/check.yml",
      ".github/workflows/publish.yml",
      ".github/workflows/preview.yml",
      ".gitlab-ci.yml",
    ]);
  });

  it("N4a: recipes run no code that can change without a change here, and leave no token", () => {
    const steps = WORKFLOWS.flatMap((one) => one.steps);
    const uses = steps.flatMap((step) => step.uses ?? []);
    expect(uses.filter((one) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(one))).toEqual(
      WORKFLOWS.map(() => "<owner>/svc@<commit>"),
    );
    for (const { uses = "", with: given } of steps) {
      if (uses.startsWith("actions/checkout@"))
        expect(given).toEqual({ "persist-credentials": false });
    }
    const scripts = [...CI_FILES.values()].flatMap(
      (text) => text.match(/npm (?:ci|install).*/g) ?? [],
    );
    expect(scripts.filter((script) => !script.includes("--ignore-scripts"))).toEqual([]);
    expect(scripts).toHaveLength(4);
  });

  it("N4: a pull request has no credentials, and deploys wait for each other", () => {
    const [check, publish, preview] = WORKFLOWS;
    expect(check?.workflow).toMatchObject({
      on: { pull_request: { types: expect.arrayContaining(["opened", "synchronize", "edited"]) } },
      permissions: { contents: "read" },
    });
    expect(Object.keys(check?.workflow.permissions ?? {})).toEqual(["contents"]);
    expect(JSON.stringify(check?.steps)).not.toMatch(/aws-actions|secrets\.|vars\./);
    // L15: a fork has no credentials, and a preview those of a stack of its own.
    const [job] = Object.values(preview?.workflow.jobs ?? {});
    expect(job).toMatchObject({
      if: "github.event.pull_request.head.repo.full_name == github.repository",
    });
    const variables = JSON.stringify(preview?.steps).match(/vars\.\w+/g) ?? [];
    expect(variables.filter((one) => !one.startsWith("vars.PREVIEW_"))).toEqual([]);
    // Started by hand it takes what the message of a dropped run had (N4b).
    expect(publish?.workflow.on).toMatchObject({
      push: { branches: ["main"] },
      workflow_dispatch: { inputs: { "allow-breaking": { type: "boolean", default: false } } },
    });
    // Without an expression: the group is the same for every run.
    expect(publish?.workflow.concurrency).toEqual({
      group: "publish",
      "cancel-in-progress": false,
    });
    const gitLab = load(CI_FILES.get(".gitlab-ci.yml") ?? "") as GitLabFile;
    expect(gitLab.publish.resource_group).toBe("production");
    expect(gitLab.check.id_tokens).toBeUndefined();
  });
});

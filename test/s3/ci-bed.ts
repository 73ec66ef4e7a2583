import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { load } from "js-yaml";
import { printRequestFunction } from "../../src/deploy/edge/functions.ts";
import { NOT_FOUND_DOCUMENT } from "../../src/http/problem-document.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import {
  ACTION,
  CI_FILES,
  type GitLabFile,
  type Runner,
  runScript,
  runSteps,
  type Workflow,
} from "../support/ci/workflow.ts";
import { STARTER } from "../support/cli-bed.ts";
import { type KvsStandIn, startKvs } from "../support/deploy/kvs-stand-in.ts";
import { pathsBelow } from "../support/file-tree.ts";
import { HostedProgram } from "../support/hosted-program.ts";
import { PROGRAM } from "../support/program.ts";
import { runInNode } from "../support/requests/edge-engines.ts";
import { listening } from "../support/server/listening.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { TestBucket } from "./s3-test-bucket.ts";

/** The host that docs/ci.md names. */
const HOST = "https://cdn.example.com";
const PREVIEW_HOST = "https://preview.example.com";
const CREDENTIALS = /^AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY)$/;

/**
 * In place of npm, whose starts are half of the time of a run, and of svc's: `hasNpm` is for one run of
 * each recipe. What `npm ci` has installed runs in the program that stays, asked for over HTTP.
 */
const QUICK_NPM = {
  npm: '[ "$1" = ci ]; mkdir -p node_modules/.bin; touch node_modules/.bin/svc',
  npx: `[ "$1 $2" = "--no-install svc" ]; [ -e node_modules/.bin/svc ]; shift 2
folder=$(mktemp -d -p "$HOME"); env -0 > "$folder/env"; printf '%s\\0' "$PWD" "$@" > "$folder/args"
status=$(curl -sS --data "$folder" "$SVC_HOSTED")
cat "$folder/stdout"; cat "$folder/stderr" >&2; exit "$status"`,
  // GitHub's own program, which writes the comment of a pull request.
  gh: `printf '%s ' "$@" > "$HOME/comment"; cat >> "$HOME/comment"`,
};

/** Runs the commands that the `npx` above asks for; returns the address. */
async function startHosted(): Promise<string> {
  const server = createServer(async (request, response) => {
    const file = (name: string) => join(folder, name);
    const folder = Buffer.concat(await request.toArray()).toString();
    const words = (name: string) => readFileSync(file(name), "utf8").split("\0").slice(0, -1);
    const [below = "", ...args] = words("args");
    const env = Object.fromEntries(words("env").map((one) => one.split(/=(.*)/s, 2)));
    const { status, ...said } = await HostedProgram.get().runBeside({ args, folder: below, env });
    for (const [name, text] of Object.entries(said)) writeFileSync(file(name), text);
    response.end(`${status}`);
  });
  return listening(server);
}

/** A run of CI: its exit status, what it printed, and what it wrote as summary. */
export interface CiRun {
  readonly status: number;
  readonly printed: string;
  readonly summary: string;
  /** The environment in which it ended. */
  readonly env: Readonly<Record<string, string>>;
}

interface GitHubEvent {
  readonly name: "push" | "pull_request" | "workflow_dispatch";
  readonly branch: string;
  /** The title of the pull request or the message of the commit. */
  readonly title: string;
  /** Of a run that is started by hand. */
  readonly inputs?: object;
  /** Of a pull request: what happened to it. */
  readonly action?: string;
}

/** A bare repository with a workspace folder, a clone of it, and where it is deployed to. */
export class CiBed {
  readonly bucket: TestBucket;
  readonly kvs: KvsStandIn;
  /** The ARN of its KeyValueStore; empty: deploys are in place. */
  readonly #arn: string;
  /** In front of the bucket. */
  readonly url: string;
  readonly #home = temporaryFolder();
  readonly #origin = join(temporaryFolder(), "origin.git");
  readonly #clone = join(temporaryFolder(), "clone");
  readonly #quickNpm = temporaryFolder();
  /** Whether runs have npm itself. */
  hasNpm = false;

  readonly #hosted: string;

  private constructor(
    bucket: TestBucket,
    kvs: KvsStandIn,
    arn: string,
    url: string,
    hosted: string,
  ) {
    this.bucket = bucket;
    this.kvs = kvs;
    this.#arn = arn;
    this.url = url;
    this.#hosted = hosted;
    this.#git(".", "init", "--quiet", "--bare", "--initial-branch=main", this.#origin);
    this.#git(".", "clone", "--quiet", this.#origin, this.#clone);
    cpSync(STARTER, join(this.#clone, "content"), { recursive: true });
    for (const [name, script] of Object.entries(QUICK_NPM)) {
      writeFileSync(join(this.#quickNpm, name), `#!/bin/sh\nset -e\n${script}\n`, { mode: 0o755 });
    }
    this.#installSvc();
    this.commit("first");
  }

  /** With releases, and a host in front of the bucket. */
  static async make(): Promise<CiBed> {
    const [bucket, kvs] = [await TestBucket.make(), await startKvs()];
    return new CiBed(bucket, kvs, kvs.arn, await startHost(bucket, kvs), await startHosted());
  }

  /** With deploys in place to a bucket that is read itself, and that there is not yet. */
  static async makeBare(): Promise<CiBed> {
    const bucket = new TestBucket();
    const url = `${bucket.endpoint}/${bucket.name}`;
    return new CiBed(bucket, await startKvs(), "", url, await startHosted());
  }

  /** Writes a file of the workspace folder. */
  write(path: string, value: JsonObject): void {
    writeFileSync(join(this.#clone, "content", path), JSON.stringify(value));
  }

  /** Replaces a text in the files of the workspace folder. */
  edit(text: string, by: string): void {
    for (const path of pathsBelow(join(this.#clone, "content"))) {
      const file = join(this.#clone, "content", path);
      const before = readFileSync(file, "latin1");
      writeFileSync(file, before.replaceAll(text, by), "latin1");
    }
  }

  /** Commits what has changed, and pushes it as a branch. */
  commit(message: string, branch = "main"): void {
    this.#git(this.#clone, "checkout", "--quiet", "-B", branch);
    this.#git(this.#clone, "add", "--all");
    this.#git(this.#clone, "commit", "--quiet", "--allow-empty", `--message=${message}`);
    this.#git(this.#clone, "push", "--quiet", "--force", "origin", branch);
  }

  /** Runs the job of a workflow of docs/ci.md; `given` are further inputs of the action. */
  async gitHub(path: string, event: GitHubEvent, given: object = {}): Promise<CiRun> {
    const { name, branch, title, inputs, action = "synchronize" } = event;
    const workflow = load(this.#ciFile(path)) as Workflow;
    const [job] = Object.values(workflow.jobs);
    const summary = this.#emptyFile("summary");
    const folder = join(temporaryFolder(), "work");
    const payload = { pull_request: { title }, number: 1, action, head_commit: { message: title } };
    const ref = name === "pull_request" ? "refs/pull/1/merge" : `refs/heads/${branch}`;
    const github = { event: { [name]: {}, ...payload }, ref, repository: "o/r", token: "t" };
    const env = {
      ...this.#env(),
      RUNNER_TEMP: temporaryFolder(),
      GITHUB_EVENT_NAME: name,
      GITHUB_REF: ref,
      GITHUB_WORKSPACE: folder,
      GITHUB_STEP_SUMMARY: summary,
    };
    mkdirSync(folder);
    const runner: Runner = {
      folder,
      env,
      printed: "",
      uses: async (action, inputs) => {
        switch (action.split("@")[0]) {
          case "actions/checkout":
            this.#git(".", "clone", "--quiet", `--branch=${branch}`, this.#origin, folder);
            return 0;
          case "actions/setup-node":
            return 0;
          case "aws-actions/configure-aws-credentials":
            if (workflow.permissions["id-token"] !== "write") return 1;
            Object.assign(runner.env, this.#credentials());
            return 0;
          case "<owner>/svc": {
            const defaults = Object.entries(ACTION.inputs).map(([key, one]) => [key, one.default]);
            // The recipes are for AWS's own.
            const { endpoint } = this.bucket;
            const all = { ...Object.fromEntries(defaults), endpoint, ...inputs, ...given };
            return runSteps(ACTION.runs.steps, runner, { inputs: all, github });
          }
          default:
            throw new Error(`the bed has no action ${action}`);
        }
      },
    };
    const { target: TARGET } = this.bucket;
    const status = await runSteps(job?.steps ?? [], runner, {
      github,
      inputs: inputs ?? {},
      vars: { TARGET, KVS: this.#arn, PREVIEW_TARGET: TARGET, PREVIEW_KVS: this.#arn },
    });
    return { status, printed: runner.printed, summary: readFileSync(summary, "utf8"), env };
  }

  /** Runs a job of the .gitlab-ci.yml of docs/ci.md; the summary is its artifact. */
  async gitLab(
    name: "check" | "publish",
    branch: string,
    title: string,
    byHand: Readonly<Record<string, string>> = {},
  ): Promise<CiRun> {
    const file = load(this.#ciFile(".gitlab-ci.yml")) as GitLabFile;
    const job = file[name];
    const folder = join(temporaryFolder(), "work");
    this.#git(".", "clone", "--quiet", `--branch=${branch}`, this.#origin, folder);
    const protectedVariables =
      branch === "main"
        ? {
            ...this.#credentials(),
            SVC_DEPLOY_TARGET: this.bucket.target,
            SVC_DEPLOY_KVS: this.#arn,
            AWS_TOKEN: "jwt",
          }
        : {};
    const own: Record<string, string> = { ...file.variables, ...job.variables };
    const withFolder = Object.entries(own).map(([key, value]) => [
      key,
      value.replace("$CI_PROJECT_DIR", folder),
    ]);
    const env = {
      ...this.#env(),
      ...protectedVariables,
      CI_COMMIT_MESSAGE: title,
      CI_MERGE_REQUEST_TITLE: title,
      ...Object.fromEntries(withFolder),
      ...byHand,
    };
    const runner: Runner = {
      folder,
      env,
      printed: "",
      uses: () => Promise.reject(new Error("GitLab has no actions")),
    };
    const lines: string[] = [...file.before_script, ...job.script];
    const status = await runScript(lines.join("\n"), runner, {});
    const [artifact = ""] = job.artifacts?.paths ?? [];
    const path = join(folder, artifact);
    const summary = artifact !== "" && existsSync(path) ? readFileSync(path, "utf8") : "";
    return { status, printed: runner.printed, summary, env };
  }

  /** What the last comment of a pull request says, behind the arguments of gh. */
  get comment(): string {
    return readFileSync(join(this.#home, "comment"), "utf8");
  }

  /** The text of a live document. */
  async live(path: string): Promise<string> {
    return (await fetch(`${this.url}${path}`)).text();
  }

  #ciFile(path: string): string {
    const text = CI_FILES.get(path);
    if (text === undefined) throw new Error(`docs/ci.md has no ${path}`);
    return text.replaceAll(HOST, this.url).replaceAll(PREVIEW_HOST, this.url);
  }

  /** As installed by npm: the package is a folder whose command is the built program. */
  #installSvc(): void {
    const dependency = "file:tools/svc";
    const svc = { name: "@svc-publish/svc", version: "0.1.0", bin: { svc: "svc.sh" } };
    const devDependencies = { [svc.name]: dependency };
    const packages = {
      "": { name: "site", devDependencies },
      [`node_modules/${svc.name}`]: { resolved: "tools/svc", link: true },
      "tools/svc": { ...svc, dev: true },
    };
    mkdirSync(join(this.#clone, "tools/svc"), { recursive: true });
    const write = (path: string, value: unknown) =>
      writeFileSync(join(this.#clone, path), `${JSON.stringify(value)}\n`);
    write("package.json", { name: "site", private: true, devDependencies });
    write("package-lock.json", { name: "site", lockfileVersion: 3, requires: true, packages });
    write("tools/svc/package.json", svc);
    const script = `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`;
    writeFileSync(join(this.#clone, "tools/svc/svc.sh"), script, { mode: 0o755 });
    writeFileSync(join(this.#clone, ".gitignore"), "node_modules\nout\n.npm\n");
  }

  /** Where the services are, without credentials for them. */
  #env(): Record<string, string> {
    const { SVC_DEPLOY_TARGET: _, ...bucket } = this.bucket.env;
    const env = Object.entries({ ...bucket, ...this.kvs.env });
    const first = [...(this.hasNpm ? [] : [this.#quickNpm]), dirname(process.execPath)];
    return {
      ...Object.fromEntries(env.filter(([name]) => !CREDENTIALS.test(name))),
      PATH: [...first, process.env.PATH].join(":"),
      HOME: this.#home,
      SVC_HOSTED: this.#hosted,
      npm_config_offline: "true",
      npm_config_update_notifier: "false",
    };
  }

  #credentials(): Record<string, string> {
    const env = Object.entries({ ...this.bucket.env, ...this.kvs.env });
    return Object.fromEntries(env.filter(([name]) => CREDENTIALS.test(name)));
  }

  #emptyFile(name: string): string {
    const file = join(temporaryFolder(), name);
    writeFileSync(file, "");
    return file;
  }

  #git(folder: string, ...args: readonly string[]): void {
    const who = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    const { PATH = "" } = process.env;
    const env = { PATH, HOME: this.#home, GIT_CONFIG_NOSYSTEM: "1" };
    execFileSync("git", [...who, ...args], { cwd: folder, env, stdio: "pipe" });
  }
}

/** The bucket behind the edge function; returns the address. */
async function startHost(bucket: TestBucket, kvs: KvsStandIn): Promise<string> {
  const edge = printRequestFunction({ kvs: true });
  const server = createServer(async ({ method = "", url = "" }, response) => {
    const [uri = "", query] = url.split("?");
    const given = [...new URLSearchParams(query)].map(([name, value]) => [name, { value }]);
    const request = { method, uri, querystring: Object.fromEntries(given), headers: {} };
    const event = { request, keys: Object.fromEntries(kvs.values) };
    const {
      uri: path = "",
      statusCode,
      body,
    } = (await runInNode(edge, [event]))[0]?.returned ?? {};
    const key = path.slice(1);
    const isThere = statusCode === undefined && (await bucket.has(key));
    const problem = body?.data ?? NOT_FOUND_DOCUMENT;
    const type = isThere ? "application/json" : "application/problem+json";
    response.writeHead(isThere ? 200 : (statusCode ?? 404), { "Content-Type": type });
    response.end(Buffer.from(isThere ? (await bucket.object(key)).text : problem, "latin1"));
  });
  return listening(server);
}

import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { codeBlocks, documentText, ROOT } from "../../docs/documents.ts";
import { temporaryFolder } from "../test-bed.ts";

/** A step of a workflow's job or of a composite action. */
export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly "working-directory"?: string;
}

export interface Action {
  readonly name: string;
  readonly description: string;
  readonly inputs: Readonly<
    Record<string, { readonly description: string; readonly default: string }>
  >;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

export interface Workflow {
  readonly on: object;
  readonly permissions: Readonly<Record<string, string>>;
  readonly concurrency: object;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

/** Of GitLab. */
interface GitLabJob {
  readonly script: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly artifacts?: { readonly paths: readonly string[] };
  readonly resource_group?: string;
  readonly id_tokens?: object;
}

export interface GitLabFile {
  readonly variables: Readonly<Record<string, string>>;
  readonly before_script: readonly string[];
  readonly check: GitLabJob;
  readonly publish: GitLabJob;
}

/** The action of this repository. */
export const ACTION = load(readFileSync(join(ROOT, "action.yml"), "utf8")) as Action;

/** The configuration files that docs/ci.md shows, by the path in their first line. */
export const CI_FILES: ReadonlyMap<string, string> = new Map(
  codeBlocks(documentText("docs/ci.md"))
    .filter(({ language }) => language === "yaml")
    .map(({ code }) => [/^# (\S+)\n/.exec(code)?.[1] ?? "", code]),
);

/** What expressions can read: `inputs`, `github`, `steps`, `vars`. */
export type Contexts = Readonly<Record<string, object>>;

const PATH = /^[a-z_]+(?:\.[\w-]+)+$/i;
const CONTAINS = /^contains\(([\w.-]+), '([^']+)'\)$/;
/** Of a step that runs after one that failed, too. */
const EVEN_AFTER_FAILURE = "!cancelled() && ";

/** The paths that an expression of a workflow reads. */
export function pathsOf(expression: string): string[] {
  return expression
    .replace(EVEN_AFTER_FAILURE, "")
    .split(" || ")
    .map((one) => {
      const path = CONTAINS.exec(one)?.[1] ?? one;
      if (!PATH.test(path)) throw new Error(`not a path or contains(): ${one}`);
      return path;
    });
}

/** As GitHub evaluates it: what is missing is empty, letter case is ignored; the first that is not false. */
function evaluate(expression: string, contexts: Contexts): string {
  const values = expression.split(" || ").map((one) => {
    const [path = ""] = pathsOf(one);
    let value: unknown = contexts;
    for (const name of path.split(".")) value = (value as Record<string, unknown>)?.[name];
    const text = String(value ?? "");
    const [, , part] = CONTAINS.exec(one) ?? [];
    return part === undefined ? text : String(text.toLowerCase().includes(part.toLowerCase()));
  });
  return values.find((value) => value !== "" && value !== "false") ?? values.at(-1) ?? "";
}

const EXPRESSION = /\$\{\{ (.*?) \}\}/g;

export function expressionsIn(text: string): string[] {
  return [...text.matchAll(EXPRESSION)].map(([, expression = ""]) => expression);
}

function expanded<T>(values: Readonly<Record<string, T>>, contexts: Contexts) {
  const one = (value: T) =>
    String(value).replace(EXPRESSION, (_all, expression) => evaluate(expression, contexts));
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, one(value)]));
}

/** Where steps run. */
export interface Runner {
  readonly folder: string;
  readonly env: Record<string, string>;
  /** Runs an action; returns its exit status. */
  uses(name: string, inputs: Readonly<Record<string, string>>): Promise<number>;
  /** What the steps have printed. */
  printed: string;
}

/** The condition of a step, without its braces. */
export function conditionOf({ if: condition }: Step): string | undefined {
  return condition?.replace(EXPRESSION, "$1");
}

/**
 * Runs steps as GitHub's runner does: after one that fails only those that say so. Returns the exit status of
 * the first that failed.
 */
export async function runSteps(
  steps: readonly Step[],
  runner: Runner,
  contexts: Contexts,
): Promise<number> {
  const outputs: Record<string, object> = {};
  let failed = 0;
  for (const step of steps) {
    const all = { ...contexts, steps: outputs };
    const condition = conditionOf(step);
    if (failed !== 0 && !condition?.startsWith(EVEN_AFTER_FAILURE)) continue;
    const isWanted = condition?.replace(EVEN_AFTER_FAILURE, "");
    if (isWanted !== undefined && evaluate(isWanted, all) !== "true") continue;
    if (step.uses !== undefined) {
      failed ||= await runner.uses(step.uses, expanded(step.with ?? {}, all));
      continue;
    }
    const file = join(temporaryFolder(), "output");
    writeFileSync(file, "");
    const env = { ...expanded(step.env ?? {}, all), GITHUB_OUTPUT: file };
    const below = expanded({ below: step["working-directory"] ?? "." }, all).below ?? ".";
    const status = await runScript(step.run ?? "", runner, env, below);
    failed ||= status;
    if (status !== 0) continue;
    const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
    const values = lines.map((line) => line.split(/=(.*)/s, 2));
    outputs[step.id ?? ""] = { outputs: Object.fromEntries(values) };
  }
  return failed;
}

/** Runs a script in bash, as the runners of GitHub and GitLab do; returns its exit status. */
export async function runScript(
  script: string,
  runner: Runner,
  env: Readonly<Record<string, string>>,
  below = ".",
): Promise<number> {
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
    cwd: join(runner.folder, below),
    env: { ...runner.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      runner.printed += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve(status ?? 1));
  });
}

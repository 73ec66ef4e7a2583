import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import { hasWorkspaceFile } from "../../folder/find-workspace.ts";
import { didYouMean } from "../../workspace/did-you-mean.ts";
import { SvcError } from "../../workspace/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import { PROBLEM_LEVELS } from "../../workspace/problem.ts";
import { severitiesOf } from "../../workspace/severity.ts";
import { CONFIG, type CommandRow, type Row, SHARED } from "../table/options.ts";
import { type CommandName, TABLE, takenBy } from "../table/table.ts";

/** Read in the working directory when --config names no other file. */
const CONFIG_FILE = "svc.config.json";

/** In bytes. */
const MAX_SIZE = 1_000_000;

const MEMBERS = ["$schema", ...Object.keys(CONFIG), "strict", "severity"];

/** What the command line, the environment and built-in defaults give a command, by the names in TypeScript. */
type Values = Readonly<Record<string, unknown>>;

/**
 * N2, N2a: those, with the values of the config file for options and optional arguments that neither the command
 * line nor the environment has.
 *
 * @throws SvcError `config-invalid`, or `config-not-found` for a file that --config names.
 */
export function configured(
  words: CommandName,
  given: Values,
  isGiven: (name: string) => boolean,
): Values {
  const { isStrict }: CommandRow = TABLE[words];
  const { config: named } = given as { config?: string };
  const file = named ?? nearestConfig(words, given);
  const config = readConfig(file, named !== undefined);
  if (config === undefined) return given;
  const values: Record<string, unknown> = { ...given, severity: config.severity };
  if (isStrict && !isGiven("strict")) values.strict = config.strict;
  for (const [flags, row] of [...Object.entries<Row>(SHARED), ...takenBy(words)]) {
    const [, name = ""] = /^(?:.*--|\[)([a-z]+)(?:\]| <)/.exec(flags) ?? [];
    const [member, value] = [CONFIG[name], config[name]];
    if (member === undefined || value === undefined || isGiven(name)) continue;
    const isText = typeof value === "string";
    // What reads a member by project takes such an object too.
    if (!isText && !member.isByProject) continue;
    const text = isText && member.isPath ? pathFrom(file, value) : value;
    values[name] = parsed(row, text as string, name, file);
    if (name === "store") values.storeFrom = "config";
  }
  // N2b: a folder is one workspace.
  if (!isGiven("workspace") && namesFolder(words, values)) delete values.workspace;
  return values;
}

/** N2: of the workspace folder that a command reads, else of the working directory. */
function nearestConfig(words: CommandName, given: Values): string {
  const { folders = [] }: CommandRow = TABLE[words];
  const isWorkspace = (folder: unknown) => typeof folder === "string" && hasWorkspaceFile(folder);
  const folder = [...folders.flatMap((name) => given[name]), "."].find(isWorkspace) as
    | string
    | undefined;
  const files = [...(folder === undefined ? [] : foldersAround(folder)), "."].map((one) =>
    join(one, CONFIG_FILE),
  );
  return files.find((file) => existsSync(file)) ?? CONFIG_FILE;
}

/** N2c: a folder, and those around it in its repository: who else could write there is not known. */
function foldersAround(folder: string): string[] {
  const around = [folder];
  for (let at = folder; !existsSync(join(at, ".git")); around.push(at)) {
    const parent = join(at, "..");
    if (resolve(parent) === resolve(at)) return [folder];
    at = parent;
  }
  return around;
}

/**
 * W7: started inside a workspace folder, a command that could be given one means that, unless a store is
 * named or there.
 */
export function withFolderHere(words: CommandName, values: Values): Values {
  const { folders: [name] = [], isOfFolder }: CommandRow = TABLE[words];
  // Commander has a list of none.
  if (name === undefined || [values[name] ?? []].flat().length > 0) return values;
  const { store, storeFrom, draft, workspace } = values as Values & { store: string };
  const isOfStore = storeFrom !== "default" || existsSync(store);
  if ((isOfStore && !isOfFolder) || draft || workspace !== undefined) return values;
  return hasWorkspaceFile(".") ? { ...values, [name]: "." } : values;
}

/** Whether the command reads a workspace folder, of the arguments or of the config file. */
function namesFolder(words: CommandName, values: Values): boolean {
  const { folders = [], unless }: CommandRow = TABLE[words];
  if (unless !== undefined) return values[unless] === undefined;
  return folders.some((name) => {
    const named = [values[name] ?? []].flat() as string[];
    return named.some((value) => name === "folder" || hasWorkspaceFile(value));
  });
}

function parsed(row: Row, value: string, name: string, file: string): unknown {
  const parse = typeof row === "string" ? undefined : row[1];
  try {
    return parse === undefined ? value : parse(value);
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw invalid(file, `"${name}": ${error.message}`);
    throw error;
  }
}

function pathFrom(file: string, path: string): string {
  return isAbsolute(path) || dirname(file) === "." ? path : join(dirname(file), path);
}

function readConfig(file: string, mustExist: boolean): JsonObject | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) {
    if (!mustExist) return undefined;
    throw new SvcError("config-not-found", `there is no config file "${file}"`, {
      hint: "check the path after --config",
    });
  }
  // A device may have no end, and a pipe no beginning.
  if (!stats.isFile() || stats.size > MAX_SIZE) throw invalid(file, "it is no file of up to 1 MB");
  let value: JsonValue;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid(file, `it is not JSON: ${error.message}`);
    throw error;
  }
  const fault = configFault(value);
  if (fault !== undefined) throw invalid(file, fault);
  return value as JsonObject;
}

function configFault(config: JsonValue): string | undefined {
  if (!isJsonObject(config)) return "it must be an object";
  for (const [name, value] of Object.entries(config)) {
    if (!MEMBERS.includes(name)) return unknown(`member "${name}"`, name, MEMBERS);
    if (name === "severity") {
      const fault = severityFault(value as JsonValue);
      if (fault !== undefined) return fault;
    } else if (name === "strict") {
      if (typeof value !== "boolean") return '"strict" must be true or false';
    } else if (CONFIG[name]?.isByProject && isJsonObject(value as JsonValue)) {
      const wrong = Object.entries(value as JsonObject).find(([, one]) => !isText(one));
      if (wrong) return `"${name}.${wrong[0]}" must be a text that is not empty`;
    } else if (!isText(value)) {
      return `"${name}" must be a text that is not empty`;
    }
  }
  return undefined;
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function severityFault(given: JsonValue): string | undefined {
  if (!isJsonObject(given)) return '"severity" must be an object: a severity for each code';
  for (const [code, severity] of Object.entries(given)) {
    const codes = Object.keys(PROBLEM_LEVELS);
    if (!codes.includes(code)) return unknown(`code "${code}"`, code, codes);
    const severities = severitiesOf(code);
    if (severities.some((one) => one === severity)) continue;
    return severities.length > 1
      ? `the severity of "${code}" must be one of ${severities.join(", ")}`
      : `"${code}" is always an error, since the value would not be as the published schema says`;
  }
  return undefined;
}

function unknown(what: string, name: string, names: readonly string[]): string {
  const meant = didYouMean(name, names);
  const rest =
    meant === undefined ? `; known are ${names.join(", ")}` : `; did you mean "${meant}"?`;
  return `there is no ${what}${rest}`;
}

function invalid(file: string, fault: string): SvcError {
  return new SvcError("config-invalid", `the config file "${file}" cannot be used: ${fault}`, {
    hint: "docs/cli.md lists its members",
  });
}

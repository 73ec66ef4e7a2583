import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { hasWorkspaceFile } from "../../folder/find-workspace.ts";
import { didYouMean } from "../../workspace/did-you-mean.ts";
import { SvcError } from "../../workspace/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import { PROBLEM_LEVELS } from "../../workspace/problem.ts";
import { severitiesOf } from "../../workspace/severity.ts";
import { CONFIG } from "../table/options.ts";

/** Read in the working directory when --config names no other file. */
const CONFIG_FILE = "svc.config.json";

/** In bytes. */
const MAX_SIZE = 1_000_000;

const MEMBERS = ["$schema", ...Object.keys(CONFIG), "strict", "severity"];

/** N8: the commands that publish or check a draft. `svc import --strict` is about exports. */
const STRICT_COMMANDS = ["check", "publish", "dev", "preview"];

/**
 * N2, N2a: gives a command the values of the config file for its options and optional arguments that
 * neither the command line nor the environment has.
 *
 * @throws SvcError `config-invalid`, or `config-not-found` for a file that --config names.
 */
export function applyConfig(command: Command): void {
  const { config: named } = command.opts<{ config?: string }>();
  const file = named ?? CONFIG_FILE;
  const config = readConfig(file, named !== undefined);
  if (config === undefined) return;
  const hasFolder = namesFolder(command, config);
  for (const [name, value] of Object.entries(config)) {
    // N2b: a folder is one workspace.
    if (name === "workspace" && hasFolder) continue;
    const member = CONFIG[name];
    if (member === undefined) continue;
    if (typeof value === "string") {
      setOption(command, name, member.isPath ? pathFrom(file, value) : value, file);
    } else if (member.isByProject) {
      // What reads its option takes such an object too.
      setOption(command, name, value as unknown as string, file);
    }
  }
  if (
    STRICT_COMMANDS.includes(command.name()) &&
    command.getOptionValueSource("strict") !== "cli"
  ) {
    command.setOptionValueWithSource("strict", config.strict, "config");
  }
  command.setOptionValueWithSource("severity", config.severity, "config");
}

function setOption(command: Command, name: string, value: string, file: string): void {
  const option = command.options.find((one) => one.attributeName() === name);
  const source = command.getOptionValueSource(name);
  if (option !== undefined && (source === undefined || source === "default")) {
    command.setOptionValueWithSource(name, parsed(option, value, name, file), "config");
  }
  const at = command.registeredArguments.findIndex((one) => !one.required && one.name() === name);
  const isGiven =
    command.args[at] !== undefined ||
    (name === "target" && process.env.SVC_DEPLOY_TARGET !== undefined);
  if (at >= 0 && !isGiven) command.processedArgs[at] = value;
}

/**
 * W7: started inside a workspace folder, a command that could be given one means that, unless a store is
 * named or there.
 */
export function meanFolderHere(command: Command): void {
  const [argument] = command.registeredArguments;
  const isOne =
    argument?.required === false && ["folder", "schema", "from"].includes(argument.name());
  if (!isOne || command.processedArgs[0] !== undefined) return;
  const { store, draft, workspace } = command.opts();
  const isOfStore = command.getOptionValueSource("store") !== "default" || existsSync(store);
  if ((isOfStore && command.name() !== "dev") || draft || workspace !== undefined) return;
  if (hasWorkspaceFile(".")) command.processedArgs[0] = ".";
}

/** Whether the command reads a workspace folder, of the arguments or of the config file. */
function namesFolder(command: Command, { folder }: JsonObject): boolean {
  const { from, against } = command.opts<{ from?: string; against?: string }>();
  if (command.name() === "import") return from === undefined;
  const takesFolder = command.registeredArguments.some(
    (one) => !one.required && one.name() === "folder",
  );
  if (takesFolder) return command.args.length > 0 || folder !== undefined;
  const sides = command.registeredArguments.some(({ required }) => required) ? [] : command.args;
  return [...sides, against].some((one) => one !== undefined && hasWorkspaceFile(one));
}

function parsed(
  { parseArg }: Command["options"][number],
  value: string,
  name: string,
  file: string,
): unknown {
  try {
    return parseArg === undefined ? value : parseArg(value, undefined);
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

import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TypesSource } from "../codegen/read-schema.ts";
import { addressOfFilePath, filePath } from "../documents/address.ts";
import type { Document } from "../documents/document.ts";
import { documentAt } from "../documents/documents.ts";
import { Rendering } from "../documents/rendering.ts";
import { fetchWithTimeout, urlAnswered, urlUnreachable } from "../http/fetch-with-timeout.ts";
import { withoutSecrets } from "../http/server-url.ts";
import { currentVersion, storedVersion } from "../publish/version.ts";
import type { Store } from "../store/store.ts";
import { withStore } from "../store/with-store.ts";
import type { Draft } from "../workspace/draft.ts";
import { SvcError, UsageError } from "../workspace/errors.ts";
import { type JsonValue, parsedJson } from "../workspace/json.ts";
import type { Remarks } from "./output/output.ts";
import type { Options } from "./table/table.ts";
import { withDraft } from "./with-draft.ts";

type SourceOptions = Options<"types">;

const HOW_TO_NAME =
  "give a workspace folder, the schema.json of a project, or the address at which it is served";

/**
 * The schema documents that are named: those of a workspace folder, URLs, `-` for standard input, files, or
 * the store's. The config lies beside each. T11: of several projects all, unless one is named.
 */
export async function readTypesSources(
  named: readonly string[],
  options: SourceOptions,
  output: Remarks,
): Promise<TypesSource[]> {
  const [first] = named;
  if (first === undefined) {
    return withStore(options.store, (store) => store.read(() => storedTypes(store, options)));
  }
  if (named.length === 1 && isFolder(first) && !options.draft) {
    return withDraft(output, options, first, (source) =>
      source.read((draft) => draftTypes(previewed(draft), options)),
    );
  }
  if (options.draft || options.project !== undefined) {
    throw new UsageError("--project and --draft are of the store", "leave the schema out");
  }
  const sources: TypesSource[] = [];
  for (const one of named) {
    const document = await jsonAt(one, options);
    const config = options.experienceIds ? await jsonAt(configBeside(one), options) : undefined;
    sources.push({ document, config });
  }
  return sources;
}

async function jsonAt(named: string, { previewToken }: SourceOptions): Promise<JsonValue> {
  const isUrl = URL_START.test(named);
  const text = await (isUrl
    ? fromUrl(named, previewToken)
    : named === "-"
      ? fromStandardInput()
      : fromFile(named));
  // Some editors and shells put a byte order mark first.
  const value = parsedJson(text.replace(/^\ufeff/, ""));
  if (value !== undefined) return value;
  const what = named === "-" ? "standard input" : isUrl ? withoutSecrets(named) : `"${named}"`;
  throw new SvcError("schema-invalid", `${what} is not JSON`, { hint: HOW_TO_NAME });
}

const URL_START = /^https?:\/\//i;

/** T8: where the project config is that is published with a schema document. */
function configBeside(named: string): string {
  const isUrl = URL_START.test(named);
  const [address = "", query = ""] = isUrl ? named.split(/(?=[?#])/, 2) : [named];
  const config = isUrl ? address.replace(/\/schema$/, "") : join(dirname(named), "index.json");
  if (isUrl ? config !== address : named !== "-" && existsSync(config)) return config + query;
  throw new UsageError(
    `--experience-ids needs the project config, which is not beside "${withoutSecrets(named)}"`,
    "pass a workspace folder, a schema.json with the published index.json beside it, or a URL that ends in /schema",
  );
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function fromFile(path: string): string {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return readFileSync(path, "utf8");
  throw new SvcError("schema-not-found", `there is no file "${path}"`, {
    hint: HOW_TO_NAME,
  });
}

async function fromStandardInput(): Promise<string> {
  process.stdin.setEncoding("utf8");
  let text = "";
  for await (const chunk of process.stdin) text += chunk;
  return text;
}

/** How long the host may take, in milliseconds. */
const TIMEOUT = 30_000;

async function fromUrl(address: string, token: string | undefined): Promise<string> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.username !== "" || url.password !== "") {
    throw new UsageError(`"${withoutSecrets(address)}" is not a usable URL`, "check it");
  }
  // A secret that is not set is often an empty text.
  if (token) url.searchParams.set("preview_token", token);
  // Without the token, which is in the query.
  const shown = withoutSecrets(address);
  const answer = await fetchWithTimeout(url, { timeout: TIMEOUT });
  if ("failure" in answer) throw urlUnreachable(shown, answer.failure);
  const { status, body } = answer;
  if (status >= 200 && status <= 299) return new TextDecoder().decode(body);
  const hint =
    status === 401
      ? "svc token create makes a preview token"
      : "the address of a schema ends in /projects/<project id>/schema";
  throw urlAnswered(shown, status, hint);
}

function parsed(document: Uint8Array): JsonValue {
  return JSON.parse(Buffer.from(document).toString());
}

/**
 * The sources of the types of a draft.
 *
 * @throws SvcError `project-not-found`.
 */
function draftTypes(rendering: Rendering, options: TypesOf): TypesSource[] {
  const ids = rendering.draft.projects.map(({ id }) => id);
  return sourcesOf(ids, options, (kind, projectId) => {
    const document = documentAt(rendering, { kind, projectId }, "preview") as Document;
    return parsed(document.bytes(null));
  });
}

/** A2: with draft entries, as the preview serves the schema. */
function previewed(draft: Draft): Rendering {
  return new Rendering(draft, { view: { at: Date.now(), showsHidden: true } });
}

function storedTypes(store: Store, options: SourceOptions): TypesSource[] {
  const workspace = store.workspace(options.workspace);
  if (options.draft) return draftTypes(previewed(store.draft(workspace)), options);
  const versionId = currentVersion(store, workspace);
  const { documents, frozenBytes } = storedVersion(store, workspace, versionId);
  const ids = documents.flatMap(({ path }) => {
    const address = addressOfFilePath(path);
    return address?.kind === "schema" ? address.projectId : [];
  });
  return sourcesOf(ids, options, (kind, projectId) =>
    parsed(frozenBytes(filePath({ kind, projectId }))),
  );
}

type TypesOf = Pick<SourceOptions, "project" | "experienceIds">;

function sourcesOf(
  ids: readonly string[],
  { project, experienceIds }: TypesOf,
  read: (kind: "schema" | "project", projectId: string) => JsonValue,
): TypesSource[] {
  return namedProjects(ids, project).map((id) => {
    const config = experienceIds ? read("project", id) : undefined;
    return { document: read("schema", id), config };
  });
}

/**
 * T11: the ids of the projects of which one file of types is made.
 *
 * @throws SvcError `project-not-found`.
 */
export function namedProjects(ids: readonly string[], named: string | undefined): string[] {
  const all = named === undefined ? [...ids].sort() : ids.filter((id) => id === named);
  if (all.length > 0) return all;
  const what = named === undefined ? "no project" : `no project "${named}"`;
  throw new SvcError("project-not-found", `the workspace has ${what}`, {
    hint: `its projects: ${ids.join(", ") || "none"}`,
  });
}

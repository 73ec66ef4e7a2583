import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
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

/** What types are made of. */
interface TypesSource {
  readonly document: JsonValue;
  /** T8: the project config, when experience ids are asked for. */
  readonly config?: JsonValue | undefined;
}

/**
 * The schema document that is named: that of a workspace folder, a URL, `-` for standard input, a
 * file, or the store's. The config lies beside it.
 */
export async function readTypesSource(
  named: string | undefined,
  options: SourceOptions,
  output: Remarks,
): Promise<TypesSource> {
  if (named === undefined) {
    return withStore(options.store, (store) => store.read(() => storedTypes(store, options)));
  }
  if (isFolder(named) && !options.draft) {
    return withDraft(output, options, named, (source) =>
      source.read((draft) => draftTypes(previewed(draft), options)),
    );
  }
  if (options.draft || options.project !== undefined) {
    throw new UsageError("--project and --draft are of the store", "leave the schema out");
  }
  const document = await jsonAt(named, options);
  if (!options.experienceIds) return { document };
  return { document, config: await jsonAt(configBeside(named), options) };
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
 * The source of the types of a project of a draft; without `project` of its only one.
 *
 * @throws SvcError `project-not-found`, `project-ambiguous`.
 */
function draftTypes(
  rendering: Rendering,
  { project, experienceIds }: { project?: string | undefined; experienceIds?: boolean },
): TypesSource {
  const projectId = oneProject(
    rendering.draft.projects.map(({ id }) => id),
    project,
  );
  const read = (kind: "schema" | "project") => {
    const document = documentAt(rendering, { kind, projectId }, "preview") as Document;
    return parsed(document.bytes(null));
  };
  return { document: read("schema"), config: experienceIds ? read("project") : undefined };
}

/** A2: with draft entries, as the preview serves the schema. */
function previewed(draft: Draft): Rendering {
  return new Rendering(draft, { view: { at: Date.now(), showsHidden: true } });
}

function storedTypes(store: Store, options: SourceOptions): TypesSource {
  const workspace = store.workspace(options.workspace);
  if (options.draft) return draftTypes(previewed(store.draft(workspace)), options);
  const versionId = currentVersion(store, workspace);
  const { documents, frozenBytes } = storedVersion(store, workspace, versionId);
  const ids = documents.flatMap(({ path }) => {
    const address = addressOfFilePath(path);
    return address?.kind === "schema" ? address.projectId : [];
  });
  const projectId = oneProject(ids, options.project);
  const read = (kind: "schema" | "project") => parsed(frozenBytes(filePath({ kind, projectId })));
  return { document: read("schema"), config: options.experienceIds ? read("project") : undefined };
}

/** @throws SvcError when there is none such, or several and none is named. */
export function oneProject(ids: readonly string[], named: string | undefined): string {
  const [first, ...others] = named === undefined ? ids : ids.filter((id) => id === named);
  if (first !== undefined && others.length === 0) return first;
  const names = ids.join(", ") || "none";
  if (first === undefined) {
    const what = named === undefined ? "no project" : `no project "${named}"`;
    throw new SvcError("project-not-found", `the workspace has ${what}`, {
      hint: `its projects: ${names}`,
    });
  }
  throw new SvcError("project-ambiguous", "the workspace has several projects", {
    hint: `name one with --project: ${names}`,
  });
}

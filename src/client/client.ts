import type { AnySchema, Content, ExperienceContent, ProjectConfig, SchemaTypes } from "./types.ts";

export type * from "./types.ts";

export interface ClientOptions {
  /** Ends in `/api/v1`. */
  baseUrl: string;
  projectId: string;
  /** For the draft. Without one, what is published is read. */
  previewToken?: string | undefined;
  /** Instead of the platform's. */
  fetch?: typeof fetch | undefined;
}

export interface RequestOptions {
  signal?: AbortSignal | undefined;
}

/** Why a request failed. Neither its message nor its url ever has the token. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** The HTTP status; 0: no answer. */
  readonly status: number;
  /** Stable: `project-not-found`, `preview-token-invalid`, …; `no-answer`, `no-document`. */
  readonly code: string;
  readonly detail: string;
  readonly url: string;

  constructor(status: number, code: string, detail: string, url: string) {
    super(`${code}: ${detail} (${url})`);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.url = url;
  }
}

export interface Client<S extends SchemaTypes = AnySchema> {
  project(options?: RequestOptions): Promise<ProjectConfig<S>>;
  content(experienceId: string, options?: RequestOptions): Promise<Content<S>>;
  /** The JSON Schema document. */
  schema(options?: RequestOptions): Promise<Record<string, unknown>>;
}

/**
 * Reads the three documents of a project. What is asked again is sent again only if it changed.
 * Every method throws ApiError, or what its signal says when that aborts.
 */
export function createClient<S extends SchemaTypes = AnySchema>(options: ClientOptions): Client<S> {
  const { projectId, previewToken } = options;
  const base = `${options.baseUrl.replace(/\/+$/, "")}/projects/${encodeURIComponent(projectId)}`;
  const query = previewToken ? `?preview_token=${encodeURIComponent(previewToken)}` : "";
  const known = new Map<string, { etag: string; text: string }>();

  /** `lists`: members that a body of this kind has, and that are lists. */
  async function get<T>(
    path: string,
    { signal }: RequestOptions = {},
    ...lists: (keyof T & string)[]
  ): Promise<T> {
    const url = base + path;
    const fail = (status: number, code: string, detail: string) =>
      new ApiError(status, withoutToken(code), withoutToken(detail), url);
    const held = known.get(url);
    const headers: Record<string, string> = held ? { "If-None-Match": held.etag } : {};
    const init = signal ? { headers, signal } : { headers };
    let response: Response;
    let text: string;
    try {
      response = await (options.fetch ?? fetch)(url + query, init);
      text = await response.text();
    } catch {
      signal?.throwIfAborted();
      // What the platform says may have the address, and so the token.
      throw fail(0, "no-answer", "the host did not answer");
    }
    const { status } = response;
    // Parsed again: what was returned before is the caller's.
    if (held && status === 304) return parse(held.text) as T;
    const body = parse(text);
    if (!response.ok) {
      const { code, detail } = body ?? {};
      throw fail(
        status,
        isText(code) ? code : `status-${status}`,
        isText(detail) ? detail : "the host gave no reason",
      );
    }
    if (!lists.every((list) => Array.isArray(body?.[list])) || body === undefined) {
      throw fail(status, "no-document", "the answer is not the document asked for");
    }
    const etag = response.headers.get("etag");
    if (etag) known.set(url, { etag, text });
    // What a host of this API serves at this path.
    return body as T;
  }

  /** A host may repeat the address in what it says. */
  function withoutToken(text: string): string {
    if (!previewToken) return text;
    const encoded = encodeURIComponent(previewToken);
    return [encoded, encoded.replaceAll("%20", "+"), previewToken].reduce(
      (clean, form) => clean.replaceAll(form, "…"),
      text,
    );
  }

  const project = (request?: RequestOptions) =>
    get<ProjectConfig<S>>("", request, "steps", "experiences");
  return {
    project,
    schema: (request) => get<Record<string, unknown>>("/schema", request),
    async content(experienceId, request) {
      const path = `/experiences/${encodeURIComponent(experienceId)}/content`;
      const config = project(request);
      // Should both fail, the content's own error is the one that is told.
      config.catch(() => {});
      const content = await get<ExperienceContent<S>>(path, request, "content", "references");
      return withLookups(content, await config);
    },
  };
}

function withLookups<S extends SchemaTypes>(
  content: ExperienceContent<S>,
  project: ProjectConfig<S>,
): Content<S> {
  const all = [...content.content, ...content.references];
  const byId = new Map(all.map((entry) => [entry.id, entry]));
  return {
    ...content,
    project,
    // What the types say of the entry holds of what is served: both come from one schema.
    resolve: (pointer) => byId.get(pointer.contentEntryId) as never,
    layout: (stepKey) => {
      const step = project.steps.find(({ key }) => key === stepKey);
      return byId.get(step?.layoutContentId ?? "") as never;
    },
  };
}

/** The object that the text is as JSON; undefined for anything else. */
function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

import type { AnySchema, Content, ExperienceContent, ProjectConfig, SchemaTypes } from "./types.ts";

export type * from "./types.ts";

export interface ClientOptions {
  /** The base URL of the API, ending in `/api/v1`. */
  baseUrl: string;
  projectId: string;
  /** Requests the draft instead of the published version. */
  previewToken?: string | undefined;
  /** Default: the global `fetch` (K3). */
  fetch?: typeof fetch | undefined;
}

export interface RequestOptions {
  signal?: AbortSignal | undefined;
}

/** A failed request. Neither message nor url contain the preview token (K2). */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** The HTTP status; 0 without a response. */
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
 * A client for the three documents of a project. Repeated requests are conditional (ETag, K1).
 * Methods throw ApiError, or the signal's reason if it aborts.
 */
export function createClient<S extends SchemaTypes = AnySchema>(options: ClientOptions): Client<S> {
  const { projectId, previewToken } = options;
  const base = `${options.baseUrl.replace(/\/+$/, "")}/projects/${encodeURIComponent(projectId)}`;
  const query = previewToken ? `?preview_token=${encodeURIComponent(previewToken)}` : "";
  const cache = new Map<string, { etag: string; text: string }>();

  /** @param lists members that must be arrays in a document of this kind. */
  async function get<T>(
    path: string,
    { signal }: RequestOptions = {},
    ...lists: (keyof T & string)[]
  ): Promise<T> {
    const url = base + path;
    const fail = (status: number, code: string, detail: string) =>
      new ApiError(status, withoutToken(code), withoutToken(detail), url);
    const cached = cache.get(url);
    const headers: Record<string, string> = cached ? { "If-None-Match": cached.etag } : {};
    const init = signal ? { headers, signal } : { headers };
    let response: Response;
    let text: string;
    try {
      response = await (options.fetch ?? fetch)(url + query, init);
      text = await response.text();
    } catch {
      signal?.throwIfAborted();
      // The platform's message may contain the URL, and so the token.
      throw fail(0, "no-answer", "the host did not respond");
    }
    const { status } = response;
    // Parsed again, because callers may have modified the earlier result (K1).
    if (cached && status === 304) return parse(cached.text) as T;
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
      throw fail(status, "no-document", "the response is not the requested document");
    }
    const etag = response.headers.get("etag");
    if (etag) cache.set(url, { etag, text });
    return body as T;
  }

  /** Removes the token, because hosts may repeat the URL in their messages. */
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
      // If both requests fail, only the error of the content is thrown.
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
    // The types and the documents come from the same schema.
    resolve: (pointer) => byId.get(pointer.contentEntryId) as never,
    layout: (stepKey) => {
      const step = project.steps.find(({ key }) => key === stepKey);
      return byId.get(step?.layoutContentId ?? "") as never;
    },
  };
}

/** Parses a JSON object; undefined for anything else. */
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

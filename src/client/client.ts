import type {
  AnySchema,
  Change,
  Experience,
  ExperienceContent,
  ExperienceName,
  Layout,
  ListName,
  Pointer,
  ProjectConfig,
  Resolved,
  SchemaTypes,
} from "./types.ts";

export type * from "./types.ts";

export interface ClientOptions {
  /** The base URL of the API, ending in `/api/v1`. */
  baseUrl: string;
  projectId: string;
  /** Requests the draft instead of the published version. */
  previewToken?: string | undefined;
  /** Default: the global `fetch` (K3). */
  fetch?: typeof fetch | undefined;
  /** For `onChange`. Default: the global `EventSource`. */
  EventSource?: EventSourceClass | undefined;
  /** Default of `RequestOptions.retries`. */
  retries?: number | undefined;
}

export interface RequestOptions {
  /** Aborts the request, also between retries. With a signal it is shared with nobody (K7). */
  signal?: AbortSignal | undefined;
  /** Passed on to `fetch`. With it, or `next`, the platform's cache decides alone (K8). */
  cache?: RequestInit["cache"] | undefined;
  /** Passed on to the `fetch` of Next.js. */
  next?: { revalidate?: number | false; tags?: string[] } | undefined;
  /** How often a request is sent again after a 429, a 5xx or no answer (K9). Default: 0. */
  retries?: number | undefined;
}

/** What `onChange` needs of the class `EventSource`. */
export type EventSourceClass = new (
  url: string,
) => {
  addEventListener(type: string, listener: (event: { data: string }) => void): void;
  close(): void;
};

/** A failed request. Neither message nor url contain the preview token (K2). */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** The HTTP status; 0 without a response. */
  declare readonly status: number;
  /** Stable: `project-not-found`, `experience-not-found`, …; `entry-not-served`, `no-answer`, `no-document`, `no-events`. */
  declare readonly code: string;
  declare readonly detail: string;
  declare readonly url: string;

  constructor(status: number, code: string, detail: string, url: string) {
    super(`${code}: ${detail} (${url})`);
    Object.assign(this, { status, code, detail, url });
  }
}

/** The content of an experience, with methods to look up its entries. */
export interface Content<S extends SchemaTypes = AnySchema> extends ExperienceContent<S> {
  /**
   * The config, read when it is asked for first, unless it is known. Another `versionId` means that it is
   * of another release, also when it was read again (K10).
   */
  project(options?: RequestOptions): Promise<ProjectConfig<S>>;
  resolve<const P extends Pointer>(pointer: P): Resolved<S, P>;
  /** As `resolve()`, but what is not served is the error `entry-not-served` (K15). */
  entry<const P extends Pointer>(pointer: P): NonNullable<Resolved<S, P>>;
  /**
   * The layout entry of a step, which the config names. Of an experience with one entry, whose id is the key of
   * its step, as a collection has them by default, nothing is asked (K6).
   */
  layout<K extends S["stepKey"]>(stepKey: K, options?: RequestOptions): Promise<Layout<S, K>>;
}

export interface Client<S extends SchemaTypes = AnySchema> {
  project(options?: RequestOptions): Promise<ProjectConfig<S>>;
  /**
   * One request, for an id, or a key that is the id. For another key the config is read (K11). What the project
   * does not have is `experience-not-found`.
   */
  content(experience: ExperienceName<S>, options?: RequestOptions): Promise<Content<S>>;
  /** In the order of the argument, by at most 6 requests at a time; the first error is thrown (K12). */
  contentMany(
    experiences: Iterable<ExperienceName<S>>,
    options?: RequestOptions,
  ): Promise<Content<S>[]>;
  /**
   * The pages of a list, each requested when it is asked for (K13).
   *
   * @param list `articles` for the ids `articles-1`, `articles-2`, …; or a pattern of ids: `news-{page}-en`.
   */
  pages(list: ListName<S>, options?: RequestOptions): AsyncGenerator<Content<S>, void>;
  /** How long a list is: its pages, and the entries on them, as the config says (K16). */
  totals(list: ListName<S>, options?: RequestOptions): Promise<{ pages: number; entries: number }>;
  /**
   * The experience that shows an entry, in each language that has one (K17): of several, the one with the fewest
   * steps. The config of each project is read.
   *
   * @param languages the ids of projects, by language: `{ en: "site", de: "site-de" }`
   */
  alternates<L extends string>(
    entry: { id: string },
    languages: Readonly<Record<L, string>>,
    options?: RequestOptions,
  ): Promise<{ [language in L]?: Experience }>;
  /** The JSON Schema document. */
  schema(options?: RequestOptions): Promise<Record<string, unknown>>;
  /** Calls the listener when the draft changes, until the returned function is called (K14). */
  onChange(listener: (change: Change<S>) => void): () => void;
}

/** A document as received: the text, so that each caller gets objects of its own (K1). */
interface Received {
  readonly text: string;
  readonly status: number;
  readonly etag: string | null;
}

/** The longest wait of K9, in milliseconds. */
const LONGEST_WAIT = 30_000;
const PARALLEL_REQUESTS = 6;
const MOST_HELD = 1000;
const NOT_FOUND = "experience-not-found";

/**
 * A client for the documents of a project. Repeated requests are conditional (ETag, K1).
 * Methods throw ApiError, or the signal's reason if it aborts.
 */
export function createClient<S extends SchemaTypes = AnySchema>(options: ClientOptions): Client<S> {
  const { projectId, previewToken } = options;
  const base = `${options.baseUrl.replace(/\/+$/, "")}/projects/`;
  const own = encodeURIComponent(projectId);
  const query = previewToken ? `?preview_token=${encodeURIComponent(previewToken)}` : "";
  const held = new Map<string, Received>();
  const flights = new Map<string, Promise<Received>>();

  const failure = (path: string, status: number, code: string, detail: string) =>
    new ApiError(status, withoutToken(code), withoutToken(detail), base + path);

  /** Removes the token, because hosts may repeat the URL in their messages. */
  function withoutToken(text: string): string {
    if (!previewToken) return text;
    const encoded = encodeURIComponent(previewToken);
    return [encoded, encoded.replaceAll("%20", "+"), previewToken].reduce(
      (clean, form) => clean.replaceAll(form, "…"),
      text,
    );
  }

  async function receive(
    path: string,
    { retries = options.retries ?? 0, ...init }: RequestOptions,
    pause = 200,
  ): Promise<Received> {
    const { signal } = init;
    signal?.throwIfAborted();
    // K8: the caches of platforms keep nothing, or a 304, when a tag of ours is sent.
    const old = init.cache || init.next ? undefined : held.get(path);
    const headers = old?.etag ? { "If-None-Match": old.etag } : {};
    let error = failure(path, 0, "no-answer", "no response");
    let asked = 0;
    try {
      const sent = { ...init, headers } as RequestInit;
      const response = await (options.fetch ?? fetch)(base + path + query, sent);
      const text = await response.text();
      const { status } = response;
      if (old && status === 304) return old;
      if (response.ok) return { text, status, etag: response.headers.get("etag") };
      const { code, detail } = parse(text) ?? {};
      error = failure(path, status, textOr(code, `status-${status}`), textOr(detail, "no reason"));
      // Seconds, or a date.
      const after = response.headers.get("retry-after") ?? "";
      asked = Math.max(0, Number(after) * 1000 || Date.parse(after) - Date.now() || 0);
    } catch {
      // The platform's message may contain the URL, and so the token.
      signal?.throwIfAborted();
    }
    const mayPass = /^(0|429|5..)$/.test(`${error.status}`) && asked <= LONGEST_WAIT;
    if (!(retries > 0 && mayPass)) throw error;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, asked + Math.random() * pause);
      signal?.addEventListener("abort", end);
    });
    return receive(path, { ...init, retries: retries - 1 }, Math.min(pause * 2, LONGEST_WAIT));
  }

  /** K7: who asks for what is under way gets its answer. One with a signal is its caller's own. */
  function share(path: string, request: RequestOptions): Promise<Received> {
    if (request.signal) return receive(path, request);
    const key = path + JSON.stringify(request);
    const answer = flights.get(key) ?? receive(path, request).finally(() => flights.delete(key));
    flights.set(key, answer);
    return answer;
  }

  /** @param lists members that must be arrays of objects in a document of this kind. */
  async function get<T>(
    path: string,
    request: RequestOptions = {},
    ...lists: (keyof T & string)[]
  ): Promise<T> {
    const received = await share(path, request);
    const body = parse(received.text);
    // Only a list has the method.
    if (!body || !lists.every((list) => (body[list] as unknown[])?.every?.(Boolean))) {
      throw failure(path, received.status, "no-document", "not the document");
    }
    held.delete(path);
    held.set(path, received);
    // The one that was received longest ago (K1).
    if (held.size > MOST_HELD) held.delete(held.keys().next().value as string);
    return body as T;
  }

  const project = (request?: RequestOptions, path = own) =>
    get<ProjectConfig<S>>(path, request, "steps", "experiences");
  const pathOf = (id: string) => `${own}/experiences/${encodeURIComponent(id)}/content`;
  /** The config that was read last; that of a draft may have changed since. */
  const known = () =>
    previewToken ? undefined : (parse(held.get(own)?.text) as ProjectConfig<S> | undefined);

  /** @param isEnd whether an error says that there is no such experience. */
  async function content(
    experience: ExperienceName<S>,
    request?: RequestOptions,
    isEnd = isNotFound,
  ) {
    const { key } = experience as { key?: string };
    const idIn = (config: ProjectConfig<S>) =>
      config.experiences.find((one) => one.id === experience || one.key === key)?.id;
    let config = key === undefined ? undefined : known();
    if (config && !idIn(config)) config = await project(request);
    let found: ExperienceContent<S> | undefined;
    for (let isFirst = true; ; isFirst = false) {
      // K11: a key is most often the id.
      const id = config ? idIn(config) : (key ?? `${experience}`);
      // `fetch` would take dots alone for the way to another document.
      if (!id || !/[^.]/.test(id)) {
        throw failure(own, 404, NOT_FOUND, `no experience ${JSON.stringify(experience)}`);
      }
      if (found?.experienceId !== id || found.versionId !== config?.versionId) {
        const path = pathOf(id);
        const asked = get<ExperienceContent<S>>(path, request, "content", "references");
        found = await asked.catch((error) => {
          const isSure = config ? !isFirst : key === undefined && isEnd(error);
          // Buckets that may not be listed answer 403.
          if (isSure || !/^40[34]$/.test(error?.status)) throw error;
          return undefined;
        });
      }
      if (found && (!config || !isFirst || found.versionId === config.versionId)) break;
      // A host of files does not know what is missing, and nobody which of two releases is older (K10).
      config = await project(request);
    }
    const { versionId } = found;
    // The id of a key is of this config, and so no other one may stand for it.
    let tries = config ? 0 : 2;
    return withLookups(found, async (more) => {
      config ??= known();
      for (; !config || (config.versionId !== versionId && tries > 0); tries -= 1) {
        config = await project({ ...request, signal: undefined, ...more });
      }
      return config;
    });
  }

  function withLookups(found: ExperienceContent<S>, config: Content<S>["project"]): Content<S> {
    const { experienceId, content: own } = found;
    const byId = new Map([...own, ...found.references].map((entry) => [entry.id, entry]));
    return {
      ...found,
      project: config,
      // The types and the documents come from the same schema.
      resolve: (pointer) => byId.get(pointer.contentEntryId) as never,
      entry({ contentEntryId: id }) {
        const entry = byId.get(id);
        if (entry) return entry as never;
        throw failure(pathOf(experienceId), 404, "entry-not-served", `no entry "${id}"`);
      },
      async layout(stepKey, request) {
        if (own.length === 1 && experienceId === `${stepKey}`) return own[0] as never;
        const { steps } = await config(request);
        const step = steps.find(({ key }) => key === stepKey);
        return byId.get(step?.layoutContentId ?? "") as never;
      },
    };
  }

  return {
    project,
    content,
    schema: (request) => get<Record<string, unknown>>(`${own}/schema`, request),
    async contentMany(experiences, request) {
      const all = [...experiences];
      const left = all.entries();
      const found: Content<S>[] = [];
      const work = async () => {
        for (const [index, one] of left) found[index] = await content(one, request);
      };
      // After an error nothing is left to do.
      const ended = () => void all.splice(0);
      await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, work)).finally(ended);
      return found;
    },
    async *pages(list, request) {
      let isEnd = isNotFound;
      for (let page = 1; ; page += 1) {
        const found = await content(pageId(list, page) as ExperienceName<S>, request, isEnd).catch(
          (error) => {
            if (!isEnd(error)) throw error;
          },
        );
        if (!found) return;
        yield found;
        // After a page, a host of files is believed too.
        isEnd = ({ status }) => status === 404;
      }
    },
    async totals(list, request) {
      const { experiences } = await project(request);
      for (let [pages, entries] = [0, 0]; ; pages += 1) {
        const one = experiences.find(({ id }) => id === pageId(list, pages + 1));
        if (!one) return { pages, entries };
        entries += one.stepIds.length;
      }
    },
    async alternates({ id }, languages, request) {
      const all = Object.entries<string>(languages).map(async ([language, projectId]) => {
        const { steps, experiences } = await project(request, encodeURIComponent(projectId));
        // Of the experiences of a step the first one: the pages of lists come last (Q16).
        const [page] = steps
          .flatMap((step) =>
            step.layoutContentId === id
              ? (experiences.find(({ stepIds }) => stepIds.includes(step.id)) ?? [])
              : [],
          )
          .sort((a, b) => a.stepIds.length - b.stepIds.length);
        return page ? [[language, page]] : [];
      });
      return Object.fromEntries((await Promise.all(all)).flat());
    },
    onChange(listener) {
      const Events = options.EventSource ?? globalThis.EventSource;
      if (!previewToken || !Events) {
        throw failure(
          `${own}/events`,
          0,
          "no-events",
          "onChange needs a previewToken and EventSource",
        );
      }
      const events = new Events(`${base}${own}/events${query}`);
      events.addEventListener("change", ({ data }) => {
        // What is under way may have been rendered before the change.
        flights.clear();
        const change = parse(data) as Change<S> | undefined;
        // An error in this listener would end the process.
        if (change) listener(change);
      });
      return () => events.close();
    },
  };
}

function isNotFound({ code }: ApiError): boolean {
  return code === NOT_FOUND;
}

/** K13. */
function pageId(list: string, page: number): string {
  const pattern = list.includes("{page}") ? list : `${list}-{page}`;
  return pattern.replaceAll("{page}", `${page}`);
}

/** Parses a JSON object; undefined for anything else. */
function parse(text = ""): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" && value ? value : otherwise;
}

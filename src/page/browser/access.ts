import { asOf } from "./as-of.tsx";
import { shownWorkspace } from "./router.ts";

/** The item of local storage that has the key of this origin, shared by all tabs. */
const STORAGE_ITEM = "svc-preview-key";

interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly hint: string;
}

export class RequestError extends Error {
  /** Of the response; 0 when there was none. */
  readonly status: number;
  /** Of the problem; "" when there is none. */
  readonly code: string;
  /** What to do about it. */
  readonly hint: string | undefined;

  constructor(status: number, message: string, { code = "", hint }: Partial<Problem> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

/**
 * Moves the key from the page's address to local storage; the address keeps the view to open.
 * The key may be old (from the history) or forged (a link on another site), so it replaces the
 * stored one only if the server accepts it.
 */
export async function storeKeyFromAddress() {
  const [, key, to = ""] = /^#key=([^&]*)(?:.*?&to=\/*(.*))?/.exec(location.hash) ?? [];
  if (key === undefined) return;
  history.replaceState(null, "", `#/${to}`);
  const stored = localStorage.getItem(STORAGE_ITEM);
  if (stored === null) localStorage.setItem(STORAGE_ITEM, key);
  if (stored === null || stored === key) return;
  const response = fetch("/_svc/data/overview", { method: "HEAD", headers: authorization(key) });
  const isValid = await response.then(
    ({ ok }) => ok,
    () => false,
  );
  if (isValid) localStorage.setItem(STORAGE_ITEM, key);
}

function authorization(key: string | null) {
  return { Authorization: `Bearer ${key ?? ""}` };
}

export function onNewKey(listener: () => void) {
  addEventListener("storage", ({ key }) => {
    if (key === STORAGE_ITEM) listener();
  });
}

export type Query = Readonly<Record<string, string | number | undefined>>;

/**
 * Requests JSON from one of the page's endpoints.
 *
 * @throws RequestError
 * @param name below `/_svc/`
 */
export function request<T>(name: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  return answered(name, { ...query, "as-of": asOf() || undefined }, signal ? { signal } : {});
}

/**
 * H41: does something by the server.
 *
 * @param file H60: the bytes of one, beside which the rest is in the query.
 * @throws RequestError when it is refused, with its code and hint.
 */
export function act<T>(action: string, body: Query | object = {}, file?: ArrayBuffer): Promise<T> {
  const headers = { "Content-Type": file ? "application/octet-stream" : "application/json" };
  return answered(
    `do/${action}`,
    { workspace: shownWorkspace(), ...(file && body) },
    { method: "POST", headers, body: file ?? JSON.stringify(body) },
  );
}

async function answered<T>(name: string, query: Query, options: RequestInit): Promise<T> {
  const search = new URLSearchParams();
  for (const [parameter, value] of Object.entries(query)) {
    if (value !== undefined) search.append(parameter, String(value));
  }
  const headers = { ...options.headers, ...authorization(localStorage.getItem(STORAGE_ITEM)) };
  const response = await fetch(`/_svc/${name}?${search}`, { ...options, headers }).catch(
    (error) => {
      if (error.name === "AbortError") throw error;
      throw new RequestError(0, "The preview server does not answer.");
    },
  );
  if (response.ok) return response.json();
  const problem: Partial<Problem> = await response.json().catch(() => ({}));
  throw new RequestError(
    response.status,
    problem.detail ?? `The server answered ${response.status}.`,
    problem,
  );
}

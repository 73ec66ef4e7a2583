/** The item of local storage that has the key of this origin, shared by all tabs. */
const STORAGE_ITEM = "svc-preview-key";

/** A request that failed or was refused. */
export class RequestError extends Error {
  /**
   * @param {number} status of the response; 0 when there was none
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
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
  if (key === localStorage.getItem(STORAGE_ITEM)) return;
  const response = fetch("/_svc/data/overview", { method: "HEAD", headers: authorization(key) });
  const isValid = await response.then(
    ({ ok }) => ok,
    () => false,
  );
  if (isValid) localStorage.setItem(STORAGE_ITEM, key);
}

/** @param {string | null} key */
function authorization(key) {
  return { Authorization: `Bearer ${key ?? ""}` };
}

/**
 * Calls the listener when another tab stores a new key.
 *
 * @param {() => void} listener
 */
export function onNewKey(listener) {
  addEventListener("storage", ({ key }) => {
    if (key === STORAGE_ITEM) listener();
  });
}

/**
 * Requests JSON from one of the page's endpoints.
 *
 * @template T
 * @param {string} name below `/_svc/`
 * @param {Readonly<Record<string, string | number | undefined>>} [query]
 * @param {{ method?: string, signal?: AbortSignal | undefined }} [options]
 * @returns {Promise<T>}
 * @throws RequestError
 */
export async function request(name, query = {}, { method = "GET", signal } = {}) {
  const search = new URLSearchParams();
  for (const [parameter, value] of Object.entries(query)) {
    if (value !== undefined) search.append(parameter, String(value));
  }
  const headers = authorization(localStorage.getItem(STORAGE_ITEM));
  const options = { method, headers, ...(signal && { signal }) };
  const response = await fetch(`/_svc/${name}?${search}`, options).catch((error) => {
    if (error.name === "AbortError") throw error;
    throw new RequestError(0, "The preview server does not answer.");
  });
  if (response.ok) return response.json();
  const problem = await response.json().catch(() => ({}));
  throw new RequestError(
    response.status,
    problem.detail ?? `The server answered ${response.status}.`,
  );
}

/** Where the key of this address (its port included) is kept, so that other tabs have it too. */
const KEPT = "svc-preview-key";

/** Something that the server refused or could not answer. */
export class AskError extends Error {
  /**
   * @param {number} status 0: no answer.
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * Takes the key out of the page's address, where nobody shall see it longer than needed. What is
 * left says at which workspace to begin. Any page elsewhere can lead here with a key, and the
 * history has old ones: only one that the server knows takes the place of the one that is kept.
 */
export async function takeKey() {
  const [, key, workspace = ""] = /^#key=([\w-]+)(?:&to=([\w.-]+))?$/.exec(location.hash) ?? [];
  if (key === undefined) return;
  history.replaceState(null, "", `#/${workspace}`);
  if (key === localStorage.getItem(KEPT)) return;
  const asked = fetch("/_svc/data/overview", { method: "HEAD", headers: withKey(key) });
  const isKnown = await asked.then(
    ({ ok }) => ok,
    () => false,
  );
  if (isKnown) localStorage.setItem(KEPT, key);
}

/** @param {string | null} key */
function withKey(key) {
  return { Authorization: `Bearer ${key ?? ""}` };
}

/**
 * Calls the listener when another tab was opened by a new link.
 *
 * @param {() => void} listener
 */
export function onNewKey(listener) {
  addEventListener("storage", ({ key }) => {
    if (key === KEPT) listener();
  });
}

/**
 * Asks one of the page's own endpoints.
 *
 * @template T
 * @param {string} name below `/_svc/`
 * @param {Readonly<Record<string, string | number | undefined>>} [query]
 * @param {{ method?: string, signal?: AbortSignal | undefined }} [how]
 * @returns {Promise<T>}
 */
export async function ask(name, query = {}, { method = "GET", signal } = {}) {
  const search = new URLSearchParams();
  for (const [parameter, value] of Object.entries(query)) {
    if (value !== undefined) search.append(parameter, String(value));
  }
  const headers = withKey(localStorage.getItem(KEPT));
  const options = { method, headers, ...(signal && { signal }) };
  const response = await fetch(`/_svc/${name}?${search}`, options).catch((error) => {
    if (error.name === "AbortError") throw error;
    throw new AskError(0, "The preview server does not answer.");
  });
  if (response.ok) return response.json();
  const problem = await response.json().catch(() => ({}));
  throw new AskError(response.status, problem.detail ?? `The server answered ${response.status}.`);
}

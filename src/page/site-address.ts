import type { Project } from "../workspace/records.ts";

/** H46: templates of the addresses of a site's pages, by project id; that of all others at `""`. */
export type Sites = ReadonlyMap<string, string>;

const PLACE = /\{[^{}]*\}/g;
/** What follows an origin or a prefix that names no place. */
const DEFAULT = "/{locale}/{experience.key}";
/**
 * Hosts that a policy can name: those of a URL may have `*`, `;` and `'`, which mean more there, and
 * no policy knows an IPv6 address.
 */
const HOST = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?$/;

/**
 * H46: the template that an author means: an origin or prefix alone gets the default one.
 *
 * @throws Error that says what is wrong with it.
 */
export function siteTemplate(given: string): string {
  const text = given.trim();
  // A URL drops some of them, so that its origin is not what the text says.
  if (/[\s\p{Cc}]/u.test(text)) {
    throw new Error("the address of a site has no blanks, tabs and line breaks");
  }
  const origin = /^https?:\/\/[^/?#{}\\]+/i.exec(text)?.[0] ?? "";
  const url = URL.parse(origin);
  const rest = text.slice(origin.length);
  // A place is never part of the host.
  if (url === null || rest.startsWith("{")) {
    throw new Error("a site is an address such as http://localhost:3000, by http or https");
  }
  if (url.username !== "" || url.password !== "") {
    throw new Error("the address of a site has no user and no password");
  }
  if (!HOST.test(url.hostname)) {
    throw new Error(
      `"${url.hostname}" cannot be shown in a frame; name a host such as localhost or 127.0.0.1`,
    );
  }
  const unknown = rest.match(PLACE)?.find((place) => !Object.hasOwn(VALUES, place));
  if (unknown !== undefined || /[{}]/.test(rest.replaceAll(PLACE, ""))) {
    const known = Object.keys(VALUES).join(", ");
    throw new Error(`${unknown ?? "a brace"} stands for nothing in it; known are ${known}`);
  }
  const path = rest.includes("{") ? rest : rest.replace(/\/+$/, "") + DEFAULT;
  return url.origin + path;
}

/** The origins that the page may frame. */
export function siteOrigins(sites: Sites): readonly string[] {
  return [...new Set(Array.from(sites.values(), (template) => new URL(template).origin))];
}

type Shown = { readonly project: Project; readonly experience: Project["experiences"][number] };

const VALUES: Readonly<Record<string, (shown: Shown) => string | undefined>> = {
  "{locale}": ({ project }) => project.locale,
  "{experience.key}": ({ experience }) => experience.key,
  "{experience.id}": ({ experience }) => experience.id,
  "{project.id}": ({ project }) => project.id,
};

/** H46: the address at which a site shows an experience; a place without a value is left out with its slash. */
export function siteAddress(sites: Sites, shown: Shown): string | undefined {
  const template = sites.get(shown.project.id) ?? sites.get("");
  return template?.replaceAll(/\/?\{[^{}]*\}/g, (place) => {
    const value = VALUES[place.replace("/", "")]?.(shown);
    // `.` and `..` cannot be ids or keys (I1, I2).
    return value ? (place.startsWith("/") ? "/" : "") + encodeURIComponent(value) : "";
  });
}

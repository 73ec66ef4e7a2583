/**
 * Regular expressions (PCRE) for the target of a request as sent. nginx's own `$uri` is normalized:
 * it no longer shows `//`, `..` and `%2F`, which the API answers with 404.
 */

const HEX = "[0-9A-Fa-f]";
/** The bytes 80 to BF, percent-encoded. */
const TAIL = `%[89ABab]${HEX}`;

/** One percent-encoded character of UTF-8 (RFC 3629: no surrogates, no overlong forms). */
const ENCODED_CHARACTER = [
  `%[0-7]${HEX}`,
  `%(?:[Cc][2-9A-Fa-f]|[Dd]${HEX})${TAIL}`,
  `%[Ee](?:0%[ABab]${HEX}|[1-9A-Ca-cEeFf]${TAIL}|[Dd]%[89]${HEX})${TAIL}`,
  `%[Ff](?:0%[9ABab]${HEX}|[123]${TAIL}|4%8${HEX})${TAIL}${TAIL}`,
].join("|");

/** H4: the path is printable ASCII, and its percent-encoded bytes are UTF-8. */
export const WELL_FORMED = String.raw`^(?:[\x21-\x24\x26-\x3e\x40-\x7e]|${ENCODED_CHARACTER})*+(?:\?|\z)`;

/** H1: paths that nginx would normalize to another: `//`, `.`, `..`, an encoded slash, `#`. */
export const AMBIGUOUS_PATHS = [
  "//",
  String.raw`/(?:\.|%2[Ee]){1,2}(?:/|\?|\z)`,
  "%2[Ff]",
  "#",
].map((pattern) => `^[^?]*?${pattern}`);

/** H3: the query has a `preview_token`, each letter of the name plain or percent-encoded. */
export const HAS_PREVIEW_TOKEN = String.raw`^[^?]*\?(?:.*&)?${spellings("preview_token")}(?:[=&]|\z)`;

function spellings(name: string): string {
  return Array.from(name, (letter) => {
    const code = Array.from(letter.charCodeAt(0).toString(16), anyCase).join("");
    return `(?:${letter}|%${code})`;
  }).join("");
}

function anyCase(digit: string): string {
  return /[a-f]/.test(digit) ? `[${digit.toUpperCase()}${digit}]` : digit;
}

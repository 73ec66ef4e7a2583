import fc from "fast-check";
import { ENDPOINTS } from "../support/server/serving.ts";
import { BODIES, HEADERS, METHODS, PIECES, QUERIES, VERSIONS } from "./odd-http.ts";

const targets = fc.oneof(
  fc
    .tuple(fc.constantFrom(...ENDPOINTS, "$ASSET", "/"), fc.constantFrom(...QUERIES))
    .map((parts) => parts.join("")),
  fc
    .tuple(
      fc.constantFrom("/", "", "/api/v1/projects/", "/assets/"),
      fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }),
    )
    .map(([start, pieces]) => start + pieces.join("")),
);

const bytes = fc
  .uint8Array({ minLength: 1, maxLength: 60 })
  .map((list) => Buffer.from(list).toString("latin1"));

const requests = fc
  .record({
    method: fc.constantFrom(...METHODS),
    target: targets,
    version: fc.constantFrom(...VERSIONS),
    headers: fc.array(fc.constantFrom(...HEADERS), { maxLength: 4 }),
    host: fc.constantFrom("Host: localhost", "Host: localhost", "Host: localhost", "X: y"),
    body: fc.constantFrom(...BODIES),
  })
  .map(
    ({ method, target, version, headers, host, body }) =>
      `${[`${method} ${target} ${version}`, host, ...headers].join("\r\n")}\r\n\r\n${body}`,
  );

/** Text for a connection, one byte per character: consecutive requests, some with unusual bytes. */
export const oddTexts: fc.Arbitrary<string> = fc.oneof(
  { weight: 1, arbitrary: bytes },
  {
    weight: 8,
    arbitrary: fc.array(requests, { minLength: 1, maxLength: 3 }).map((list) => list.join("")),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(requests, fc.nat(), bytes, fc.nat(3)).map(([text, at, odd, instead]) => {
      const here = at % (text.length + 1);
      return text.slice(0, here) + odd + text.slice(here + instead);
    }),
  },
);

/** How a client ends: with an ordinary request, a half-close, a reset, or in the middle of the text. */
export const endings = fc.constantFrom(
  "asks",
  "asks",
  "asks",
  "half-closes",
  "resets",
  "stops short",
);

export type Ending = "asks" | "half-closes" | "resets" | "stops short";

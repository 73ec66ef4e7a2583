import { request } from "./access.js";
import { el } from "./element.js";
import { jsonSearch } from "./json-search.js";
import { jsonTree } from "./json-tree.js";
import { announce, code, copyButton } from "./parts.js";
import { moment, size } from "./words.js";

/** @typedef {import("../document-lines.ts").DocumentLine} DocumentLine */

const NAMES = { project: "Project config", content: "Experience content", schema: "Schema" };

/**
 * The tokens created by this page, by workspace. They are stored nowhere else.
 *
 * @type {Map<string, { token: string, expiresAt: string }>}
 */
const tokens = new Map();

/**
 * The three documents with their addresses, sizes and contents.
 *
 * @param {string} workspace
 * @param {{ documents: readonly DocumentLine[], bodies: ReadonlyMap<string, any>, open: (kind: string) => void, redraw: () => void }} more
 */
export function documentsPart(workspace, { documents, bodies, open, redraw }) {
  const made = tokens.get(workspace);
  const make = async () => {
    tokens.set(workspace, await request("token", { workspace }, { method: "POST" }));
    announce("A preview token was created. The addresses now contain it.");
    redraw();
  };
  return [
    el(
      "div",
      { class: "panel token" },
      made
        ? el(
            "p",
            {},
            "The addresses below have a preview token that is valid until ",
            moment(made.expiresAt),
            ". Anyone who has it can read this draft. ",
            code("svc token list"),
            " lists it, ",
            code("svc token revoke"),
            " revokes it.",
          )
        : [
            el(
              "p",
              {},
              "Other programs read the draft with a preview token. Without one they get published content.",
            ),
            el(
              "p",
              {},
              el("button", { type: "button", onclick: make }, "Create a token for 8 hours"),
            ),
          ],
    ),
    documents.map((line) => documentItem(line, made?.token, bodies.get(line.kind), open)),
  ];
}

/**
 * @param {DocumentLine} line
 * @param {string | undefined} token
 * @param {any} body undefined while not loaded
 * @param {(kind: string) => void} open
 */
function documentItem({ kind, path, size: bytes }, token, body, open) {
  const name = NAMES[kind];
  const published = location.origin + path;
  const draft = `${published}?preview_token=${token === undefined ? "$TOKEN" : encodeURIComponent(token)}`;
  const lines = /** @type {const} */ ([
    ["Published", published],
    ["Draft", draft],
    ["curl", `curl "${draft}"`],
  ]);
  return el(
    "section",
    { class: "group document", "data-key": kind },
    el(
      "div",
      { class: "group-head" },
      el("h2", {}, name),
      el("p", { "data-flash": "" }, bytes === null ? "none" : size(bytes)),
    ),
    bytes === null
      ? el("p", { class: "soft" }, "The experience has no content, so this address returns 404.")
      : [
          el(
            "dl",
            { class: "addresses" },
            lines.map(([label, text]) =>
              el(
                "div",
                {},
                el("dt", {}, label),
                el("dd", {}, code(text), copyButton(text, `${label} of ${name}`)),
              ),
            ),
          ),
          el(
            "details",
            {
              class: "raw",
              ontoggle: (/** @type {Event} */ { currentTarget }) => {
                if (/** @type {HTMLDetailsElement} */ (currentTarget).open) open(kind);
              },
            },
            el("summary", {}, "JSON of the draft"),
            body === undefined
              ? el("p", { class: "soft" }, "…")
              : [jsonSearch(body, name), jsonTree(body, kind, (at) => at.length === 0)],
          ),
        ],
  );
}

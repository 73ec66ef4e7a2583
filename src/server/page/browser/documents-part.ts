import type { JsonValue } from "../../../workspace/json.ts";
import type { DocumentLine } from "../page-data.ts";
import { request } from "./access.ts";
import { el } from "./element.ts";
import { jsonSearch, jsonTree } from "./json-tree.ts";
import { announce, code, copyButton } from "./parts.ts";
import { moment, size } from "./words.ts";

const NAMES = { project: "Project config", content: "Experience content", schema: "Schema" };

/** The tokens created by this page, by workspace. They are stored nowhere else. */
const tokens = new Map<string, { token: string; expiresAt: string }>();

export function documentsPart(
  workspace: string,
  documents: readonly DocumentLine[],
  bodies: ReadonlyMap<string, JsonValue | undefined>,
  open: (kind: string) => void,
  redraw: () => void,
) {
  const made = tokens.get(workspace);
  const make = async () => {
    tokens.set(workspace, await request("token", { workspace }, { method: "POST" }));
    announce("A preview token was created. The addresses now contain it.");
    redraw();
  };
  return [
    el(
      "div.panel.token",
      made
        ? el(
            "p",
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
              "Other programs read the draft with a preview token. Without one they get published content.",
            ),
            el("p", el("button", { type: "button", onclick: make }, "Create a token for 8 hours")),
          ],
    ),
    documents.map((line) => documentItem(line, made?.token, bodies.get(line.kind), open)),
  ];
}

/** @param body undefined while not loaded */
function documentItem(
  { kind, path, size: bytes }: DocumentLine,
  token: string | undefined,
  body: JsonValue | undefined,
  open: (kind: string) => void,
) {
  const name = NAMES[kind];
  const published = location.origin + path;
  const draft = `${published}?preview_token=${token === undefined ? "$TOKEN" : encodeURIComponent(token)}`;
  const lines = [
    ["Published", published],
    ["Draft", draft],
    ["curl", `curl "${draft}"`],
  ] as const;
  return el(
    "section.group.document",
    { "data-key": kind },
    el(
      "div.group-head",
      el("h2", name),
      el("p", { "data-flash": "" }, bytes === null ? "none" : size(bytes)),
    ),
    bytes === null
      ? el("p.soft", "The experience has no content, so this address returns 404.")
      : [
          el(
            "dl.addresses",
            lines.map(([label, text]) =>
              el(
                "div",
                el("dt", label),
                el("dd", code(text), copyButton(text, `${label} of ${name}`)),
              ),
            ),
          ),
          el(
            "details.raw",
            {
              ontoggle: ({ currentTarget }: Event) => {
                if ((currentTarget as HTMLDetailsElement).open) open(kind);
              },
            },
            el("summary", "JSON of the draft"),
            body === undefined
              ? el("p.soft", "…")
              : [jsonSearch(body, name), jsonTree(body, kind, (at) => at.length === 0)],
          ),
        ],
  );
}

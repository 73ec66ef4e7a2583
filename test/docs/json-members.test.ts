import { expect, it } from "vitest";
import { COMMANDS, OUTPUT_SCHEMAS, type OutputSchema } from "../support/json-output.ts";
import { documentText, sections } from "./documents.ts";

/**
 * The paths of the members in a notation such as `{ a, b?: [{ c }], d: … }`: a, b, b.c, d, d.*. A path
 * with a star has members that are not listed. What is named by an id is in angle brackets.
 */
function membersIn(notation: string): string[] {
  const above: string[] = [];
  let [path, before] = ["", ""];
  return [...notation.matchAll(/"[^"]*"|[{}:…]|<?\w+>?/g)].flatMap(([token]) => {
    const isMember = /^[<\w]/.test(token) && before !== ":";
    if (token === "{") above.push(path);
    else if (token === "}") above.pop();
    else if (isMember) path = [above.at(-1), token].filter(Boolean).join(".");
    const open = before === ":" ? path : above.at(-1);
    before = token;
    if (token === "…") return [`${open}.*`];
    return isMember ? [path] : [];
  });
}

/** The paths of the members that a schema has, but for those in an open member, and for errors. */
function membersOfSchema(schema: OutputSchema, open: ReadonlySet<string>, above = ""): string[] {
  if (open.has(`${above}.*`)) return [];
  const { $ref, anyOf = [], items, properties = {}, additionalProperties: others } = schema;
  const inner = [
    ...($ref === undefined ? [] : [OUTPUT_SCHEMAS[$ref.replace("#/$defs/", "")]]),
    ...anyOf,
    items,
  ].filter((one) => one !== undefined);
  const members = Object.entries({ ...properties, ...(others && { "<workspaceId>": others }) });
  return [
    ...inner.flatMap((one) => membersOfSchema(one, open, above)),
    ...members.flatMap(([name, member]) => {
      const path = above === "" ? name : `${above}.${name}`;
      return [path, ...membersOfSchema(member, open, path)];
    }),
  ];
}

/** The members that docs/cli.md lists, by command. */
const DOCUMENTED = new Map(
  sections(documentText("docs/cli.md")).flatMap(({ heading, body }) => {
    const text = body.slice(body.indexOf("`--json`")).replaceAll("\n", " ");
    const found = [...text.matchAll(/`(\{[^`]*\})`/g)].flatMap(([, shape = ""]) =>
      membersIn(shape),
    );
    return heading.startsWith("svc ") && found.length > 0 ? [[heading, new Set(found)]] : [];
  }),
);

const listed = (members: Iterable<string>) =>
  [...new Set(members)].filter((path) => !/\*$|^error\b/.test(path)).sort();

// That commands print nothing else is checked wherever a test runs one (`checkJsonOutput`).
it.each([...DOCUMENTED])(
  "N5: docs/cli.md has each member of the schema of %s, and no other",
  (words, members) => {
    const schema = OUTPUT_SCHEMAS[words.replace("svc ", "").replaceAll(" ", "-")] as OutputSchema;
    expect(listed(members)).toEqual(listed(membersOfSchema(schema, members)));
  },
);

it("N5: docs/cli.md has the members of every command, but of a template", () => {
  const silent = COMMANDS.filter((words) => !DOCUMENTED.has(`svc ${words}`));
  expect(silent).toEqual(["cdn template"]);
});

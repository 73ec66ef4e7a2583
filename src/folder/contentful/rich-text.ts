import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";

/** Nodes and text that every rich text may have, whatever `enabledNodeTypes` says. */
const PLAIN_NODES = [
  ...["document", "paragraph", "text", "list-item"],
  ...["table-row", "table-cell", "table-header-cell"],
];

/** Nodes with an entry as their target. */
const ENTRY_NODES = ["embedded-entry-block", "embedded-entry-inline", "entry-hyperlink"];

/** What the validations of a rich text allow, as options of a field (V11). */
export function richTextOptions(
  validations: readonly JsonObject[],
  context: { modelKey(id: string): string; onNotCarried(name: string): void },
): Record<string, JsonValue> {
  const options: Record<string, JsonValue> = {};
  let nodes: JsonObject | undefined;
  for (const validation of validations) {
    for (const [name, value] of Object.entries(validation)) {
      if (name === "enabledNodeTypes" && isNames(value) && options.nodeTypes === undefined) {
        options.nodeTypes = [...new Set([...PLAIN_NODES, ...value])];
      } else if (name === "enabledMarks" && isNames(value) && options.marks === undefined) {
        options.marks = [...new Set(value)];
      } else if (name === "nodes" && isJsonObject(value) && nodes === undefined) {
        nodes = value;
      } else if (name !== "message") context.onNotCarried(name);
    }
  }
  const enabled = (options.nodeTypes as readonly string[] | undefined) ?? ENTRY_NODES;
  const models = acceptedTypes(nodes ?? {}, enabled, () => context.onNotCarried("nodes"));
  if (models !== undefined) options.models = [...new Set(models.map(context.modelKey))];
  return options;
}

/** The content types of targets, if every enabled kind of link to entries limits them. */
function acceptedTypes(
  nodes: JsonObject,
  enabled: readonly string[],
  onNotCarried: () => void,
): string[] | undefined {
  const kinds = ENTRY_NODES.filter((name) => enabled.includes(name));
  const limits = kinds.map((kind) => typesIn(Object.hasOwn(nodes, kind) ? nodes[kind] : undefined));
  const all = limits.flatMap((types) => types ?? []);
  // One list for all kinds: several lists become what any of them accepts.
  const isSame = new Set(limits.map((types) => JSON.stringify(types?.toSorted()))).size <= 1;
  const hasOther = Object.values(nodes).some(hasOtherRules);
  if (hasOther || (all.length > 0 && !isSame)) onNotCarried();
  return limits.length > 0 && limits.every((types) => types !== undefined) ? all : undefined;
}

function typesIn(rules: JsonValue | undefined): string[] | undefined {
  if (!Array.isArray(rules)) return undefined;
  const lists = (rules as readonly JsonValue[])
    .filter((rule) => isJsonObject(rule))
    .map(({ linkContentType }) => linkContentType)
    .filter((types) => isNames(types));
  return lists[0] === undefined || lists[0].length === 0 ? undefined : [...lists[0]];
}

function hasOtherRules(rules: JsonValue): boolean {
  return (Array.isArray(rules) ? (rules as readonly JsonValue[]) : []).some(
    (rule) =>
      isJsonObject(rule) &&
      Object.keys(rule).some((name) => name !== "linkContentType" && name !== "message"),
  );
}

function isNames(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

import { Document, isMap, isScalar, Scalar, visit } from "yaml";
import type { Template } from "./template.ts";

/** The template as YAML, with its comments, and function code as block literals. */
export function templateYaml({ document, comments }: Template): string {
  // CloudFormation reads YAML 1.1: texts that it would read as a date or boolean are quoted.
  const yaml = new Document(document, { version: "1.1", aliasDuplicateObjects: false });
  for (const [path, comment] of Object.entries(comments)) {
    if (path !== "") commentOn(yaml, path.split("/"), comment);
  }
  yaml.commentBefore = asComment(comments[""] ?? "");
  visit(yaml, {
    Pair(_, { key, value }) {
      if (isScalar(key) && key.value === "FunctionCode" && isScalar(value)) {
        value.type = Scalar.BLOCK_LITERAL;
      }
    },
  });
  return yaml.toString({ lineWidth: 0 });
}

/** The template as JSON, which has no comments. */
export function templateJson({ document }: Template): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function commentOn(yaml: Document, path: readonly string[], comment: string): void {
  const map = yaml.getIn(path.slice(0, -1));
  const pair = isMap(map)
    ? map.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))
    : undefined;
  if (pair === undefined) throw new Error(`the template has no ${path.join("/")} to comment on`);
  (pair.key as Scalar).commentBefore = asComment(comment);
}

function asComment(text: string): string {
  return text.replaceAll(/^/gm, " ");
}

import type { FieldDefinition } from "../workspace/field.ts";
import type { Renderer } from "./renderer.ts";

/** A value that names the model or the block `name`, which is not among the accepted ones. */
interface Refused {
  readonly option: "models" | "blocks";
  readonly name: string;
  readonly accepted: readonly string[];
}

/** P11: of the field, not of each value, when the name is refused because of a misspelt option. */
export function refuse(
  field: FieldDefinition,
  { option, name, accepted }: Refused,
  renderer: Renderer,
  report: () => void,
): void {
  const all = renderer.lookup.optionProblems.get(field) ?? [];
  const unknown = all.filter(({ args }) => args.option === option);
  const isMeant = unknown.some(({ args }) => args.suggestion === name);
  const acceptsNothing = unknown.length > 0 && unknown.length === accepted.length;
  if (isMeant || acceptsNothing) renderer.refuseBy(unknown);
  else report();
}

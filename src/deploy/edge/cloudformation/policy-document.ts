/** A statement of an IAM policy; a single value is a list of one. */
export interface Statement {
  readonly allows: boolean;
  /** By kind (`AWS`, `Service`, `Federated`); `*` without a kind is `{ AWS: ["*"] }`. */
  readonly principals: Readonly<Record<string, readonly string[]>>;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** Whether it has a `NotAction`, `NotResource` or `NotPrincipal`. */
  readonly isInverted: boolean;
  /** Values by operator and key, both in lower case: `stringequals aws:sourcearn`. */
  readonly conditions: ReadonlyMap<string, readonly string[]>;
}

type OneOrMore = string | boolean | readonly string[] | undefined;

interface RawStatement {
  readonly Effect: string;
  readonly Principal?: string | Readonly<Record<string, OneOrMore>>;
  readonly Action?: OneOrMore;
  readonly Resource?: OneOrMore;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, OneOrMore>>>>;
}

/** The statements of a policy document's JSON. */
export function statementsOf(json: string): Statement[] {
  const { Statement: found } = JSON.parse(json) as { Statement: RawStatement | RawStatement[] };
  return [found].flat().map((raw) => {
    const { Effect, Principal = {}, Action, Resource, Condition = {} } = raw;
    const principals = typeof Principal === "string" ? { AWS: Principal } : Principal;
    return {
      allows: Effect === "Allow",
      principals: Object.fromEntries(
        Object.entries(principals).map(([kind, names]) => [kind, list(names)]),
      ),
      actions: list(Action),
      resources: list(Resource),
      isInverted: Object.keys(raw).some((name) => name.startsWith("Not")),
      conditions: new Map(
        Object.entries(Condition).flatMap(([operator, keys]) =>
          Object.entries(keys).map(([key, values]): [string, string[]] => [
            `${operator} ${key}`.toLowerCase(),
            list(values),
          ]),
        ),
      ),
    };
  });
}

function list(value: OneOrMore): string[] {
  return value === undefined ? [] : [value].flat().map(String);
}

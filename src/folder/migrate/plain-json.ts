import { type JsonValue, jsonPointer } from "../../workspace/json.ts";
import { MAXIMUM_NESTING } from "../json-losses.ts";

const TOO_DEEP_VALUES = `values nested more than ${MAXIMUM_NESTING} levels deep`;

/** A value that JSON cannot hold without loss. */
export class NoJson extends Error {
  /** A JSON Pointer; empty for the value itself. */
  readonly place: string;

  constructor(what: string, path: readonly (string | number)[]) {
    super(what);
    this.place = jsonPointer(path);
  }
}

/**
 * M6: a copy of a value as JSON holds it, without members that are undefined. A value is refused
 * where `JSON.stringify` would change it.
 *
 * @throws NoJson for the first such value.
 */
export function plainJson(value: unknown): JsonValue {
  const path: (string | number)[] = [];
  /** The objects around the current value. */
  const around: object[] = [];
  const inside = (segment: string | number, one: unknown): JsonValue => {
    path.push(segment);
    const copy = copied(one);
    path.pop();
    return copy;
  };
  const copied = (value: unknown): JsonValue => {
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    if (typeof value !== "object") throw new NoJson(described(value), path);
    if (around.includes(value)) throw new NoJson("an object that contains itself", path);
    if (path.length >= MAXIMUM_NESTING) throw new NoJson(TOO_DEEP_VALUES, path.slice(0, 3));
    if (!Array.isArray(value) && !isPlain(value)) throw new NoJson(`a ${classOf(value)}`, path);
    around.push(value);
    const copy = Array.isArray(value)
      ? // Unlike `map`, this also visits the holes of sparse arrays.
        Array.from(value, (one, at) => inside(at, one))
      : Object.fromEntries(
          Object.entries(value).flatMap(([name, one]) =>
            one === undefined ? [] : [[name, inside(name, one)]],
          ),
        );
    around.pop();
    return copy;
  };
  return copied(value);
}

function described(value: unknown): string {
  return typeof value === "number" || value === undefined ? String(value) : `a ${typeof value}`;
}

/** Whether an object is of no class, of whatever realm. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function classOf(value: object): string {
  const { name } = value.constructor ?? {};
  return typeof name === "string" && name !== "" ? name : "class instance";
}

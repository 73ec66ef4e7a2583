import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { JsonValue } from "../../../workspace/json.ts";
import { counted } from "./words.ts";

/** How many members are shown at first, how many more by a button; and how many matches. */
const [SHOWN, MOST] = [100, 100];

interface Tree {
  value: JsonValue;
  name: string;
  isOpen?: boolean;
  /** A place to open the folds around, and to focus: another array for each time. */
  reveal?: readonly string[] | undefined;
}

/** A JSON value as nested folds, whose contents are made when opened and stay open when it changes. */
export function JsonTree(tree: Tree) {
  return (
    <div class="json">
      <Node {...tree} path={[]} />
    </div>
  );
}

function Node({ value, name, isOpen = false, reveal, path }: Tree & { path: readonly string[] }) {
  const line = useRef<HTMLElement | null>(null);
  const setLine = (element: HTMLElement | null) => {
    line.current = element;
  };
  const [open, setOpen] = useState(isOpen);
  const [shown, setShown] = useState(SHOWN);
  const isAround = reveal !== undefined && path.every((segment, at) => segment === reveal[at]);
  useLayoutEffect(() => {
    if (!isAround) return;
    setOpen(true);
    if (path.length < reveal.length) return;
    line.current?.focus({ preventScroll: true });
    line.current?.scrollIntoView({ block: "center", behavior: "instant" });
  }, [reveal]);
  const place = { "data-json": path.join("\n"), tabIndex: isAround ? -1 : undefined };
  if (typeof value !== "object" || value === null) {
    return (
      <div class="json-line" {...place} ref={setLine}>
        <span class="json-key">{name}</span>
        <span class={`json-${value === null ? "null" : typeof value}`}>
          {JSON.stringify(value)}
        </span>
      </div>
    );
  }
  const members = Object.entries(value);
  const aim = isAround ? members.findIndex(([member]) => member === reveal[path.length]) : -1;
  const left = members.length - Math.max(shown, aim + 1);
  return (
    <details
      {...place}
      ref={setLine}
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <span class="json-key">{name}</span>
        <span class="json-count">
          {Array.isArray(value) ? `[${members.length}]` : `{${members.length}}`}
        </span>
        {hint(value)}
      </summary>
      <div class="json-inside">
        {open &&
          members
            .slice(0, members.length - Math.max(0, left))
            .map(([member, child]) => (
              <Node
                key={member}
                value={child}
                name={member}
                path={[...path, member]}
                reveal={aim < 0 ? undefined : reveal}
              />
            ))}
        {open && left > 0 && (
          <button class="quiet" type="button" onClick={() => setShown(shown + SHOWN)}>
            {left} more
          </button>
        )}
      </div>
    </details>
  );
}

function hint(value: object) {
  const { id, contentEntryId, contentBlockKey, key: named } = value as Record<string, unknown>;
  const text = [id, contentEntryId, contentBlockKey, named].find((one) => typeof one === "string");
  return typeof text === "string" && <span class="json-hint">{text}</span>;
}

/** A JSON value with a search of its values above it; each match opens its place. */
export function SearchedJson({
  value,
  name,
  root,
}: {
  value: JsonValue;
  name: string;
  root: string;
}) {
  const [words, setWords] = useState("");
  const [reveal, setReveal] = useState<readonly string[]>();
  const found = words === "" ? [] : matchesIn(value, words);
  return (
    <>
      <search class="json-search">
        <input
          type="search"
          placeholder="Search in the JSON"
          aria-label={`Search in ${name}`}
          spellcheck={false}
          onInput={({ currentTarget }) => setWords(currentTarget.value.trim().toLowerCase())}
        />
        <ol class="json-found">
          {found.slice(0, MOST).map(({ path, text }) => (
            <li key={path.join("\n")}>
              <button type="button" onClick={() => setReveal([...path])}>
                <code>{pointer(path)}</code>
                <span>{text}</span>
              </button>
            </li>
          ))}
        </ol>
        <p class="soft" role="status">
          {words !== "" &&
            (found.length > MOST
              ? `More than ${MOST} matches`
              : counted(found.length, "match", "matches"))}
        </p>
      </search>
      <JsonTree value={value} name={root} isOpen reveal={reveal} />
    </>
  );
}

function pointer(path: readonly string[]) {
  return path.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** @param words in lower case */
function matchesIn(value: unknown, words: string) {
  const found: { path: readonly string[]; text: string }[] = [];
  const walk: (value: unknown, path: readonly string[]) => void = (inside, path) => {
    if (found.length > MOST) return;
    if (typeof inside === "object" && inside !== null) {
      for (const [member, child] of Object.entries(inside)) walk(child, [...path, member]);
      return;
    }
    const text = JSON.stringify(inside);
    const at = text.toLowerCase().indexOf(words);
    if (at < 0) return;
    const from = Math.max(0, at - 40);
    found.push({ path, text: `${from > 0 ? "…" : ""}${text.slice(from, from + 160)}` });
  };
  walk(value, []);
  return found;
}

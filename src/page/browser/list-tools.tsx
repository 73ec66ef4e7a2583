import type { ComponentChildren } from "preact";
import type { PagedRows } from "./paged-rows.ts";
import { Button, EmptyState } from "./parts.tsx";
import { counted } from "./words.ts";

type Chosen = Readonly<Record<string, string>>;

/** What is above a list: a filter and chips, other tools, and how many there are. */
export function ListTools({
  noun,
  filtered,
  states,
  chosen: { filter = "", only = "" },
  change,
  rows,
  waiting = "Reading…",
  isAll,
  children,
}: {
  noun: readonly [one: string, many: string];
  /** By what: "title or id". */
  filtered: string;
  states: Readonly<Record<string, string>>;
  chosen: Chosen;
  change: (more: Chosen) => void;
  rows: PagedRows;
  /** What is said in place of the count. */
  waiting?: string | undefined;
  /** Whether nothing else is chosen that leaves some out. */
  isAll: boolean;
  children?: ComponentChildren;
}) {
  const { error, isCurrent, answer } = rows;
  const isNone = answer?.total === 0 && isCurrent;
  const status = answer === undefined ? waiting : counted(answer.total, ...noun);
  return (
    <>
      <div class="table-tools">
        <input
          type="search"
          placeholder={`Filter by ${filtered}`}
          aria-label={`Filter by ${filtered}`}
          value={filter}
          onInput={({ currentTarget }) => change({ filter: currentTarget.value })}
        />
        <div class="chips">
          {Object.entries(states).map(([key, name]) => (
            <Button
              key={key}
              class="chip"
              aria-pressed={key === only}
              onClick={() => change({ only: key })}
            >
              {name}
            </Button>
          ))}
        </div>
        {children}
      </div>
      <p class="soft table-count" role="status">
        {error?.message ?? status}
      </p>
      {isNone && (
        <EmptyState
          title={
            filter + only === "" && isAll ? `There are no ${noun[1]} yet` : `No such ${noun[1]}`
          }
        />
      )}
    </>
  );
}

export function Choice({
  label,
  value,
  options,
  onChoose,
}: {
  label: string;
  value: string;
  options: readonly (readonly [key: string, name: string, ...unknown[]])[];
  onChoose: (value: string) => void;
}) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      {options.map(([key, name]) => (
        <option key={key} value={key}>
          {name}
        </option>
      ))}
    </select>
  );
}

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { DefinitionsView } from "../definitions-view.ts";
import type { EntryTable as Table } from "../entry-table.ts";
import { ChangedTag } from "./changed-since.tsx";
import { Thumb } from "./files.tsx";
import { useChosen, useKnown, usePagedRows } from "./paged-rows.ts";
import { EmptyState, HiddenTag, ModelTag, ProblemCounts, ViewHead } from "./parts.tsx";
import { entryHref } from "./router.ts";
import { usesText } from "./where-used.tsx";
import { WindowedList } from "./windowed-list.tsx";
import { counted, day } from "./words.ts";

type Row = Table["rows"][number];
type Column = Table["columns"][number];

/** What the chips above a table choose. */
const STATES = {
  "": "All",
  hidden: "Drafts",
  changed: "Changed",
  problems: "With problems",
  unused: "On no page",
} as const;

/** The height of a row, which is a card where the window is narrow. */
const [ROW, CARD] = [48, 116];
/** Where tables become cards, as in `tables.css`. */
const NARROW = "(max-width: 48rem)";

/**
 * H35: entries as a table with sorting, a filter and chips, which are kept in the address.
 *
 * @param models to choose from; absent where it is of one model or block
 */
export function EntryTable({
  fixed = {},
  models,
}: {
  fixed?: { model?: string; block?: string };
  models?: DefinitionsView["models"];
}) {
  const [chosen, change] = useChosen();
  const { filter = "", only = "", sort = "title", model = "" } = chosen;
  const isChecked = only === "problems" || only === "changed";
  const rows = usePagedRows(isChecked ? "checked-table" : "table", {
    q: filter,
    only,
    sort,
    model,
    ...fixed,
  });
  const problems = useKnown("entry-problem-counts", rows.ids);
  const uses = useKnown("uses", rows.ids);
  const height = useIsNarrow() ? CARD : ROW;
  const { total, columns = [] } = rows.answer ?? {};
  const isOfModel = (fixed.model ?? model) !== "";
  const heads: Column[] = [
    { key: "title", name: "Title", type: "" },
    ...columns.map((column) => ({ ...column, key: `field:${column.key}` })),
    ...(isOfModel ? [] : [{ key: "model", name: "Model", type: "" }]),
    { key: "used", name: "Used", type: "" },
  ];
  const widths = heads
    .slice(1, -1)
    .map(({ type }) => (type.startsWith("date") ? "8rem" : "minmax(0, 1fr)"));
  const grid = `minmax(12rem, 3fr) ${widths.join(" ")} 8rem minmax(6rem, 9rem)`;
  return (
    <div class="entry-table" style={{ "--columns": grid }}>
      <div class="table-tools">
        <input
          type="search"
          placeholder="Filter by title"
          aria-label="Filter by title or id"
          value={filter}
          onInput={({ currentTarget }) => change({ filter: currentTarget.value })}
        />
        {models && (
          <Choice
            label="Model"
            value={model}
            options={[["", "All models"], ...models.map(({ id, name }) => [id, name] as const)]}
            onChoose={(id) => change({ model: id, sort: "" })}
          />
        )}
        <Chips options={STATES} value={only} onChoose={(state) => change({ only: state })} />
        <div class="table-sort">
          <Choice
            label="Sort by"
            value={sort}
            options={heads.flatMap(({ key, name }) => [
              [key, `Sort by ${name}`],
              [`-${key}`, `Sort by ${name}, reversed`],
            ])}
            onChoose={(key) => change({ sort: key })}
          />
        </div>
      </div>
      <p class="soft table-count" role="status">
        {rows.error ? rows.error.message : countText(total, isChecked && !rows.isCurrent)}
      </p>
      <div class="table-head">
        {heads.map(({ key, name }) => (
          <SortButton
            key={key}
            name={name}
            by={key}
            sort={sort}
            onSort={(to) => change({ sort: to })}
          />
        ))}
      </div>
      {total === 0 && rows.isCurrent && (
        <EmptyState
          title={filter + only + model === "" ? "There are no entries yet" : "No such entries"}
        />
      )}
      <WindowedList<Row | undefined>
        label="Entries"
        items={{ length: total ?? 0, at: rows.at }}
        height={height}
        onShown={rows.onShown}
        row={(row) =>
          row === undefined ? (
            <div class="row is-waiting">…</div>
          ) : (
            <a class="row table-row" href={entryHref(row.id)}>
              <span class="row-title" dir="auto">
                <Thumb file={row.picture} />
                {row.title}
              </span>
              {columns.map((column, at) => (
                <Cell key={column.key} name={column.name}>
                  {cellText(column, row.cells[at])}
                </Cell>
              ))}
              {!isOfModel && (
                <Cell name="Model">{row.modelName ?? <ModelTag modelName={null} />}</Cell>
              )}
              <Cell name="Used">{usesText(uses(row.id))}</Cell>
              <span class="table-marks">
                <HiddenTag hidden={row.hidden} />
                <ChangedTag id={row.id} />
                <ProblemCounts counts={problems(row.id)} />
              </span>
            </a>
          )
        }
      />
    </div>
  );
}

/** The entries of all models. */
export function AllEntries({ models }: { models: DefinitionsView["models"] }) {
  return (
    <article>
      <ViewHead title="Entries" />
      <EntryTable models={models} />
    </article>
  );
}

function countText(total: number | undefined, isChecking: boolean) {
  if (isChecking) return "Checking…";
  return total === undefined ? "Reading…" : counted(total, "entry", "entries");
}

function cellText({ type }: Column, text = "") {
  return type.startsWith("date") && text !== "" ? day(text) : text;
}

/** A value with the name of its column, which is seen where the row is a card. */
function Cell({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <span class={children === "" ? "table-cell is-empty" : "table-cell"}>
      <span class="table-name">{name} </span>
      <span dir="auto">{children}</span>
    </span>
  );
}

function SortButton({
  name,
  by,
  sort,
  onSort,
}: {
  name: string;
  by: string;
  sort: string;
  onSort: (to: string) => void;
}) {
  const isUp = sort === by;
  const isDown = sort === `-${by}`;
  return (
    <button
      type="button"
      class="sort"
      aria-pressed={isUp || isDown}
      onClick={() => onSort(isUp ? `-${by}` : by)}
    >
      {name}
      {(isUp || isDown) && <span aria-hidden="true">{isUp ? " ↑" : " ↓"}</span>}
      {isDown && <span class="unseen">, reversed</span>}
    </button>
  );
}

/** Buttons of which one is chosen. */
export function Chips({
  options,
  value,
  onChoose,
}: {
  options: Readonly<Record<string, string>>;
  value: string;
  onChoose: (value: string) => void;
}) {
  return (
    <div class="chips">
      {Object.entries(options).map(([key, name]) => (
        <button
          key={key}
          type="button"
          class="chip"
          aria-pressed={key === value}
          onClick={() => onChoose(key)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

function Choice({
  label,
  value,
  options,
  onChoose,
}: {
  label: string;
  value: string;
  options: readonly (readonly [string, string] | readonly string[])[];
  onChoose: (value: string) => void;
}) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      {options.map(([key = "", name]) => (
        <option key={key} value={key}>
          {name}
        </option>
      ))}
    </select>
  );
}

function useIsNarrow() {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const media = matchMedia(NARROW);
    const onChange = () => setNarrow(media.matches);
    media.addEventListener("change", onChange);
    return () => media.removeEventListener("change", onChange);
  }, []);
  return isNarrow;
}

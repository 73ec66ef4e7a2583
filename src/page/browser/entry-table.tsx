import type { ComponentChildren } from "preact";
import type { Answers } from "../queries.ts";
import { localeName } from "../spoken.ts";
import { ChangedTag } from "./changed-since.tsx";
import { NewEntry } from "./edit-new.tsx";
import { Thumb } from "./files.tsx";
import { Choice, ListTools, useChosen, useKnown, usePagedRows } from "./list-tools.tsx";
import { useEvents } from "./listening.ts";
import { Button, ModelTag, ProblemCounts, PublishingTag, ViewHead } from "./parts.tsx";
import { entryHref, translationHref } from "./router.ts";
import { languageFilters, NotWorkedOut, useTranslations } from "./translations.tsx";
import { usesText } from "./where-used.tsx";
import { WindowedList } from "./windowed-list.tsx";
import { day } from "./words.ts";

type Rows = Answers["entries"];
type Column = Rows["columns"][number];
type Models = Answers["definitions"]["models"];

/** What the chips above a table choose. */
const STATES = {
  "": "All",
  hidden: "Drafts",
  changed: "Changed",
  problems: "With problems",
  unused: "On no page",
} as const;

/** How many languages have a column; the others can be chosen. */
const MOST_LANGUAGES = 6;

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
  fixed?: { models?: string; block?: string };
  models?: Models;
}) {
  const [chosen, change] = useChosen();
  const { filter = "", only = "", sort = "title", model = "" } = chosen;
  const { missing = "", older = "", translations = "" } = chosen;
  const rows = usePagedRows("entries", {
    ...{ q: filter, only, sort, missing, models: model },
    ...(older && { older }),
    ...(translations && { translations }),
    ...fixed,
  });
  const problems = useKnown("entry-problem-counts", rows.ids);
  const uses = useKnown("uses", rows.ids);
  useEvents("resize");
  const height = matchMedia(NARROW).matches ? CARD : ROW;
  const { total = 0, columns = [], locales = [] } = rows.answer ?? {};
  const counts = useTranslations(locales.length > 1);
  const filters = languageFilters(locales, counts);
  /** H74: where the rows lead; the main language is translated from. */
  const to = counts && [missing, older].find((one) => one !== "" && one !== counts.mainLocale);
  const languages = translations === "" ? [] : locales.slice(0, MOST_LANGUAGES);
  const isOfModel = (fixed.models ?? model) !== "";
  const isChecking = (only === "problems" || only === "changed" || older) && !rows.isCurrent;
  const heads: Column[] = [
    { key: "title", name: "Title", type: "" },
    ...columns.map((column) => ({ ...column, key: `field:${column.key}` })),
    ...(isOfModel ? [] : [{ key: "model", name: "Model", type: "" }]),
    ...languages.map((locale) => ({ key: "", name: localeName(locale), type: "" })),
    { key: "used", name: "Used", type: "" },
  ];
  const sorted = heads.filter(({ key }) => key !== "");
  const widths = heads
    .slice(1, -1)
    .map(({ type }) => (type.startsWith("date") ? "8rem" : "minmax(0, 1fr)"));
  const grid = `minmax(12rem, 3fr) ${widths.join(" ")} 8rem minmax(6rem, 11rem)`;
  return (
    <div class="entry-table" style={{ "--columns": grid }}>
      <ListTools
        noun={["entry", "entries"]}
        filtered="title or id"
        states={STATES}
        {...{ chosen, change, rows }}
        waiting={isChecking ? "Checking…" : undefined}
        isAll={model + missing + older === ""}
      >
        {models && (
          <Choice
            label="Model"
            value={model}
            options={[["", "All models"], ...models.map(({ id, name }) => [id, name] as const)]}
            onChoose={(id) => change({ model: id, sort: "" })}
          />
        )}
        {locales.length > 1 && (
          <>
            <Choice
              label="Language"
              value={older ? `older ${older}` : missing && `missing ${missing}`}
              options={filters}
              onChoose={(key) => change(filters.find(([one]) => one === key)?.[2] ?? {})}
            />
            <Button
              class="chip"
              aria-pressed={translations !== ""}
              onClick={() => change({ translations: translations === "" ? "yes" : "" })}
            >
              Show languages
            </Button>
          </>
        )}
        {models && <NewEntry model={model || undefined} />}
        <div class="table-sort">
          <Choice
            label="Sort by"
            value={sort}
            options={sorted.flatMap(({ key, name }) => [
              [key, `Sort by ${name}`] as const,
              [`-${key}`, `Sort by ${name}, reversed`] as const,
            ])}
            onChoose={(key) => change({ sort: key })}
          />
        </div>
      </ListTools>
      <NotWorkedOut translations={counts} />
      <div class="table-head">
        {heads.map(({ key, name }) => {
          const isUp = sort === key;
          const isDown = sort === `-${key}`;
          return key === "" ? (
            <span key={name} class="table-language">
              {name}
            </span>
          ) : (
            <Button
              key={key}
              class="sort"
              aria-pressed={isUp || isDown}
              onClick={() => change({ sort: isUp ? `-${key}` : key })}
            >
              {name}
              {(isUp || isDown) && <span aria-hidden="true">{isUp ? " ↑" : " ↓"}</span>}
              {isDown && <span class="unseen">, reversed</span>}
            </Button>
          );
        })}
      </div>
      <WindowedList<Rows["rows"][number] | undefined>
        label="Entries"
        items={{ length: total, at: rows.at }}
        height={height}
        onShown={rows.onShown}
        row={(row) =>
          row === undefined ? (
            <div class="row is-waiting">…</div>
          ) : (
            <>
              <a class="row table-row" href={to ? translationHref(row.id, to) : entryHref(row.id)}>
                <span class="row-title" dir="auto">
                  <Thumb file={row.picture} />
                  {row.title}
                </span>
                {columns.map((column, at) => (
                  <Cell key={column.key} name={column.name}>
                    {column.type.startsWith("date") ? day(row.cells[at] ?? "") : row.cells[at]}
                  </Cell>
                ))}
                {!isOfModel && (
                  <Cell name="Model">{row.modelName ?? <ModelTag modelName={null} />}</Cell>
                )}
                {languages.map((locale, at) => (
                  <Cell key={locale} name={localeName(locale)}>
                    {row.translations?.[at] ?? ""}
                  </Cell>
                ))}
                <Cell name="Used">{usesText(uses(row.id))}</Cell>
                <span class="table-marks">
                  <PublishingTag of={row} />
                  <ChangedTag id={row.id} />
                  <ProblemCounts counts={problems(row.id)} />
                </span>
              </a>
              <NewEntry label="❐" name={`Duplicate ${row.title}`} of={row} />
            </>
          )
        }
      />
    </div>
  );
}

/** The entries of all models. */
export function AllEntries({ models }: { models: Models }) {
  return (
    <article>
      <ViewHead title="Entries" />
      <EntryTable models={models} />
    </article>
  );
}

/** A value with the name of its column, which is seen where the row is a card. */
function Cell({ name, children = "" }: { name: string; children: ComponentChildren }) {
  return (
    <span class={children === "" ? "table-cell is-empty" : "table-cell"}>
      <span class="table-name">{name} </span>
      <span dir="auto">{children}</span>
    </span>
  );
}

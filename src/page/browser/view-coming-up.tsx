import type { Answers } from "../queries.ts";
import { asOf, showAsOf } from "./as-of.tsx";
import { Button, EmptyState, Group, ModelTag, RowLink, ViewHead } from "./parts.tsx";
import { entryHref } from "./router.ts";
import { counted, fromLocal, localTime, moment, number } from "./words.ts";

type ComingUp = Answers["coming-up"];

const CHANGES = { publish: "goes live", unpublish: "ends", list: "changes its place in lists" };

/** H56: what falls due, by day, and the page as it will be then. */
export function ComingUpView({ comingUp: { total, changes } }: { comingUp: ComingUp }) {
  const days = Map.groupBy(changes, ({ at }) => dayOf(at));
  return (
    <article>
      <ViewHead title="Coming up" below={counted(total, "change by its date", "changes by date")} />
      <TimeForm />
      {total === 0 && (
        <EmptyState title="Nothing comes up">
          <p>Here stands what gets published, or no longer is, at a date of its own.</p>
        </EmptyState>
      )}
      {Array.from(days, ([day, all]) => (
        <Group
          name={day}
          title={day}
          beside={
            <Button onClick={() => showAsOf(all.at(-1)?.at ?? "")}>Show the page as of then</Button>
          }
        >
          {all.map(dueRow)}
        </Group>
      ))}
      {total > changes.length && (
        <p class="soft">and {number(total - changes.length)} more, later</p>
      )}
    </article>
  );
}

function dueRow({ change, at, entry }: ComingUp["changes"][number]) {
  return (
    <RowLink
      href={entryHref(entry.id)}
      title={entry.title}
      below={`${CHANGES[change]} ${moment(at)}`}
      beside={<ModelTag modelName={entry.modelName} />}
    />
  );
}

/** Any time, for the page to go by. */
function TimeForm() {
  return (
    <form
      class="table-tools"
      onSubmit={(event) => {
        event.preventDefault();
        const time = event.currentTarget.querySelector("input")?.value ?? "";
        showAsOf(time && fromLocal(time));
      }}
    >
      <label>
        {"Show the page as of "}
        <input type="datetime-local" required defaultValue={localTime(asOf())} />
      </label>
      <button type="submit">Show</button>
    </form>
  );
}

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "full" });

/** "Friday 4 December 2026", in the zone of the browser. */
const dayOf = (text: string) => DAY.format(new Date(text));

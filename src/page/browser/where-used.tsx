import { useState } from "preact/hooks";
import { andMore } from "../../workspace/listed.ts";
import type { UsedKind, Uses, WhereUsed as Where } from "../where-used.ts";
import { useAnswer } from "./answers.ts";
import { Button, TitleLink } from "./parts.tsx";
import { entryHref, viewHref } from "./router.ts";
import { counted, number } from "./words.ts";

/** How many pages or entries a line names before the fold. */
const NAMED = 3;

/** "3 pages"; "used by 2, no page". @param uses undefined: not known yet */
export function usesText(uses: Uses | undefined) {
  if (uses === undefined) return "…";
  const { pages, users } = uses;
  if (pages > 0) return counted(pages, "page");
  return users > 0 ? `used by ${number(users)}, no page` : "not used";
}

/** H34: on which pages an entry or asset is, and what uses it. */
export function WhereUsed({ kind, id }: { kind: UsedKind; id: string }) {
  const { answer } = useAnswer("where-used", { kind, id });
  if (answer === undefined) return <p class="where-used soft">Where it is used…</p>;
  const { pages, entries, projects } = answer;
  const isAlone = entries.total + projects.length === 0;
  return (
    <div class="where-used">
      {pages.total === 0 && <p>No page shows it{isAlone && ", nothing uses it"}.</p>}
      <Links
        label={`On ${counted(pages.total, "page")}`}
        total={pages.total}
        links={pages.listed.map((page) => ({
          href: viewHref(["projects", page.project.id, "experiences", page.id]),
          title: pageName(page, pages.listed),
        }))}
      />
      <Links
        label={`Used by ${counted(entries.total, "entry", "entries")}`}
        total={entries.total}
        links={entries.listed.map(({ id: entry, title }) => ({ href: entryHref(entry), title }))}
      />
      <Links
        label={`Used by ${counted(projects.length, "project")}`}
        total={projects.length}
        links={projects.map((one) => ({ href: viewHref(["projects", one.id]), title: one.name }))}
      />
    </div>
  );
}

type Page = Where["pages"]["listed"][number];

/** With the project where the pages are of several. */
export function pageName({ name, project }: Page, all: readonly Page[]) {
  return all.every((other) => other.project.id === project.id) ? name : `${name} (${project.name})`;
}

function Links({
  label,
  total,
  links,
}: {
  label: string;
  total: number;
  links: readonly { readonly href: string; readonly title: string }[];
}) {
  const [isOpen, setOpen] = useState(false);
  if (total === 0) return null;
  const shown = isOpen ? links : links.slice(0, NAMED);
  const left = total - shown.length;
  return (
    <p>
      {label}:{" "}
      {shown.map((link, at) => (
        <>
          {at > 0 && ", "}
          <TitleLink {...link} />
        </>
      ))}
      {isOpen && andMore(left)}
      {left > 0 && !isOpen && <Button onClick={() => setOpen(true)}>{andMore(left)}</Button>}
    </p>
  );
}

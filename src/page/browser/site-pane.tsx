import { useEffect, useState } from "preact/hooks";
import { useAnswer } from "./answers.ts";
import { Choice } from "./list-tools.tsx";
import { Button } from "./parts.tsx";
import type { Route } from "./router.ts";
import { type ShownPage, SiteFrame } from "./site-frame.tsx";
import { pageName } from "./where-used.tsx";

/** The widths of the frame, and what they are called. */
const WIDTHS = { "390": "Phone", "768": "Tablet", full: "Full" };
type Width = keyof typeof WIDTHS;

/** The item of local storage with the width; `closed` when it is not shown. */
const STORAGE_ITEM = "svc-site";
/** The windows in which it is in place of the content, as in site.css. */
const narrow = matchMedia("(max-width: 72rem)");

interface NamedPage extends ShownPage {
  readonly name: string;
}

/** What was shown last: it stays beside an entry that it shows. */
let last: NamedPage | undefined;

/** H46a: the site beside the experience or the entry at an address of the page; nothing beside others. */
export function SitePane({ route: { segments } }: { route: Route }) {
  const [, kind, id = "", inner, experience = ""] = segments;
  const isPage = kind === "projects" && inner === "experiences" && experience !== "";
  const isEntry = kind === "entries" && id !== "";
  const used = useAnswer(isEntry ? "where-used" : undefined, { kind: "entries", id });
  if (isPage) {
    return <Pane segments={segments} pages={[{ project: id, experience, name: experience }]} />;
  }
  if (!isEntry) return null;
  const listed = used.isOfQuery ? used.answer?.pages.listed : undefined;
  const pages = listed?.map((page) => ({
    project: page.project.id,
    experience: page.id,
    name: pageName(page, listed),
  }));
  return <Pane segments={segments} pages={pages} />;
}

interface PaneProps {
  segments: readonly string[];
  /** Of which one may be chosen; undefined until they are known. */
  pages: readonly NamedPage[] | undefined;
}

function Pane({ segments, pages }: PaneProps) {
  const [choice, setChoice] = useState(chosen);
  const [, redraw] = useState(0);
  // What a click in it has opened is below it there.
  useEffect(() => {
    if (narrow.matches) setChoice("closed");
  }, [segments.join("/")]);
  const isOpen = choice !== "closed";
  useEffect(() => {
    if (isOpen) document.body.dataset.site = choice;
    document.body.style.setProperty("--scrollbar", `${scrollbarWidth()}px`);
    return () => {
      delete document.body.dataset.site;
    };
  }, [isOpen, choice]);
  const choose = (width: Width | "closed") => {
    localStorage.setItem(STORAGE_ITEM, width);
    setChoice(width);
  };
  if (!isOpen) {
    return (
      <button id="site-open" type="button" onClick={() => choose("390")}>
        Your site
      </button>
    );
  }
  const isLast = ({ project, experience }: NamedPage) =>
    project === last?.project && experience === last.experience;
  const page = pages ? (pages.find(isLast) ?? pages[0]) : last;
  last = page;
  return (
    <aside id="site" aria-label="Your site">
      <div class="site-head">
        {pages && pages.length > 1 && (
          <Choice
            label="Page of your site"
            value={String(page && pages.indexOf(page))}
            options={pages.map(({ name }, at) => [String(at), name])}
            onChoose={(at) => {
              last = pages[Number(at)];
              redraw((before) => before + 1);
            }}
          />
        )}
        <fieldset>
          <legend class="unseen">Width of the site</legend>
          {Object.entries(WIDTHS).map(([width, name]) => (
            <Button aria-pressed={width === choice} onClick={() => choose(width as Width)}>
              {name}
            </Button>
          ))}
        </fieldset>
        <Button onClick={() => choose("closed")}>Close</Button>
      </div>
      {page && <Site key={`${page.project} ${page.experience}`} page={page} />}
      {pages?.length === 0 && <p class="site-note">No page of your site shows this entry.</p>}
    </aside>
  );
}

function Site({ page: { project, experience } }: { page: ShownPage }) {
  const { answer, error } = useAnswer("site", { project, experience });
  if (answer) return <SiteFrame page={{ project, experience }} view={answer} />;
  return error ? <p class="site-note">Your site has no address for this project.</p> : null;
}

/** How wide a bar for scrolling is here: 0 where it is above what it scrolls, as on a phone. */
function scrollbarWidth() {
  const probe = document.createElement("div");
  probe.style.cssText = "position: absolute; visibility: hidden; overflow: scroll";
  document.body.append(probe);
  const width = probe.offsetWidth - probe.clientWidth;
  probe.remove();
  return width;
}

function chosen(): Width | "closed" {
  if (narrow.matches) return "closed";
  const kept = localStorage.getItem(STORAGE_ITEM) ?? "";
  if (Object.hasOwn(WIDTHS, kept)) return kept as Width;
  return kept === "" ? "390" : "closed";
}

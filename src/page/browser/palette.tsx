import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Answers } from "../queries.ts";
import { useAnswer } from "./answers.ts";
import { hitHref, hitText, KIND_NAMES, matchHref } from "./found.tsx";
import { listen } from "./listening.ts";
import { CONTROL, isControl, useOptionKeys } from "./option-keys.ts";
import { RowText } from "./parts.tsx";
import { route, viewHref } from "./router.ts";
import { counted, number } from "./words.ts";

const LISTED = 6;

/** H39: search over everything, by Ctrl+K or `/`; a button that looks like a field opens it too. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState<string>();
  const open = () => {
    const { segments, query: asked } = route();
    setQuery((segments.length === 2 && segments[1] === "entries" && asked.get("q")) || "");
    dialog.current?.showModal();
  };
  const close = () => dialog.current?.close();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      const isTyping = (target as Element).closest("input, textarea, select, [contenteditable]");
      const isLetter = isControl(event) && !altKey && key.toLowerCase() === "k";
      const isSlash = key === "/" && !ctrlKey && !metaKey && !altKey && !isTyping;
      if (!isLetter && !isSlash) return;
      event.preventDefault();
      open();
    };
    return listen(["keydown"], onKey);
  }, []);
  useEffect(() => listen(["hashchange"], close), []);
  return (
    <search>
      <button
        id="search"
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts={CONTROL === "⌘" ? "Meta+K /" : "Control+K /"}
        onClick={open}
      >
        <span>Search</span>
        <kbd>{`${CONTROL}K`}</kbd>
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too. */}
      <dialog
        class="palette"
        ref={dialog}
        aria-label="Search"
        // It may have been opened again meanwhile.
        onClose={() => dialog.current?.open || setQuery(undefined)}
        onClick={({ target }) => target === dialog.current && close()}
      >
        {query !== undefined && <Box query={query} setQuery={setQuery} />}
      </dialog>
    </search>
  );
}

function Box({ query, setQuery }: { query: string; setQuery: (query: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const q = query.trim();
  const { answer, error } = useAnswer("search", { q, most: q === "" ? 0 : LISTED });
  // Before the next key is handled, which an effect after the paint may not be.
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const all = viewHref(["entries"], { q });
  const groups = answer === undefined || q === "" ? [] : groupsOf(answer);
  const options = groups.flatMap((group) => group.options);
  const { at, setActive, keys } = useOptionKeys("found", options.length, (index) => {
    if (q !== "") location.hash = (answer?.q === q && options[index]?.href) || all;
  });
  let place = 0;
  return (
    <>
      <input
        ref={input}
        type="text"
        enterkeyhint="search"
        {...keys}
        aria-label="Search titles, texts, pages, assets and models"
        placeholder="Search titles, texts, pages, assets …"
        autocomplete="off"
        spellcheck={false}
        value={query}
        onInput={({ currentTarget }) => {
          setQuery(currentTarget.value);
          setActive(0);
        }}
      />
      <p class="palette-state" role="status">
        {stateOf(q, answer, error)}
      </p>
      <div id="found" role="listbox" aria-label="Found">
        {groups.map(({ name, count, options: some }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset has no options.
          <div key={name} role="group" aria-label={name}>
            <p class="palette-kind" aria-hidden="true">
              {name} <span class="soft">{number(count)}</span>
            </p>
            {some.map(({ href, text }) => {
              const index = place++;
              return (
                <a
                  key={href}
                  id={`found-${index}`}
                  class="row"
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === at}
                  href={href}
                  onPointerMove={() => setActive(index)}
                >
                  {text}
                </a>
              );
            })}
          </div>
        ))}
      </div>
      {options.length > 0 && (
        <p class="palette-foot">
          <a href={all}>All that was found</a>
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> <kbd>Enter</kbd> <kbd>Esc</kbd>
          </span>
        </p>
      )}
    </>
  );
}

function stateOf(q: string, answer: Answers["search"] | undefined, error: Error | undefined) {
  if (error !== undefined) return "The search does not answer; it is tried again.";
  if (q === "") return "Type a word of a title or a text.";
  if (answer === undefined) return "Searching …";
  const total = answer.others.reduce((sum, one) => sum + one.total, answer.total);
  const found = total === 0 ? "Nothing found" : `${counted(total, "result")} found`;
  return answer.read === undefined
    ? found
    : `${found} in the first ${counted(answer.read, "entry", "entries")}; reading the others …`;
}

/** The kinds whose titles have the words come first. */
function groupsOf({ total, rows, others }: Answers["search"]) {
  const isTitled = ([first]: readonly { found?: unknown }[]) => first && first.found === undefined;
  const groups = [
    {
      ...{ name: "Entries", count: total, isTitled: isTitled(rows) },
      options: rows.map((match) => ({
        href: matchHref(match),
        text: <RowText {...hitText(match)} beside={match.modelName ?? "model deleted"} />,
      })),
    },
    ...others.map(({ kind, total: count, hits }) => ({
      ...{ name: KIND_NAMES[kind], count, isTitled: isTitled(hits) },
      options: hits.map((hit) => ({
        href: hitHref(kind, hit),
        text: <RowText {...hitText(hit)} beside={hit.project?.name} />,
      })),
    })),
  ];
  const some = groups.filter(({ options }) => options.length > 0);
  return [...some.filter((one) => one.isTitled), ...some.filter((one) => !one.isTitled)];
}

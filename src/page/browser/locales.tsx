import type { ComponentChildren } from "preact";
import { listed } from "../../workspace/listed.ts";
import type { LanguageView } from "../draft-state.ts";
import type { EntryView } from "../entry-view.ts";
import type { LocaleView, ValueView } from "../field-views.ts";
import { isLeftOut } from "../left-out.ts";
import { localeName } from "../spoken.ts";
import { Choice } from "./list-tools.tsx";
import { ProblemNotes } from "./problem-notes.tsx";
import { choose, chosen, useReading } from "./reading.ts";
import { shownWorkspace, viewHref } from "./router.ts";
import { counted } from "./words.ts";

/** H20, H27: the values of a localized field: of one language as of any field, of several one below the other. */
export function LocaleList({
  locales,
  shown,
}: {
  locales: readonly LocaleView[];
  shown: (values: readonly ValueView[]) => ComponentChildren;
}) {
  const { problems, languages, project } = useReading();
  const notes = ({ path }: LocaleView) => problems.filter(({ at }) => at.path === path);
  const [only] = locales;
  if (project !== undefined && only !== undefined) {
    const { locale, path, isStored, values } = only;
    const wanted = languages.find(({ projects }) => projects.some(({ id }) => id === project));
    const isFallback = isStored && locale !== wanted?.locale;
    return (
      <div data-path={path} tabIndex={-1} lang={locale}>
        {shown(values)}
        {isFallback && wanted?.locale && (
          <p class="soft">{`In ${localeName(locale)}, as there is no ${localeName(wanted.locale)}`}</p>
        )}
        <ProblemNotes problems={notes(only)} />
      </div>
    );
  }
  const isQuiet = (one: LocaleView) =>
    !one.isStored && one.missingIn.length > 0 && notes(one).length === 0;
  const missing = locales.filter(isQuiet);
  return (
    <>
      <ul class="locales">
        {locales
          .filter((one) => !isQuiet(one))
          .map((one) => {
            const { locale, path, isStored, values } = one;
            return (
              <li key={path} data-path={path} tabIndex={-1}>
                <p class="locale">
                  <span title={locale}>{localeName(locale)}</span>
                  <span>{useText(one, languages)}</span>
                </p>
                {isStored && <div lang={locale}>{shown(values)}</div>}
                <ProblemNotes problems={notes(one)} />
              </li>
            );
          })}
      </ul>
      {missing.length > 0 && (
        <p class="soft" title={missing.map(({ locale }) => locale).join(", ")}>
          {`No value in ${missing.length === 1 ? localeName(missing[0]?.locale ?? "") : counted(missing.length, "language")}`}
        </p>
      )}
    </>
  );
}

function useText(
  { locale, isStored, shownIn, missingIn }: LocaleView,
  languages: readonly LanguageView[],
) {
  if (missingIn.length > 0) return "no value, and none of a fallback locale";
  if (!isStored) return "no value, so one of a fallback locale is served";
  if (shownIn.length === 0) return "not served in any project";
  const others = shownIn.map((index) => languages[index]?.locale ?? locale);
  const fallbacks = new Set(others.filter((other) => other !== locale));
  return fallbacks.size === 0 ? "" : `fallback of ${listed([...fallbacks])}`;
}

/** "German (de-AT), else de, en". */
function languageName({ locale, fallbackLocales }: LanguageView) {
  if (locale === null) return "No language";
  const name = `${localeName(locale)} (${locale})`;
  return fallbackLocales.length === 0 ? name : `${name}, else ${fallbackLocales.join(", ")}`;
}

/** The language of a project, beside its name; nothing where no value differs by language. */
export function LanguageTag({ language }: { language: LanguageView | null }) {
  if (language === null) return null;
  return (
    <span class="tag" title="Language">
      {languageName(language)}
    </span>
  );
}

/** H27: the project in whose language entries of a workspace are opened; "": the first. */
export const chosenProject = () => chosen(`language ${shownWorkspace()}`);

/** H20, H27: in which language the entry is shown, to choose another one, or all; nothing where there is only one. */
export function LanguageChoice({ entry }: { entry: EntryView }) {
  const { id, languages, only, fields, problems } = entry;
  if (languages.length < 2) return null;
  const all = viewHref(["entries", id], { languages: "all" });
  const here = viewHref(["entries", id]);
  const change = (index: string) => {
    const [project] = languages[Number(index)]?.projects ?? [];
    if (project === undefined) return;
    choose(`language ${shownWorkspace()}`, project.id);
    if (location.hash === here) dispatchEvent(new HashChangeEvent("hashchange"));
    else location.hash = here;
  };
  const options = languages.map((one, at) => [String(at), languageName(one)] as const);
  const elsewhere = only === null ? [] : problems.filter(({ at }) => isLeftOut(fields, at.path));
  return (
    <div class="languages">
      {"Language "}
      <Choice
        label="Language"
        value={String(only ?? "")}
        options={only === null ? [["", "All languages"], ...options] : options}
        onChoose={change}
      />
      {only === null ? <a href={here}>One language</a> : <a href={all}>All languages</a>}
      {elsewhere.length > 0 && (
        <a
          class="soft"
          href={all}
        >{`${counted(elsewhere.length, "problem")} in other languages`}</a>
      )}
    </div>
  );
}

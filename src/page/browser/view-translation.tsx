import { useLayoutEffect, useState } from "preact/hooks";
import type { EntryView } from "../entry-view.ts";
import type { FieldView, ValueView } from "../field-views.ts";
import type { Answers } from "../queries.ts";
import { localeName, spoken } from "../spoken.ts";
import { useAnswer } from "./answers.ts";
import { ComparedValues } from "./compared-values.tsx";
import { EditForm } from "./edit-form.tsx";
import { onForm, openForm, useCanEdit } from "./edit-state.tsx";
import { Values } from "./fields.tsx";
import { Choice } from "./list-tools.tsx";
import { Button, EmptyState, ViewHead } from "./parts.tsx";
import { ProblemNotes } from "./problem-notes.tsx";
import { Reading, useReading } from "./reading.ts";
import { entryHref, translationHref } from "./router.ts";

type Older = Answers["older-values"]["values"][number];

/** The locales of an entry, the main one first (H49). */
function localesOf({ languages, mainLocale }: EntryView): string[] {
  const all = languages.flatMap(({ locale }) => locale ?? []);
  return [...new Set([mainLocale ?? "", ...all])].filter((one) => all.includes(one));
}

/**
 * H74: a link to the first language in which a value is missing, else to the first that an entry is translated into;
 * nothing where there is only one.
 */
export function TranslateLink({ entry }: { entry: EntryView }) {
  const [, ...others] = localesOf(entry);
  const to = others.find((locale) => entry.missingIn.includes(locale)) ?? others[0];
  return to === undefined ? null : <a href={translationHref(entry.id, to)}>Translate</a>;
}

/** H71: the localized fields of an entry, each in the main language beside another one. */
export function TranslationPage({ entry, locale }: { entry: EntryView; locale: string }) {
  const { id, title, fields, problems, languages } = entry;
  const canEdit = useCanEdit();
  const form = `${id} in ${locale}`;
  const [isOpen, setOpen] = useState(true);
  useLayoutEffect(() => onForm(form, setOpen), [form]);
  const older = useAnswer("older-values", { id, older: "yes" }).answer?.values ?? [];
  const note = (path: string) => {
    const found = older.find((one) => one.path === path && one.locale === locale);
    return found && <ChangedSource older={found} source={source} />;
  };
  const [source = "", ...others] = localesOf(entry);
  const rows = rowsIn(fields).filter(({ field }) =>
    field.locales?.some((one) => one.isStored && [source, locale].includes(one.locale)),
  );
  const beside = { entry: id, problems, languages };
  return (
    <article class="reading">
      <ViewHead
        title={title}
        above={<a href={entryHref(id)}>Entry</a>}
        below={`${localeName(source)} beside ${localeName(locale)}`}
      />
      <div class="reading-tools">
        <Choice
          label="Translation"
          value={locale}
          options={[...new Set([locale, ...others])].map((one) => [one, localeName(one)])}
          onChoose={(to) => location.assign(translationHref(id, to))}
        />
        {canEdit && !isOpen && rows.length > 0 && (
          <Button onClick={() => openForm(form)}>Translate</Button>
        )}
      </div>
      {rows.length === 0 && (
        <EmptyState title="There is nothing to translate">
          <p>None of its fields that differ by language has a value.</p>
        </EmptyState>
      )}
      <Reading.Provider value={beside}>
        <div class="card of-entry" data-entry={id}>
          {canEdit && isOpen && rows.length > 0 ? (
            <EditForm
              key={form}
              id={form}
              place={{ entry: id, path: "", name: `${title}, ${localeName(locale)}`, locale }}
              beside={{ locale: source, note }}
            />
          ) : (
            <div class="translation">
              {rows.map(({ place, field }) => (
                <section key={field.path} aria-label={place.join(" › ")}>
                  <h2 dir="auto">{place.join(" › ")}</h2>
                  <dl class="translated">
                    <Side field={field} locale={source} />
                    <Side field={field} locale={locale} />
                  </dl>
                  {note(field.path)}
                </section>
              ))}
            </div>
          )}
        </div>
      </Reading.Provider>
    </article>
  );
}

interface Row {
  /** By names: of the fields and blocks in which it is, and its own. */
  readonly place: readonly string[];
  readonly field: FieldView;
}

/** The localized fields, of blocks too. */
function rowsIn(fields: readonly FieldView[], place: readonly string[] = []): Row[] {
  return fields.flatMap((field) => {
    const here = [...place, spoken(field.name, field.key)];
    if (field.locales) return [{ place: here, field }];
    return field.values.flatMap((value) => rowsOf(value, here));
  });
}

function rowsOf({ block, inside = [] }: ValueView, place: readonly string[]): Row[] {
  const own = block ? rowsIn(block.fields, [...place, spoken(block.name, block.key)]) : [];
  return [...own, ...inside.flatMap((one) => rowsOf(one, place))];
}

/** H72: with the words marked that have changed. */
function ChangedSource({ older, source }: { older: Older; source: string }) {
  const { change, locale } = older;
  const place = `${localeName(source)} has changed since ${localeName(locale)} was written`;
  return <ComparedValues values={[{ ...change, place: [place] }]} heads={["Then", "Now"]} />;
}

/** The values of a field in one language, as it is read. */
function Side({ field, locale }: { field: FieldView; locale: string }) {
  const known = field.locales?.find((one) => one.locale === locale);
  const { path = `${field.path}/${locale}`, values = [] } = known ?? {};
  const { locales: _, ...rest } = field;
  const own = { ...rest, path, values };
  const { problems } = useReading();
  return (
    <div class="field" data-path={path} tabIndex={-1}>
      <dt>{localeName(locale)}</dt>
      <dd data-flash="" lang={locale}>
        <Values field={own} />
        <ProblemNotes problems={problems.filter(({ at }) => at.path === path)} />
      </dd>
    </div>
  );
}

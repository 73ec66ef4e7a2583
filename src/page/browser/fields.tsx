import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { JsonValue } from "../../workspace/json.ts";
import type { DescribedProblem as Problem } from "../../workspace/problem-messages.ts";
import type { PointerTarget } from "../entry-summary.ts";
import type { EntryView } from "../entry-view.ts";
import type { FieldView, ValueView } from "../field-views.ts";
import { spoken } from "../spoken.ts";
import { useAnswer } from "./answers.ts";
import { useFieldEdit } from "./edit-field.tsx";
import { FileFigure, SafeLink, Thumb } from "./files.tsx";
import { LocaleList } from "./locales.tsx";
import {
  Awaited,
  BrokenTarget,
  EmptyState,
  Fold,
  ProblemNotes,
  RecordNotes,
  TargetLink,
} from "./parts.tsx";
import { HtmlFigure, Json, PlainValue } from "./plain-values.tsx";
import { linksIn, Reading, useReading, useShowsFields } from "./reading.ts";
import { RichText } from "./rich-text.tsx";
import { counted, number } from "./words.ts";

/** How many values of a field are shown before a "more" fold. */
const SHOWN = 50;
/** A text with more characters than this is read as a text of its own. */
const LONG = 160;
/** One with no more than this is a fact, beside others. */
const FACT = 40;

/** The content of an entry, below its heading. */
export function EntryFields({ entry }: { entry: EntryView }) {
  const edit = useFieldEdit(entry.id);
  const { id, fields, problems, languages, only, title } = entry;
  const own = problems.filter(
    ({ at, code: name }) => at.kind !== "entry" || name === "field-unknown" || at.path === "",
  );
  const project = only === null ? undefined : languages[only]?.projects[0]?.id;
  const beside = {
    problems,
    languages,
    project,
    links: linksIn(fields),
    ...(edit && { edit }),
  };
  return (
    <Reading.Provider value={beside}>
      <RecordNotes problems={own} />
      {fields.length === 0 ? (
        <EmptyState title="No fields are served">
          <p>{"Only the fields of the entry's model are served."}</p>
        </EmptyState>
      ) : (
        <div class="of-entry" data-entry={id}>
          <FieldList fields={fields} title={title} />
        </div>
      )}
    </Reading.Provider>
  );
}

/** H25: fields as they are read; those without a value are named in one line. */
export function FieldList({ fields, title }: { fields: readonly FieldView[]; title?: string }) {
  const { problems, edit } = useReading();
  const showsFields = useShowsFields();
  if (showsFields) {
    return (
      <dl class="fields shows-fields">
        {fields.map((field) => (
          <FieldItem key={field.path} field={field} />
        ))}
      </dl>
    );
  }
  const heading = title && fields.find((field) => isTitle(field, title));
  const isQuiet = (field: FieldView) => isEmpty(field) && notesOf(field, problems).length === 0;
  const empty = fields.filter(isQuiet);
  const shown = fields.filter((field) => field !== heading && !empty.includes(field));
  return (
    <>
      <dl class="fields">
        {shown.map((field) => (
          <FieldItem key={field.path} field={field} isOnly={isOnly(field, shown)} />
        ))}
      </dl>
      {heading && <ProblemNotes problems={notesOf(heading, problems)} />}
      {empty.length > 0 && (
        <p class="empty-fields">
          {`${counted(empty.length, "empty field")}: `}
          {empty.map(({ name, key, path }, index) => (
            <span key={path} data-path={path} tabIndex={-1}>
              {`${index > 0 ? ", " : ""}${spoken(name, key)}`}
              {edit?.(empty[index] as FieldView)}
            </span>
          ))}
        </p>
      )}
    </>
  );
}

/** All values of a field, those of its locales too. */
function valuesIn({ values, locales = [] }: FieldView) {
  return [...values, ...locales.flatMap((one) => one.values)];
}

function isEmpty(field: FieldView): boolean {
  return valuesIn(field).every(({ value, block, html }) => !block && !html && value === "");
}

/** Whether the heading of the record says it already. */
export function isTitle(field: FieldView, title: string): boolean {
  const [first, ...others] = valuesIn(field);
  return (
    field.type === "text" && !field.isMarkdown && others.length === 0 && first?.value === title
  );
}

/** The problems of a field, in the locales that are shown. */
function notesOf({ path, locales }: FieldView, problems: readonly Problem[]): readonly Problem[] {
  const places = locales?.map((one) => one.path) ?? [path];
  return problems.filter(
    ({ at }) =>
      at.path === path || places.some((one) => at.path === one || at.path.startsWith(`${one}/`)),
  );
}

const HEADING = /^(?:title|headline|heading)$/i;

/** How a field is read: as one fact beside others, with its name above it, or without one. */
function kindOf(field: FieldView): string {
  const { key, type, isMarkdown, isRepeatable } = field;
  const isOwn = ["rich-text", "asset", "html-asset", "content-block"].includes(type);
  const lengths = valuesIn(field).map(({ value }) =>
    typeof value === "string" ? value.length : 0,
  );
  const longest = Math.max(0, ...lengths);
  if (isMarkdown || isOwn) return "is-prose";
  if (type === "text" && !isRepeatable && HEADING.test(key)) return "is-prose is-heading";
  const isLine = isRepeatable || type === "reference" || type === "json" || longest > FACT;
  if (longest > LONG) return "is-named is-long";
  return isLine ? "is-named" : "is-fact";
}

/** H25b: whether no other field is of its kind, so that what it is needs no name where it has a value. */
function isOnly(field: FieldView, all: readonly FieldView[]): boolean {
  const kind = ({ type, isMarkdown }: FieldView) => (isMarkdown ? "rich-text" : type);
  return all.every((one) => one === field || kind(one) !== kind(field));
}

function FieldItem({ field, isOnly = false }: { field: FieldView; isOnly?: boolean }) {
  const { key, name, type, path, isRepeatable, isRequired, locales, query } = field;
  const { problems, edit } = useReading();
  const showsFields = useShowsFields();
  const kind = showsFields ? "is-named" : kindOf(field);
  const notes = ownNotes(field, problems);
  const isPlain = (isOnly || kind.endsWith("is-heading")) && !isEmpty(field) && notes.length === 0;
  const isNamed = !kind.startsWith("is-prose") || !isPlain;
  return (
    <div class={`field ${kind}`} data-path={path} tabIndex={-1}>
      <dt class={isNamed ? undefined : "unseen"}>
        <span class="field-name">{showsFields ? name : spoken(name, key)}</span>
        {showsFields && (
          <span class="field-kind">
            {name !== key && [<code>{key}</code>, " "]}
            {type}
            {isRepeatable && " list"}
            {isRequired && ", required"}
            {locales && ", localized"}
          </span>
        )}
      </dt>
      <dd data-flash="">
        {edit?.(field)}
        {query !== undefined && <p class="soft">{`Found by a query: ${query}`}</p>}
        {locales ? (
          <LocaleList
            locales={locales}
            shown={(values) => <Values field={{ ...field, values }} />}
          />
        ) : (
          <Values field={field} />
        )}
        <ProblemNotes problems={notes} />
      </dd>
    </div>
  );
}

/** The problems at a field itself, and below it where no value is shown that has them. */
function ownNotes(field: FieldView, problems: readonly Problem[]) {
  const { path, values, locales } = field;
  if (locales !== undefined) return problems.filter(({ at }) => at.path === path);
  return problems.filter(({ at }) => {
    if (at.path === path) return true;
    return (
      at.path.startsWith(`${path}/`) && !values.some((value) => isBeside(at.path, value, path))
    );
  });
}

/** Whether a problem is shown with a value. */
function isBeside(at: string, { path, block, inside }: ValueView, field: string): boolean {
  if (at === path) return path !== field;
  return at.startsWith(`${path}/`) && (block !== undefined || inside !== undefined);
}

function Values({ field }: { field: FieldView }) {
  const { values, isRepeatable, query } = field;
  const [first] = values;
  if (first === undefined) {
    if (query !== undefined) return <span class="soft">Nothing found</span>;
    return <span class="soft">{isRepeatable ? "Empty list" : "No value"}</span>;
  }
  if (values.length === 1 && !isRepeatable) return <ValueItem field={field} value={first} />;
  const left = values.slice(SHOWN);
  return (
    <>
      <ValueList field={field} values={values.slice(0, SHOWN)} />
      {left.length > 0 && (
        <Fold summary={`${number(left.length)} more`}>
          {() => <ValueList field={field} values={left} />}
        </Fold>
      )}
    </>
  );
}

function ValueList({ field, values }: { field: FieldView; values: readonly ValueView[] }) {
  const { problems } = useReading();
  const isBlocks = ["content-block", "asset", "html-asset", "rich-text"].includes(field.type);
  const isFact = ({ value, target }: ValueView) =>
    !target && typeof value !== "object" && String(value).length <= FACT;
  const kind = isBlocks ? "is-blocks" : values.every(isFact) ? "is-facts" : "";
  return (
    <ol class={`values ${kind}`}>
      {values.map((value) => (
        <li key={value.path} data-path={value.path} tabIndex={-1}>
          <ValueItem field={field} value={value} />
          <ProblemNotes problems={problems.filter(({ at }) => at.path === value.path)} />
        </li>
      ))}
    </ol>
  );
}

function ValueItem({ field, value }: { field: FieldView; value: ValueView }): ComponentChildren {
  const { block, target, file, html, inside } = value;
  const { problems } = useReading();
  const showsFields = useShowsFields();
  if (block) return <BlockCard block={block} />;
  if (value.value === undefined) return <span class="not-served">Not published</span>;
  if (target) return <ReferenceCard target={target} />;
  if (file) return <FileFigure file={file} />;
  if (html)
    return (
      <HtmlFigure {...(value.value as { id: string; fileName: string | null })} src={html.src} />
    );
  if (inside) {
    const own = problems.filter(
      ({ at }) =>
        at.path.startsWith(`${value.path}/`) &&
        !inside.some(
          ({ path, place }) => place && (at.path === path || at.path.startsWith(`${path}/`)),
        ),
    );
    return (
      <>
        <RichText
          value={value.value}
          inside={inside}
          embedded={(view, inLine) => <Embedded view={view} inLine={inLine} />}
        />
        {showsFields && (
          <Fold summary="Data">{() => <Json value={value.value as JsonValue} />}</Fold>
        )}
        <ProblemNotes problems={own} />
      </>
    );
  }
  if (field.type === "asset") {
    return <BrokenTarget id={String((value.value as { id: string }).id)} reason="asset missing" />;
  }
  return <PlainValue field={field} value={value.value} />;
}

function BlockCard({ block: { key, name, fields } }: { block: NonNullable<ValueView["block"]> }) {
  const showsFields = useShowsFields();
  const title = spoken(name, key);
  // A block around one field is called as that.
  const isSaid = fields.length === 1 && fields.every((one) => spoken(one.name, one.key) === title);
  return (
    <section class="block" aria-label={`Block ${name}`}>
      {(showsFields || !isSaid) && (
        <p class="block-name">
          {showsFields ? name : title} {showsFields && <code>{key}</code>}
        </p>
      )}
      <FieldList fields={fields} />
    </section>
  );
}

/** A value in rich text: a link where it is in a line of text, else as in a field of its own. */
function Embedded({ view, inLine }: { view: ValueView; inLine: ComponentChildren | undefined }) {
  const { edit: _, ...read } = useReading();
  const { problems } = read;
  const { target, file } = view;
  const notes = <ProblemNotes problems={problems.filter(({ at }) => at.path === view.path)} />;
  if (inLine !== undefined && target) {
    return (
      <>
        <TargetLink target={target}>{inLine}</TargetLink>
        {notes}
      </>
    );
  }
  if (inLine !== undefined && file)
    return <SafeLink href={new URL(file.src, location.href).href}>{inLine}</SafeLink>;
  const type = target || view.block ? "" : "asset";
  const field = {
    key: "",
    name: "",
    type,
    isRequired: false,
    isRepeatable: false,
    path: view.path,
    values: [view],
  };
  return (
    <div class="embedded" data-path={view.path} tabIndex={-1}>
      {target ? (
        <ReferenceCard target={target} isInText />
      ) : (
        // Rich text is not changed here.
        <Reading.Provider value={read}>
          <ValueItem field={field} value={view} />
        </Reading.Provider>
      )}
      {notes}
    </div>
  );
}

/** H25: what a reference leads to, by its title and picture; its content opens in place. */
function ReferenceCard({
  target,
  isInText = false,
}: {
  target: PointerTarget;
  isInText?: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const link = <TargetLink target={target} />;
  if (target.state !== "found") return link;
  return (
    <div class="reference">
      {isInText && target.picture && <FileFigure file={target.picture} />}
      <div class="reference-head">
        {!isInText && <Thumb file={target.picture} />}
        {link}
        <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? <span key="close">Close</span> : <span key="read">Read here</span>}
          <span class="unseen">{` ${target.title}`}</span>
        </button>
      </div>
      {isOpen && <Unfolded id={target.id} />}
    </div>
  );
}

function Unfolded({ id }: { id: string }) {
  const { project = "" } = useReading();
  const { answer, error } = useAnswer("entry", { id, preferred: project });
  if (answer) return <EntryFields entry={answer} />;
  return <Awaited error={error} text="Loading…" />;
}

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { JsonValue } from "../../workspace/json.ts";
import type { PointerTarget } from "../entry-summary.ts";
import type { EntryView } from "../entry-view.ts";
import type { FieldView, ValueView } from "../field-views.ts";
import { spoken } from "../spoken.ts";
import { useAnswer } from "./answers.ts";
import { useEditing } from "./edit-field.tsx";
import { hasUnsaved } from "./edit-state.tsx";
import { hasContent, isEmpty, isSetting, listKind, notesOf } from "./field-kinds.ts";
import { FieldList } from "./field-list.tsx";
import { FileFigure, SafeLink, Thumb } from "./files.tsx";
import { Awaited, BrokenTarget, Button, EmptyState, Fold, TargetLink } from "./parts.tsx";
import { HtmlFigure, Json, PlainValue } from "./plain-values.tsx";
import { ProblemNotes, RecordNotes } from "./problem-notes.tsx";
import { linksIn, Reading, useReading, useShowsFields } from "./reading.ts";
import { RichText } from "./rich-text.tsx";
import { counted, number } from "./words.ts";

/** How many values of a field are shown before a "more" fold. */
const SHOWN = 50;

/** The content of an entry, below its heading, also as a part of another one. */
export function EntryFields({ entry, isPart = false }: { entry: EntryView; isPart?: boolean }) {
  const editing = useEditing(entry.id);
  const [{ opened }, showsFields] = [useReading(), useShowsFields()];
  const { id, fields, problems, languages, only, title } = entry;
  const own = problems.filter(
    ({ at, code: name }) => at.kind !== "entry" || name === "field-unknown" || at.path === "",
  );
  const project = only === null ? undefined : languages[only]?.projects[0]?.id;
  const links = linksIn(fields);
  const beside = { entry: id, problems, languages, project, links, opened, ...editing };
  return (
    <Reading.Provider value={beside}>
      <RecordNotes problems={own} />
      {fields.length === 0 ? (
        <EmptyState title="No fields are served">
          <p>{"Only the fields of the entry's model are served."}</p>
        </EmptyState>
      ) : (
        <div class="of-entry" data-entry={id} tabIndex={-1}>
          {(!isPart || showsFields) && editing.editAll?.("", title, fields)}
          {isPart && !showsFields ? (
            <EntryPart path="" what={title} fields={fields} title={title} />
          ) : (
            <Fields fields={fields} title={title} />
          )}
        </div>
      )}
    </Reading.Provider>
  );
}

/** The fields of a record, with their values. */
export function Fields(fields: Omit<Parameters<typeof FieldList>[0], "values">) {
  return <FieldList {...fields} values={(field) => <Values field={field} />} />;
}

/**
 * H25d, H25h: a block, or an entry that is open in another: what is read of it, after a head with its settings, folded, and one
 * pencil, for the form of all its fields.
 */
function EntryPart({
  path,
  name,
  what,
  fields,
  ...more
}: {
  /** Unique in the entry. */
  path: string;
  name?: string;
  /** What its pencil changes. */
  what: string;
  fields: readonly FieldView[];
  title?: string;
}) {
  const { editAll, problems, entry } = useReading();
  const place = (at: string) => `${entry} ${at}`;
  const hasNotes = (field: FieldView) => notesOf(field, problems).length > 0;
  const isRest = (field: FieldView) => isSetting(field) || (isEmpty(field) && !hasNotes(field));
  const [rest, read] = [fields.filter(isRest), fields.filter((field) => !isRest(field))];
  const empty = rest.filter(isEmpty);
  const counts = [
    rest.length > empty.length && counted(rest.length - empty.length, "setting"),
    empty.length > 0 && counted(empty.length, "empty field"),
  ];
  const how = { ...more, hasPencils: false, isNamed: Boolean(name) };
  return (
    <>
      <div class="part-head">
        {rest.length > 0 ? (
          <Fold
            id={place(path)}
            isAsked={rest.some((field) => hasNotes(field) || hasUnsaved(place(field.path)))}
            summary={
              <>
                {name && <span class="block-name">{name}</span>}{" "}
                <span class="part-counts">{counts.filter(Boolean).join(", ")}</span>
              </>
            }
          >
            {() => <Fields {...how} fields={rest} />}
          </Fold>
        ) : (
          name && <p class="block-name">{name}</p>
        )}
        {editAll?.(path, what, fields)}
      </div>
      <Fields {...how} fields={read} />
    </>
  );
}

/** The values of a field, in one language. */
export function Values({ field }: { field: FieldView }) {
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
  return (
    <ol class={`values ${listKind(field, values)}`}>
      {values.map((value) => (
        <li key={value.path} data-path={value.path} tabIndex={-1}>
          <ValueItem field={field} value={value} />
          <ProblemNotes problems={problems.filter(({ at }) => at.path === value.path)} />
        </li>
      ))}
    </ol>
  );
}

type HtmlValue = Omit<Parameters<typeof HtmlFigure>[0], "src">;

function ValueItem({ field, value }: { field: FieldView; value: ValueView }): ComponentChildren {
  const { block, target, file, html, inside } = value;
  const { problems } = useReading();
  const showsFields = useShowsFields();
  if (block) return <BlockCard block={block} path={value.path} />;
  if (value.value === undefined) return <span class="not-served">Not published</span>;
  if (target) return <ReferenceCard target={target} />;
  if (file) return <FileFigure file={file} />;
  if (html) return <HtmlFigure {...(value.value as HtmlValue)} src={html.src} />;
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

function BlockCard({
  block: { key, name, fields },
  path,
}: {
  block: NonNullable<ValueView["block"]>;
  path: string;
}) {
  const showsFields = useShowsFields();
  const title = spoken(name, key);
  // A block around one field is called as that.
  const isSaid = fields.length === 1 && fields.every((one) => spoken(one.name, one.key) === title);
  return (
    <section class={hasContent(fields) ? "block is-framed" : "block"} aria-label={`Block ${name}`}>
      {showsFields ? (
        <>
          <p class="block-name">
            {name} <code>{key}</code>
          </p>
          <Fields fields={fields} />
        </>
      ) : (
        <EntryPart path={`${path}/data`} name={isSaid ? "" : title} what={title} fields={fields} />
      )}
    </section>
  );
}

const NAMELESS = { key: "", name: "", isRequired: false, isRepeatable: false };

/** A value in rich text: a link where it is in a line of text, else as in a field of its own. */
function Embedded({ view, inLine }: { view: ValueView; inLine: ComponentChildren | undefined }) {
  const { edit: _, editAll: __, ...read } = useReading();
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
  if (inLine !== undefined && file) {
    return (
      <SafeLink href={file.src} isFile>
        {inLine}
      </SafeLink>
    );
  }
  const type = target || view.block ? "" : "asset";
  const field = { ...NAMELESS, type, path: view.path, values: [view] };
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
  const { entry, opened } = useReading();
  const found = opened?.get(target.id);
  const view = found && found.from === entry ? found.view : undefined;
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? view !== undefined;
  const link = <TargetLink target={target} />;
  if (target.state !== "found") return link;
  return (
    <div class={isOpen ? "reference is-open" : "reference"}>
      {isInText && target.picture && <FileFigure file={target.picture} />}
      <div class="reference-head">
        {!isInText && <Thumb file={target.picture} />}
        {link}
        <Button aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
          {isOpen ? <span key="close">Close</span> : <span key="read">Read here</span>}
          <span class="unseen">{` ${target.title}`}</span>
        </Button>
      </div>
      {isOpen && (view ? <EntryFields entry={view} isPart /> : <Unfolded id={target.id} />)}
    </div>
  );
}

function Unfolded({ id }: { id: string }) {
  const { project = "" } = useReading();
  const { answer, error } = useAnswer("entry", { id, preferred: project });
  if (answer) return <EntryFields entry={answer} isPart />;
  return <Awaited error={error} text="Loading…" />;
}

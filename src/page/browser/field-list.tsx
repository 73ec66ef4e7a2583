import type { ComponentChildren } from "preact";
import type { FieldView } from "../field-views.ts";
import { spoken } from "../spoken.ts";
import { isEmpty, isOnly, isTitle, kindOf, notesOf, ownNotes } from "./field-kinds.ts";
import { LocaleList } from "./locales.tsx";
import { ProblemNotes } from "./problem-notes.tsx";
import { useReading, useShowsFields } from "./reading.ts";
import { counted } from "./words.ts";

/** H25: fields as they are read; those without a value are named in one line. */
export function FieldList({
  fields,
  values,
  title,
  hasPencils = true,
  isNamed = false,
}: {
  fields: readonly FieldView[];
  /** The values of a field, in one language. */
  values: (field: FieldView) => ComponentChildren;
  title?: string;
  hasPencils?: boolean;
  /** Whether the name of a block is above, which says enough of a field that is alone. */
  isNamed?: boolean;
}) {
  const { problems, edit } = useReading();
  const showsFields = useShowsFields();
  const heading = !showsFields && title && fields.find((field) => isTitle(field, title));
  const isQuiet = (field: FieldView) => isEmpty(field) && notesOf(field, problems).length === 0;
  const empty = showsFields ? [] : fields.filter(isQuiet);
  const shown = fields.filter((field) => field !== heading && !empty.includes(field));
  return (
    <>
      {shown.length > 0 && (
        <dl class={showsFields ? "fields shows-fields" : "fields"}>
          {shown.map((field) => (
            <FieldItem
              key={field.path}
              field={field}
              values={values}
              isOnly={isOnly(field, shown)}
              isAlone={isNamed && shown.length === 1}
              hasPencil={hasPencils}
            />
          ))}
        </dl>
      )}
      {heading && <ProblemNotes problems={notesOf(heading, problems)} />}
      {empty.length > 0 && (
        <p class="empty-fields">
          {`${counted(empty.length, "empty field")}: `}
          {empty.map((field, index) => (
            <span key={field.path} data-path={field.path} tabIndex={-1}>
              {`${index > 0 ? ", " : ""}${spoken(field.name, field.key)}`}
              {hasPencils && edit?.(field)}
            </span>
          ))}
        </p>
      )}
    </>
  );
}

function FieldItem({
  field,
  values,
  isOnly,
  isAlone,
  hasPencil,
}: {
  field: FieldView;
  values: (field: FieldView) => ComponentChildren;
  isOnly: boolean;
  isAlone: boolean;
  hasPencil: boolean;
}) {
  const { key, name, type, path, isRepeatable, isRequired, locales, query } = field;
  const { problems, edit } = useReading();
  const showsFields = useShowsFields();
  const read = kindOf(field);
  const kind = showsFields || (isAlone && read === "is-fact") ? "is-named" : read;
  const pencil = hasPencil && edit?.(field);
  // The pencil of a list of blocks has a line of its own.
  const isBlocks = type === "content-block" && pencil;
  const isProse = kind.startsWith("is-prose");
  const notes = ownNotes(field, problems);
  const isPlain = !isEmpty(field) && notes.length === 0;
  const isSaid = isPlain && (isAlone || (isProse && (isOnly || kind.endsWith("is-heading"))));
  return (
    <div class={`field ${kind}`} data-path={path} tabIndex={-1}>
      <dt class={isSaid && !isBlocks ? "unseen" : undefined}>
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
        {pencil}
        {query !== undefined && <p class="soft">{`Found by a query: ${query}`}</p>}
        {locales ? (
          <LocaleList locales={locales} shown={(own) => values({ ...field, values: own })} />
        ) : (
          values(field)
        )}
        <ProblemNotes problems={notes} />
      </dd>
    </div>
  );
}

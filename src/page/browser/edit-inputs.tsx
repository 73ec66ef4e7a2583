import { type ComponentChildren, createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import type { FieldDefinition } from "../../workspace/field.ts";
import { isJsonObject, type JsonObject, jsonPointer, ownMember } from "../../workspace/json.ts";
import type { DescribedProblem as Problem } from "../../workspace/problem-messages.ts";
import type { Block } from "../../workspace/records.ts";
import { type OpenedField, type OpenedForm, valueAt, withValueAt } from "../edited.ts";
import { localeName } from "../spoken.ts";
import { DateTimeInput } from "./edit-dialog.tsx";
import { AddBlock, ListInput } from "./edit-list.tsx";
import { type InputProps, PointerInput } from "./edit-pointer.tsx";
import { MarkdownInput, RichTextInput } from "./edit-rich-text.tsx";
import { Button, Fold } from "./parts.tsx";
import { ProblemNotes } from "./problem-notes.tsx";

/** H63: what the inputs of a form have in common. */
export interface Form {
  readonly opened: OpenedForm;
  /** In which localized fields are changed. */
  readonly locale: string | null;
  readonly problems: readonly Problem[];
  /** Whether a saving was refused. */
  readonly isRefused?: boolean;
  /** Whether it is for all fields of something, each with its name. */
  readonly isMany: boolean;
  /** Whether blocks are open, and how often that was chosen. */
  readonly folds: { readonly isOpen: boolean; readonly turn: number };
  readonly beside?: Beside | undefined;
}

/** H71: the language beside that of a form, which has the localized fields alone then. */
export interface Beside {
  readonly locale: string;
  /** What is said of the values at a path. */
  readonly note: (path: string) => ComponentChildren;
}

export const FormState = createContext({} as Form);

interface Input extends InputProps {
  /** Whether it is one of a list, which is removed there. */
  readonly isItem?: boolean;
}

/**
 * H63: an input for each field, with its problems (H64).
 *
 * @param path of what has the fields
 */
export function FieldInputs({
  fields,
  data,
  path,
  change,
}: {
  fields: readonly FieldDefinition[];
  data: JsonObject;
  path: string;
  change: (data: JsonObject) => void;
}) {
  const { opened, locale, problems, isRefused, isMany, beside } = useContext(FormState);
  const [touched, setTouched] = useState<readonly string[]>([]);
  const touch = (key: string) => touched.includes(key) || setTouched([...touched, key]);
  // A form of one field is called as that.
  const isNamed = isMany || path !== opened.path;
  const shown = beside === undefined ? fields : fields.filter(isTranslated(opened.blocks));
  return shown.map((field) => {
    const { key, name = key, type, description, localized } = field;
    const lang = localized && locale !== null ? locale : undefined;
    const langs = lang !== undefined && beside ? [beside.locale, lang] : [lang];
    const here = path + jsonPointer([key]);
    const sides = langs.map((one) => {
      const way = one === undefined ? [key] : [key, one];
      return { lang: one, way, at: path + jsonPointer(way) };
    });
    const isOwn = ({ at: { path: place } }: Problem) =>
      place === here ||
      sides.some(
        ({ at }) =>
          place === at ||
          (place.startsWith(`${at}/`) &&
            // Those in blocks are there.
            (type !== "content-block" || !/\/data\//.test(place.slice(at.length)))),
      );
    // H64: that a field is still empty is no news before it was touched.
    const isShown = ({ code, at }: Problem) =>
      code !== "value-missing" ||
      isRefused ||
      touched.includes(key) ||
      opened.problems.some((one) => one.code === code && one.at.path === at.path);
    // B5a: values that are not by locale are not understood here.
    const stored = ownMember(data, key) ?? null;
    const isKnown = !localized || stored === null || isJsonObject(stored);
    return (
      <fieldset
        key={key}
        name={here}
        class="edit-row"
        aria-label={name}
        onInput={() => touch(key)}
        onFocusOut={() => touch(key)}
      >
        {isNamed && (
          <span class="field-name">
            {name}
            {lang !== undefined && !beside && <span class="soft">{` ${lang}`}</span>}
          </span>
        )}
        {description && <p class="soft">{description}</p>}
        {isKnown ? (
          <div class={sides.length > 1 ? "translated" : undefined}>
            {sides.map((side) => (
              <div key={side.at} data-side={sides.length > 1 ? side.lang : undefined}>
                {sides.length > 1 && <p class="soft">{localeName(side.lang ?? "")}</p>}
                <ValueInput
                  opened={openedField(opened, field)}
                  name={sides.length > 1 ? `${name}, ${localeName(side.lang ?? "")}` : name}
                  value={valueAt(data, side.way) ?? null}
                  change={(next) => change(withValueAt(data, side.way, next, lang !== undefined))}
                  path={side.at}
                  lang={side.lang}
                />
              </div>
            ))}
          </div>
        ) : (
          <p class="soft">This value is not changed here. Change it in the file.</p>
        )}
        {beside?.note(here)}
        <div aria-live="polite">
          <ProblemNotes problems={problems.filter((one) => isOwn(one) && isShown(one))} isForm />
        </div>
      </fieldset>
    );
  });
}

function openedField({ models, blocks, ...rest }: OpenedForm, field: FieldDefinition): OpenedField {
  const { models: keys, category } = field as { models?: readonly string[]; category?: string };
  return {
    ...rest,
    field,
    models: models.filter(({ key }) => keys?.includes(key) ?? true),
    blocks: blocks.filter((one) => category === undefined || one.category === category),
  };
}

/** H71: whether a field has values by language, or blocks that may have such a field. */
const isTranslated =
  (blocks: readonly Block[]) =>
  ({ type, localized = false }: FieldDefinition): boolean =>
    localized ||
    (type === "content-block" &&
      blocks.some(({ fields }) => fields.some((one) => one.localized === true)));

/** The value of a field; of a list each, which are added, moved and removed. */
function ValueInput(props: Input) {
  const { type, repeatable, localized } = props.opened.field;
  const { beside } = useContext(FormState);
  if (beside && type === "content-block" && !localized) return <TranslatedBlocks {...props} />;
  // H59: JSON is a text, also of a list.
  return repeatable && type !== "json" ? (
    <ListInput {...props} one={(own) => <OneInput {...props} {...own} isItem />} />
  ) : (
    <OneInput {...props} />
  );
}

/** H71: blocks stay what and where they are. */
function TranslatedBlocks({ opened, value, change, path }: Input) {
  const isList = Array.isArray(value);
  const all = (isList ? value : [value]) as readonly (JsonObject | null)[];
  return all.map((one, index) => {
    const block = opened.blocks.find(({ id }) => id === one?.contentBlockId);
    if (!one || !block?.fields.some(isTranslated(opened.blocks))) return null;
    const set = (next: JsonObject) => change(isList ? all.with(index, next) : next);
    const data = (one.data ?? {}) as JsonObject;
    const at = isList ? `${path}/${index}/data` : `${path}/data`;
    return (
      <div key={at} class="edit-block">
        <p class="block-name">{block.name}</p>
        <FieldInputs
          fields={block.fields}
          data={data}
          path={at}
          change={(next) => set({ ...one, data: next })}
        />
      </div>
    );
  });
}

/** H65: a block in a fold, with its fields. */
function BlockInput({ opened, name, value, change, path, lang, isItem }: Input) {
  const form = useContext(FormState);
  const { folds, problems, locale, beside } = form;
  const { contentBlockId, data = {} } = (value ?? {}) as { data?: JsonObject } & JsonObject;
  const block = opened.blocks.find(({ id }) => id === contentBlockId);
  // One that was added is filled in next.
  const [isNew] = useState(Object.keys(data).length === 0);
  if (value === null) return <AddBlock opened={opened} name={name} add={change} />;
  const summary = (
    <span dir="auto">
      {[block?.name ?? "Block", firstText(block?.fields ?? [], data)].filter(Boolean).join(": ")}
    </span>
  );
  const hasProblem = problems.some(({ at }) => at.path.startsWith(`${path}/data/`));
  const isAsked = folds.isOpen || isNew || hasProblem || beside !== undefined;
  return (
    <>
      {block ? (
        <Fold key={folds.turn} summary={summary} isAsked={isAsked}>
          {() => (
            <div class="edit-block">
              {/* H71: of one that differs by language itself all is of that one. */}
              <FormState.Provider value={{ ...form, beside: undefined, locale: lang ?? locale }}>
                <FieldInputs
                  fields={block.fields}
                  data={data}
                  path={`${path}/data`}
                  change={(next) => change({ ...(value as JsonObject), data: next })}
                />
              </FormState.Provider>
            </div>
          )}
        </Fold>
      ) : (
        summary
      )}
      {!isItem && (
        <Button onClick={() => change(null)}>{`Remove ${block?.name ?? "block"}`}</Button>
      )}
    </>
  );
}

function firstText(fields: readonly FieldDefinition[], data: JsonObject): string | undefined {
  const texts = fields.filter(({ type }) => type === "text").map(({ key }) => ownMember(data, key));
  const all = texts.flatMap((one) => (isJsonObject(one) ? Object.values(one) : (one ?? "")));
  return all.find((one) => typeof one === "string" && one !== "") as string | undefined;
}

/** A text that may have more characters than this has lines. */
const LINE = 200;

/** H42c: whether Enter makes a line in a text; a title, a slug and what is short are saved by it. */
export function hasLines(field: FieldDefinition & { maxLength?: number; pattern?: string }) {
  const { type, title, maxLength = Number.POSITIVE_INFINITY, pattern } = field;
  const isShort = title || pattern !== undefined || maxLength <= LINE;
  return type === "text" && (!isShort || "format" in field);
}

function OneInput(props: Input) {
  const { opened, name, value, change, lang, isItem } = props;
  const { field } = opened;
  const { isMany } = useContext(FormState);
  const { type, options = [] } = field as FieldDefinition & { options?: readonly string[] };
  const text = value === null || typeof value === "object" ? "" : String(value);
  const common = { "aria-label": name, lang, dir: "auto" } as const;
  // An empty text is none, but where it was written as one.
  const [wasEmpty] = useState(value === "" && !isItem);
  const setText = (next: string) => change(next === "" && !wasEmpty ? null : next);
  if (/asset$|^reference$/.test(type)) return <PointerInput {...props} />;
  const rich = { ...props, takesFocus: !isMany };
  if (type === "rich-text") return <RichTextInput {...rich} />;
  if (type === "json") {
    return (
      <textarea
        {...common}
        class="is-json"
        rows={8}
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    );
  }
  if (type === "content-block") return <BlockInput {...props} />;
  if (type === "select" || type === "boolean") {
    const choices = type === "select" ? options : ["true", "false"];
    const isKnown = text === "" || choices.includes(text);
    const of = (one: string) => (type === "select" ? one : one === "true");
    return (
      <select
        {...common}
        value={text}
        onChange={({ currentTarget: { value: one } }) => change(one === "" ? null : of(one))}
      >
        {(!field.required || text === "") && <option value="">No value</option>}
        {!isKnown && <option value={text}>{text}</option>}
        {choices.map((one) => (
          <option value={one}>{type === "select" ? one : one === "true" ? "Yes" : "No"}</option>
        ))}
      </select>
    );
  }
  if (type === "number" || type === "integer") {
    return (
      <input
        {...common}
        type="number"
        step={type === "integer" ? 1 : "any"}
        defaultValue={text}
        onInput={({ currentTarget }) => {
          const { value: one, validity } = currentTarget;
          // What the browser gives no value is not one that was taken away.
          if (validity.badInput) return;
          currentTarget.setCustomValidity(isExact(one) ? "" : "The number has too many digits.");
          change(one === "" ? null : Number(one));
        }}
      />
    );
  }
  if (type === "text") {
    const isLong = hasLines(field) || text.includes("\n");
    const input = (
      <textarea
        {...common}
        rows={isLong ? 3 : 1}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          // A text of one line is saved by Enter, as an input would be.
          if (isLong || event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
    );
    if (!("format" in field)) return input;
    return <MarkdownInput {...rich} change={(next) => setText(String(next ?? ""))} text={input} />;
  }
  if (type === "date-time") return <DateTimeInput {...common} text={text} change={change} />;
  return (
    <input
      {...common}
      type={(type === "date" ? "date" : "text") as "text"}
      inputMode={type === "url" || type === "email" ? type : "text"}
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
}

/** Whether no digit of an integer is lost: the folder would be refused, or say another number. */
function isExact(text: string): boolean {
  return !/^-?\d+$/.test(text) || BigInt(text) === BigInt(Number(text));
}

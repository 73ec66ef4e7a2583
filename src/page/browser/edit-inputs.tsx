import { useRef, useState } from "preact/hooks";
import type { FieldDefinition } from "../../workspace/field.ts";
import type { JsonObject, JsonValue } from "../../workspace/json.ts";
import type { OpenedField, PointedAt } from "../edited.ts";
import { DateTimeInput } from "./edit-date-time.tsx";
import { ListInput } from "./edit-list.tsx";
import { Picker } from "./edit-picker.tsx";
import { RichTextInput } from "./edit-rich-text.tsx";
import { Thumb } from "./files.tsx";
import { FileButton } from "./uploads.tsx";

interface Input {
  readonly opened: OpenedField;
  readonly name: string;
  readonly value: JsonValue;
  readonly change: (value: JsonValue) => void;
  readonly lang?: string | undefined;
}

/** The value of a field; of a list each, which are added, moved and removed. */
export function ValueInput(props: Input) {
  const { type, repeatable } = props.opened.field;
  // H59: JSON is a text, also of a list.
  return repeatable && type !== "json" ? (
    <ListInput {...props} one={(own) => <OneInput {...props} {...own} />} />
  ) : (
    <OneInput {...props} />
  );
}

/** The name of a block, and how it begins. */
function blockName(opened: OpenedField, value: JsonValue): string {
  const { data } = (value ?? {}) as { data?: JsonObject };
  const text = Object.values(data ?? {}).find((one) => typeof one === "string");
  const { contentBlockId } = (value ?? {}) as JsonObject;
  const block = opened.blocks.find(({ id }) => id === contentBlockId);
  return [block?.name ?? "Block", text].filter(Boolean).join(": ");
}

/** A text that may have more characters than this has lines. */
const LINE = 200;

/** H42c: whether Enter makes a line in a text; a title, a slug and what is short are saved by it. */
export function hasLines(field: FieldDefinition & { maxLength?: number; pattern?: string }) {
  const { type, title, maxLength = Number.POSITIVE_INFINITY, pattern } = field;
  const isShort = title || pattern !== undefined || maxLength <= LINE;
  return type === "text" && (!isShort || "format" in field);
}

function OneInput({ opened, name, value, change, lang }: Input) {
  const { field } = opened;
  const { type, options = [] } = field as FieldDefinition & { options?: readonly string[] };
  const text = value === null || typeof value === "object" ? "" : String(value);
  const common = { "aria-label": name, lang, dir: "auto" } as const;
  // An empty text is none, but where it was written as one.
  const setText = (next: string) => change(next === "" && opened.value !== "" ? null : next);
  if (/asset$|^reference$/.test(type)) return <PointerInput {...{ opened, name, value, change }} />;
  if (type === "rich-text") {
    const pointed = (pointer: JsonValue) => shownOf(opened, pointer);
    return <RichTextInput {...{ opened, name, value, change, lang, pointed, pointerTo }} />;
  }
  if (type === "json") {
    return (
      <textarea
        {...common}
        class="is-json"
        rows={8}
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    );
  }
  if (type === "content-block") return <span>{blockName(opened, value)}</span>;
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
          const { value: one } = currentTarget;
          currentTarget.setCustomValidity(isExact(one) ? "" : "The number has too many digits.");
          change(one === "" ? null : Number(one));
        }}
      />
    );
  }
  if (type === "text") {
    const isLong = hasLines(field) || text.includes("\n");
    return (
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

/** Those that were picked, which the server has not named. */
const picked = new Map<string, PointedAt>();

function pointerTo(one: PointedAt & { readonly id: string }, isEntry: boolean): JsonObject {
  picked.set(one.id, one);
  return isEntry ? { contentEntryId: one.id } : { assetId: one.id };
}

function shownOf({ shown }: OpenedField, value: JsonValue): PointedAt | undefined {
  const { contentEntryId, assetId } = (value || {}) as JsonObject;
  const id = contentEntryId ?? assetId;
  return shown[String(id)] ?? picked.get(String(id));
}

/** A reference or an asset, by its title and picture. */
function PointerInput({ opened, name, value, change }: Input) {
  const [isPicking, setPicking] = useState(value === "");
  const choose = useRef<HTMLButtonElement>(null);
  const shown = shownOf(opened, value);
  const { contentEntryId, assetId } = (value || {}) as JsonObject;
  const id = contentEntryId ?? assetId;
  const isReference = opened.field.type === "reference";
  return (
    <div class="edit-pointer">
      <Thumb file={shown?.file} />
      <span dir="auto">{shown?.title ?? (id === undefined ? "Nothing chosen" : String(id))}</span>
      {shown?.model && <span class="tag">{shown.model}</span>}
      <button
        ref={choose}
        type="button"
        class="quiet"
        aria-label={`Choose ${name}`}
        onClick={() => setPicking(true)}
      >
        Choose…
      </button>
      {opened.field.type === "asset" && (
        <FileButton
          label="Upload…"
          name={`Upload ${name}`}
          within=".edit-pointer"
          use={(one) => change(pointerTo(one, false))}
        />
      )}
      {id !== undefined && !opened.field.repeatable && (
        <button type="button" class="quiet" onClick={() => change(null)}>
          Clear
        </button>
      )}
      {isPicking && (
        <Picker
          opened={opened}
          pick={(one) => {
            setPicking(false);
            choose.current?.focus();
            if (one === undefined) return;
            change(pointerTo(one, isReference));
          }}
        />
      )}
    </div>
  );
}

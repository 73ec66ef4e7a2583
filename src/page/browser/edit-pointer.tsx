import { createContext, type FunctionComponent } from "preact";
import { useContext, useRef, useState } from "preact/hooks";
import type { JsonObject, JsonValue } from "../../workspace/json.ts";
import type { OpenedField, PointedAt } from "../edited.ts";
import { useAnswer } from "./answers.ts";
import { ChoiceDialog } from "./edit-choice.tsx";
import { Thumb } from "./files.tsx";
import { Choice } from "./list-tools.tsx";
import { Button } from "./parts.tsx";
import { FileButton } from "./uploads.tsx";

/** Those that were picked, which the server has not named. */
const picked = new Map<string, PointedAt>();

export function pointerTo(one: PointedAt & { readonly id: string }, isEntry: boolean): JsonObject {
  picked.set(one.id, one);
  return isEntry ? { contentEntryId: one.id } : { assetId: one.id };
}

export function shownOf({ shown }: OpenedField, value: JsonValue): PointedAt | undefined {
  const { contentEntryId, assetId } = (value || {}) as JsonObject;
  const id = contentEntryId ?? assetId;
  return shown[String(id)] ?? picked.get(String(id));
}

/** What the input of a field, or of a value in it, is given. */
export interface InputProps {
  readonly opened: OpenedField;
  readonly name: string;
  readonly value: JsonValue;
  readonly change: (value: JsonValue) => void;
  /** As in problems. */
  readonly path: string;
  readonly lang?: string | undefined;
}

/** A reference or an asset, by its title and picture. */
export function PointerInput({ opened, name, value, change }: InputProps) {
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
      <Button ref={choose} aria-label={`Choose ${name}`} onClick={() => setPicking(true)}>
        Choose…
      </Button>
      {opened.field.type === "asset" && (
        <FileButton
          label="Upload…"
          name={`Upload ${name}`}
          within=".edit-pointer"
          use={(one) => change(pointerTo(one, false))}
        />
      )}
      {id !== undefined && !opened.field.repeatable && (
        <Button onClick={() => change(null)}>Clear</Button>
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

interface Picked extends PointedAt {
  readonly id: string;
}

/** H67: the button that makes an entry; its form has this dialog in it. */
export const MakesEntry = createContext<
  FunctionComponent<{ label: string; accepts: readonly string[]; use: (made: Picked) => void }>
>(() => null);

/** A dialog with the entries that a reference may lead to, or with the assets. */
export function Picker({
  opened: { field, models },
  pick,
}: {
  opened: Pick<OpenedField, "field" | "models">;
  /** Undefined: it was closed. */
  pick: (one: Picked | undefined) => void;
}) {
  const NewEntry = useContext(MakesEntry);
  const isReference = field.type === "reference";
  const [q, setQ] = useState("");
  const [model, setModel] = useState("");
  // Of a field whose models are gone there is none: no id is a slash.
  const accepted = "models" in field ? models.map(({ id }) => id).join() || "/" : "";
  const entries = useAnswer(isReference ? "entries" : undefined, { q, models: model || accepted });
  const only = field.type === "asset" ? "" : "files";
  const assets = useAnswer(isReference ? undefined : "assets", { q, only });
  const { total } = entries.answer ?? assets.answer ?? {};
  const choices: readonly Picked[] =
    entries.answer?.rows.map(({ id, title, modelName }) => ({
      ...{ id, title, ...(modelName && { model: modelName }) },
    })) ??
    assets.answer?.rows ??
    [];
  // H67a: a button for each, but for many.
  const ofModels = isReference ? models.filter(({ id }) => (model || id) === id) : [];
  const made = ofModels.length > 3 ? [ofModels] : ofModels.map((one) => [one]);
  return (
    <ChoiceDialog
      label={isReference ? "Choose an entry" : "Choose an asset"}
      list={isReference ? "Entries" : "Assets"}
      placeholder={isReference ? "Search by title or text" : "Search by title or file name"}
      kind={isReference ? "" : "is-assets"}
      q={q}
      setQ={setQ}
      options={choices}
      isCurrent={(isReference ? entries : assets).isOfQuery}
      pick={pick}
      beside={
        <>
          {isReference && models.length > 1 && (
            <Choice
              label="Model"
              value={model}
              options={[["", "All models"], ...models.map(({ id, name }) => [id, name] as const)]}
              onChoose={setModel}
            />
          )}
          {made.map((some) => (
            <NewEntry
              key={some.map(({ id }) => id).join()}
              label={`New ${some[1] ? "entry" : some[0]?.name}…`}
              accepts={some.map(({ id }) => id)}
              use={pick}
            />
          ))}
          {field.type === "asset" && (
            <FileButton label="Upload…" within=".edit-picker" use={pick} />
          )}
        </>
      }
      total={total}
    />
  );
}

import { createContext, type FunctionComponent } from "preact";
import { useContext, useState } from "preact/hooks";
import type { OpenedField, PointedAt } from "../edited.ts";
import { useAnswer } from "./answers.ts";
import { ChoiceDialog } from "./edit-choice.tsx";
import { Choice } from "./list-tools.tsx";
import { FileButton } from "./uploads.tsx";

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
  const isOfQuery = entries.isOfQuery || assets.isOfQuery;
  return (
    <ChoiceDialog
      label={isReference ? "Choose an entry" : "Choose an asset"}
      list={isReference ? "Entries" : "Assets"}
      placeholder={isReference ? "Search by title or text" : "Search by title or file name"}
      kind={isReference ? "" : "is-assets"}
      q={q}
      setQ={setQ}
      options={choices}
      isCurrent={isOfQuery}
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
    >
      {total !== undefined && (choices.length === 0 || choices.length < total) && (
        <p class="soft" role="status">
          {total === 0 ? "Nothing was found." : "There are more: search for a part of the title."}
        </p>
      )}
    </ChoiceDialog>
  );
}

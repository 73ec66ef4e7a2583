import { useEffect, useRef, useState } from "preact/hooks";
import type { OpenedField, PointedAt } from "../edited.ts";
import { useAnswer } from "./answers.ts";
import { Thumb } from "./files.tsx";

interface Picked extends PointedAt {
  readonly id: string;
}

/** A dialog with the entries that a reference may lead to, or with the assets. */
export function Picker({
  opened,
  pick,
}: {
  opened: OpenedField;
  /** Undefined: it was closed. */
  pick: (one: Picked | undefined) => void;
}) {
  const { field, models } = opened;
  const isReference = field.type === "reference";
  const [q, setQ] = useState("");
  const [model, setModel] = useState(models.length === 1 ? (models[0]?.id ?? "") : "");
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const accepts = "models" in field && models.length > 1 && model === "" ? models : [];
  return (
    <dialog
      ref={dialog}
      class="edit-picker"
      aria-label={isReference ? "Choose an entry" : "Choose an asset"}
      onClose={() => pick(undefined)}
    >
      <p class="edit-buttons">
        <input
          type="search"
          aria-label="Search"
          placeholder={isReference ? "Search by title" : "Search by title or file name"}
          value={q}
          onInput={({ currentTarget }) => setQ(currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        />
        {isReference && models.length > 1 && (
          <select
            aria-label="Model"
            value={model}
            onChange={({ currentTarget }) => setModel(currentTarget.value)}
          >
            <option value="">All models</option>
            {models.map(({ id, name }) => (
              <option value={id}>{name}</option>
            ))}
          </select>
        )}
        <button type="button" class="quiet" onClick={() => pick(undefined)}>
          Close
        </button>
      </p>
      {isReference ? (
        <Entries q={q} model={model} names={accepts.map(({ name }) => name)} pick={pick} />
      ) : (
        <Assets q={q} only={field.type === "asset" ? "" : "files"} pick={pick} />
      )}
    </dialog>
  );
}

type Pick = (one: Picked) => void;

function Entries({
  q,
  model,
  names,
  pick,
}: {
  q: string;
  model: string;
  /** Of the only models that are accepted; empty: all. */
  names: readonly string[];
  pick: Pick;
}) {
  const { answer } = useAnswer("table", { q, model });
  const all = answer?.rows.map(
    ({ id, title, modelName }): Picked => ({ id, title, ...(modelName && { model: modelName }) }),
  );
  const isAccepted = (one: Picked) => names.length === 0 || names.includes(one.model ?? "");
  return <Choices choices={all?.filter(isAccepted)} total={answer?.total} pick={pick} />;
}

function Assets({ q, only, pick }: { q: string; only: string; pick: Pick }) {
  const { answer } = useAnswer("assets", { q, only });
  return <Choices kind="is-assets" choices={answer?.rows} total={answer?.total} pick={pick} />;
}

function Choices({
  kind = "",
  choices = [],
  total,
  pick,
}: {
  kind?: string;
  choices: readonly Picked[] | undefined;
  total: number | undefined;
  pick: Pick;
}) {
  return (
    <ul class={`edit-choices ${kind}`}>
      {choices.map((one) => (
        <li key={one.id}>
          <button type="button" class="quiet" onClick={() => pick(one)}>
            {one.file?.mimeType.startsWith("image/") && <Thumb file={one.file} />}
            <span dir="auto">{one.title}</span>
            {one.model && <span class="tag">{one.model}</span>}
          </button>
        </li>
      ))}
      <Found shown={choices.length} total={total} />
    </ul>
  );
}

function Found({ shown, total }: { shown: number; total: number | undefined }) {
  if (total === undefined || (shown > 0 && shown === total)) return null;
  return (
    <li class="soft" role="status">
      {shown === 0 ? "Nothing was found." : "There are more: search for a part of the title."}
    </li>
  );
}

import { useRef, useState } from "preact/hooks";
import type { JsonObject, JsonValue } from "../../workspace/json.ts";
import type { OpenedField, PointedAt } from "../edited.ts";
import { Picker } from "./edit-picker.tsx";
import { Thumb } from "./files.tsx";
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

/** A reference or an asset, by its title and picture. */
export function PointerInput({
  opened,
  name,
  value,
  change,
}: {
  opened: OpenedField;
  name: string;
  value: JsonValue;
  change: (value: JsonValue) => void;
}) {
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

import { useEffect, useState } from "preact/hooks";
import type { OpenedAsset } from "../edited.ts";
import type { Answers } from "../queries.ts";
import { localeName } from "../spoken.ts";
import { TAKEN } from "../uploads.ts";
import { act } from "./access.ts";
import { DialogButton, TextInput } from "./edit-dialog.tsx";
import { change, reasonOf, useCanEdit } from "./edit-state.tsx";
import { Failure } from "./parts.tsx";
import { viewHref } from "./router.ts";
import { FileButton } from "./uploads.tsx";
import { WhereUsed } from "./where-used.tsx";

/** H60: adds files on the view of all assets; the page of one alone is opened then. */
export function AddAssets() {
  if (!useCanEdit()) return null;
  const open = ({ id }: { id: string }) => location.assign(viewHref(["assets", id]));
  return (
    <div class="asset-edit">
      <FileButton label="Add files…" within="body" isMany use={open} />
      <span class="soft">{`or drop or paste them here: ${TAKEN}, up to 20 MB each.`}</span>
    </div>
  );
}

/** H61, H62: what is done with an asset. */
export function AssetActions({ asset }: { asset: Answers["asset"] }) {
  const { id, title, file, hasTexts } = asset;
  const [opened, setOpened] = useState<OpenedAsset>();
  if (!useCanEdit() || !file) return null;
  const remove = async () => {
    await change("asset-remove", { id }, `Removed “${title}”.`);
    location.hash = viewHref(["assets"]);
  };
  return (
    <div class="asset-edit">
      {hasTexts && (
        <DialogButton
          label="Title and description"
          title={`Title and description of “${title}”`}
          send="Save"
          save={() => change("asset-edit", { id, ...opened }, "Saved title and description.")}
        >
          <TextInputs id={id} opened={opened} set={setOpened} />
        </DialogButton>
      )}
      <FileButton label="Replace…" replaces={id} />
      <DialogButton label="Remove" title={`Remove “${title}”?`} send="Remove" save={remove}>
        <WhereUsed kind="assets" id={id} />
        <p class="soft">What uses it will show nothing in its place. Undo brings it back.</p>
      </DialogButton>
    </div>
  );
}

/** V4d: in each language; of one language it is one text. */
function TextInputs({
  id,
  opened,
  set,
}: {
  id: string;
  opened: OpenedAsset | undefined;
  set: (opened: OpenedAsset | undefined) => void;
}) {
  const [error, setError] = useState("");
  useEffect(() => {
    act<OpenedAsset>("asset-open", { id }).then(set, (thrown) => setError(reasonOf(thrown)));
    return () => set(undefined);
  }, []);
  if (error) return <Failure problem={{ message: error }} />;
  if (opened === undefined) return <p class="soft">Loading…</p>;
  return (["title", "description"] as const).flatMap((member) => {
    const label = member === "title" ? "Title" : "Description, for those who do not see it";
    const text = opened[member] ?? "";
    const { locales } = opened;
    if (typeof text === "string" && locales.length < 2) {
      const setText = (next: string) => set({ ...opened, [member]: next });
      return [<TextInput key={member} label={label} value={text} set={setText} />];
    }
    const texts =
      typeof text === "object" ? text : Object.fromEntries(locales.map((one) => [one, text]));
    return Array.from(new Set([...locales, ...Object.keys(texts)]), (locale) => (
      <TextInput
        key={`${member} ${locale}`}
        label={`${label} (${localeName(locale)})`}
        value={texts[locale] ?? ""}
        set={(next) => set({ ...opened, [member]: { ...texts, [locale]: next } })}
      />
    ));
  });
}

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Edited, PickedAsset } from "../edited.ts";
import { MOST_BYTES, SMALLER } from "../uploads.ts";
import { RequestError } from "./access.ts";
import { change, reasonOf } from "./edit-state.tsx";
import { Thumb } from "./files.tsx";
import { listen } from "./listening.ts";
import { Button, Failure } from "./parts.tsx";
import { size } from "./words.ts";

interface How {
  /** H61: the id of an asset. */
  readonly replaces?: string | undefined;
  /** H60d: although an asset has the same bytes. */
  readonly again?: string;
}

/** H60. @throws RequestError */
async function send(file: File, how: How): Promise<Edited> {
  const name = `“${file.name}”`;
  if (file.size > MOST_BYTES) {
    const most = `${name} has ${size(file.size)}, and 20 MB are the most`;
    throw new RequestError(413, most, { hint: SMALLER });
  }
  const bytes = await file.arrayBuffer().catch(() => {
    throw new RequestError(400, `${name} cannot be read, as it is a folder or has been moved`);
  });
  const done = how.replaces ? `${name} is in its place now.` : `Added ${name}.`;
  return change("asset-put", { name: file.name, ...how }, done, bytes);
}

/** What became of a file that was not taken. */
interface Note {
  readonly file: File;
  /** H60d: the asset that has its bytes. */
  readonly equal?: PickedAsset;
  readonly reason?: string;
}

/**
 * H60: a button that takes files, which may be dropped and pasted as well.
 *
 * @param within where: a selector of what the button is in; without: nowhere
 * @param use takes the asset that a file is now, while the button is there
 */
export function FileButton({
  label,
  name = label,
  within,
  isMany = false,
  replaces,
  use,
}: {
  label: string;
  name?: string;
  within?: string;
  isMany?: boolean;
  replaces?: string;
  use?: (asset: PickedAsset) => void;
}) {
  const [busy, setBusy] = useState("");
  const [notes, setNotes] = useState<readonly Note[]>([]);
  const button = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const take = async (given: readonly File[], how: How = { replaces }) => {
    if (busy !== "") return;
    const files = isMany ? given : given.slice(0, 1);
    const found: Note[] = [];
    for (const file of files) {
      setBusy(file.name);
      try {
        const { added, equal } = await send(file, how);
        if (equal) found.push({ file, equal });
        // Not for a form that was closed meanwhile.
        if (added && files.length === 1 && button.current) latest.current.use?.(added);
      } catch (error) {
        found.push({ file, reason: reasonOf(error) });
      }
    }
    setNotes([
      ...notes.filter((one) => isMany && one.equal && !files.includes(one.file)),
      ...found,
    ]);
    setBusy("");
  };
  // As drawn last: a list may have been sorted once a file is there.
  const latest = useRef<{ take: typeof take; use: typeof use }>({ take, use });
  latest.current = { take, use };
  // With what is drawn, so that nothing is lost that is dropped, or saved, as soon as it can be seen.
  useLayoutEffect(() => {
    const place = within && button.current?.closest(within);
    return place ? listenForFiles(place, (files) => latest.current.take(files)) : undefined;
  }, [within]);
  const answer = (what: () => unknown) => {
    button.current?.focus();
    setNotes([]);
    what();
  };
  useLayoutEffect(() => {
    input.current?.setCustomValidity(busy && `“${busy}” is not there yet. Save once it is.`);
  }, [busy]);
  return (
    <>
      <Button
        ref={button}
        aria-label={name}
        aria-busy={busy !== ""}
        onClick={() => input.current?.click()}
      >
        {busy ? `Adding ${busy}…` : label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple={isMany}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // The same one may be chosen again, once it is smaller.
          currentTarget.value = "";
          void take(files);
        }}
      />
      {notes.map(({ file, equal, reason = "" }) =>
        equal ? (
          <div class="edit-pointer" role="alert">
            <Thumb file={equal.file} />
            <span dir="auto">{`“${file.name}” is there already, as “${equal.title}”.`}</span>
            <Button onClick={() => answer(() => use?.(equal))}>Use this one</Button>
            <Button onClick={() => answer(() => take([file], { again: "yes" }))}>
              Add a second copy
            </Button>
          </div>
        ) : (
          <Failure problem={{ message: reason }} />
        ),
      )}
    </>
  );
}

const hasFiles = (data: DataTransfer | null) => data?.types.includes("Files") === true;

/** Files that are dropped or pasted; returns what ends that. */
function listenForFiles(place: Element, take: (files: File[]) => void): () => void {
  const onFiles = (event: Event) => {
    const { type, dataTransfer, clipboardData } = event as DragEvent & ClipboardEvent;
    const data = dataTransfer ?? clipboardData;
    place.classList.toggle("is-dropping", type === "dragover" && hasFiles(data));
    // Word gives a picture of a text, too.
    const isText = type === "paste" && data?.types.includes("text/plain");
    if (event.defaultPrevented || type === "dragleave" || !hasFiles(data) || isText) return;
    event.preventDefault();
    if (type !== "dragover") take([...(data?.files ?? [])]);
  };
  return listen(["dragover", "dragleave", "drop", "paste"], onFiles, place);
}

// A file that is dropped beside would be opened in place of the page.
for (const type of ["dragover", "drop"] as const) {
  addEventListener(type, (event) => {
    if (event.defaultPrevented || !hasFiles(event.dataTransfer)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "none";
  });
}

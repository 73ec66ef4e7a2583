import MarkdownIt from "markdown-it";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { JsonObject, JsonValue } from "../../workspace/json.ts";
import { type InputProps, Picker, pointerTo, shownOf } from "./edit-pointer.tsx";
import { loaded } from "./files.tsx";
import { withFootnotes } from "./markdown-statements.ts";
import { Button } from "./parts.tsx";
import type { RichEditor } from "./rich-editor.ts";
import { FileButton } from "./uploads.tsx";

/** The name of the editor's file, which is loaded when the first text is opened. */
declare const RICH_EDITOR: string;

const editor = () =>
  import(`/_svc/page/${RICH_EDITOR}`) as Promise<
    Pick<typeof import("./rich-editor.ts"), "richEditor">
  >;

type Picking = { readonly kind: "reference" | "asset"; done(one: JsonObject | undefined): void };

/** H57b: with HTML, which is kept as it is. */
const MARKDOWN = withFootnotes(new MarkdownIt({ html: true }));

/** H25a: a longer text is not laid out either. */
const LONGEST = 300_000;

/** H57b: Markdown, changed as it is read, or as a text. */
export function MarkdownInput({
  text,
  ...props
}: Parameters<typeof RichTextInput>[0] & { text: ComponentChildren }) {
  const [isText, setText] = useState(String(props.value ?? "").length > LONGEST);
  return (
    <>
      {isText ? text : <RichTextInput {...props} />}
      <Button
        aria-pressed={isText}
        aria-label={`${props.name} as Markdown text`}
        onClick={() => setText(!isText)}
      >
        As Markdown text
      </Button>
    </>
  );
}

/** H57: rich text, changed where it is read. */
export function RichTextInput({
  opened,
  name,
  value,
  change,
  lang,
  takesFocus,
}: InputProps & {
  /** Once it is loaded: not from what is typed in another field meanwhile. */
  takesFocus: boolean;
}) {
  const place = useRef<HTMLDivElement>(null);
  const now = useRef({ change, opened });
  const [state, setState] = useState<"loading" | "open" | "unknown" | "failed">("loading");
  const [picking, setPicking] = useState<Picking>();
  const [drawn, setDrawn] = useState(value);
  const [insert, setInsert] = useState<RichEditor["insert"]>();
  now.current = { change, opened };
  // Another value than what was typed here, as what is in the file by now, is drawn anew.
  const written = useRef<JsonValue>(value);
  if ((value ?? "") !== (written.current ?? "")) {
    written.current = value;
    setDrawn(value);
  }
  useEffect(() => {
    let isGone = false;
    let view: RichEditor | undefined;
    editor().then(
      ({ richEditor }) => {
        if (isGone || place.current === null) return;
        const { nodeTypes, marks } = opened.field as Options;
        view = richEditor(place.current, {
          // What is added to a list is empty first.
          value: drawn === "" ? null : drawn,
          sample: opened.sample ?? null,
          nodeTypes,
          marks,
          ...(opened.field.type === "text" && { markdown: MARKDOWN }),
          label: name,
          lang,
          changed(next) {
            written.current = next;
            now.current.change(next);
          },
          pick: (kind) =>
            new Promise((resolve) => {
              const done = (one: JsonObject | undefined) => {
                setPicking(undefined);
                resolve(one);
              };
              setPicking({ kind, done });
            }),
          shown(pointer) {
            const { title, file } = shownOf(now.current.opened, pointer) ?? {};
            const src = file?.mimeType.startsWith("image/") ? loaded(file.src) : undefined;
            const id = pointer.contentEntryId ?? pointer.assetId ?? "";
            return { title: title ?? String(id), ...(src !== undefined && { src }) };
          },
        });
        if (takesFocus || place.current === document.activeElement) view?.focus();
        setInsert(() => view?.insert);
        setState(view === undefined ? "unknown" : "open");
      },
      () => setState("failed"),
    );
    return () => {
      isGone = true;
      view?.destroy();
      place.current?.replaceChildren();
    };
  }, [drawn]);
  return (
    <div class="rich-field">
      <div ref={place} class="rich-editor" tabIndex={-1} />
      {insert && (
        <FileButton
          label="Upload…"
          name={`Upload into ${name}`}
          within=".rich-field"
          use={(one) => insert(pointerTo(one, false))}
        />
      )}
      {state === "loading" && <p class="soft">Loading the editor…</p>}
      {state in FAULTS && <p role="alert">{FAULTS[state]}</p>}
      {picking && (
        <Picker
          opened={{ ...opened, field: { ...opened.field, type: picking.kind } }}
          pick={(one) => picking.done(one && pointerTo(one, picking.kind === "reference"))}
        />
      )}
    </div>
  );
}

const FAULTS: Readonly<Record<string, string>> = {
  failed: "The editor could not be loaded. Load the page again.",
  unknown: "This text is of no kind that the editor knows. Change it in the file.",
};

interface Options {
  readonly nodeTypes?: readonly string[];
  readonly marks?: readonly string[];
}

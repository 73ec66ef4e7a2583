import { useState } from "preact/hooks";
import type { PageNames } from "../edited.ts";
import { useActed, useAnswer } from "./answers.ts";
import { DialogButton, TextInput } from "./edit-dialog.tsx";
import { IdInput } from "./edit-new.tsx";
import { Picker } from "./edit-pointer.tsx";
import { change, goToMade, useCanEdit } from "./edit-state.tsx";
import { Choice } from "./list-tools.tsx";
import { Button } from "./parts.tsx";
import { viewHref } from "./router.ts";

interface Typed {
  readonly title?: string;
  readonly id?: string | undefined;
  readonly steps: readonly { entry: string; title: string; layout?: string }[];
}

/** H70: a button that makes an experience of a project, whose steps show entries. */
export function NewPage({ project }: { project: string }) {
  const [typed, setTyped] = useState<Typed>({ steps: [] });
  if (!useCanEdit()) return null;
  const save = async () => {
    const title = typed.title ?? typed.steps[0]?.title ?? "";
    const made = await change("page-add", { project, ...typed }, `Made the page “${title}”.`);
    setTyped({ steps: [] });
    goToMade(made, viewHref(["projects", project, "experiences", made.id ?? ""]));
  };
  return (
    <DialogButton label="New page" title="New page" send="Create" save={save}>
      <Inputs {...{ project, typed }} set={(more) => setTyped((old) => ({ ...old, ...more }))} />
    </DialogButton>
  );
}

const ENTRY = { key: "entry", type: "reference" } as const;

function Inputs({
  project,
  typed,
  set,
}: {
  project: string;
  typed: Typed;
  set: (more: Partial<Typed>) => void;
}) {
  const [isPicking, setPicking] = useState(false);
  const { models = [] } = useAnswer("definitions").answer ?? {};
  const { answer: names } = useActed<PageNames>("page-names", { project, ...typed });
  const { title = "", layouts = [] } = names ?? {};
  const { steps } = typed;
  return (
    <>
      <ol class="values edit-list">
        {steps.map((step, at) => {
          const layout = step.layout ?? names?.steps[at]?.layout;
          return (
            <li>
              <div dir="auto">{step.title}</div>
              {layout !== undefined && (
                <Choice
                  label={`Layout of ${step.title}`}
                  value={layout}
                  options={layouts.map((name) => [name, name] as const)}
                  onChoose={(name) => set({ steps: steps.with(at, { ...step, layout: name }) })}
                />
              )}
              <Button
                aria-label={`Remove ${step.title}`}
                onClick={() => set({ steps: steps.toSpliced(at, 1) })}
              >
                ✕
              </Button>
            </li>
          );
        })}
      </ol>
      <Button onClick={() => setPicking(true)}>Add a step…</Button>
      {isPicking && (
        <Picker
          opened={{ field: ENTRY, models }}
          pick={(one) => {
            setPicking(false);
            if (one) set({ steps: [...steps, { entry: one.id, title: one.title }] });
          }}
        />
      )}
      <TextInput label="Title" value={typed.title ?? title} set={(text) => set({ title: text })} />
      <IdInput typed={typed.id} names={names} of="page" set={(next) => set({ id: next })} />
      <p class="soft">Its steps show these entries, in this order.</p>
    </>
  );
}

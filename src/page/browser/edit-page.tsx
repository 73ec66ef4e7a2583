import { useState } from "preact/hooks";
import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import type { PageNames } from "../edited.ts";
import { useActed, useAnswer } from "./answers.ts";
import { DialogButton, TextInput } from "./edit-dialog.tsx";
import { ListInput } from "./edit-list.tsx";
import { IdInput } from "./edit-new.tsx";
import { PointerInput } from "./edit-pointer.tsx";
import { change, goToMade, useCanEdit } from "./edit-state.tsx";
import { Choice } from "./list-tools.tsx";
import { viewHref } from "./router.ts";

interface Typed {
  readonly title?: string;
  readonly id?: string | undefined;
  /** Each with its `entry` and `layout`; an empty text until the entry is chosen. */
  readonly steps: readonly JsonValue[];
}

const sentOf = ({ steps, ...typed }: Typed) => ({ ...typed, steps: steps.filter(isJsonObject) });

/** H70: a button that makes an experience of a project, whose steps show entries. */
export function NewPage({ project }: { project: string }) {
  const [typed, setTyped] = useState<Typed>({ steps: [] });
  if (!useCanEdit()) return null;
  const save = async () => {
    const made = await change("page-add", { project, ...sentOf(typed) }, "");
    setTyped({ steps: [] });
    goToMade(made, viewHref(["projects", project, "experiences", made.id ?? ""]));
  };
  return (
    <DialogButton label="New page" title="New page" send="Create" save={save}>
      <Inputs {...{ project, typed }} set={(more) => setTyped((old) => ({ ...old, ...more }))} />
    </DialogButton>
  );
}

const ENTRY = { key: "entry", type: "reference", repeatable: true } as const;

function Inputs({
  project,
  typed,
  set,
}: {
  project: string;
  typed: Typed;
  set: (more: Partial<Typed>) => void;
}) {
  const { models = [] } = useAnswer("definitions").answer ?? {};
  const sent = sentOf(typed);
  const { answer: names } = useActed<PageNames>("page-names", { project, ...sent });
  const { title = "", layouts = [], steps = [] } = names ?? {};
  const opened = { field: ENTRY, models, blocks: [], shown: {} };
  const stepInput: Parameters<typeof ListInput>[0]["one"] = ({
    value,
    change: setStep,
    ...own
  }) => {
    const step = Object(value) as { entry?: string; layout?: string } & JsonObject;
    const layout = step.layout ?? steps[sent.steps.indexOf(step)]?.layout;
    return (
      <>
        <PointerInput
          {...{ opened, ...own }}
          value={step.entry ? { contentEntryId: step.entry } : ""}
          change={(to) => setStep({ entry: (to as JsonObject).contentEntryId ?? "" })}
        />
        {layout !== undefined && (
          <Choice
            label={`Layout of ${own.name}`}
            value={layout}
            options={layouts.map((one) => [one, one] as const)}
            onChoose={(one) => setStep({ ...step, layout: one })}
          />
        )}
      </>
    );
  };
  return (
    <>
      <ListInput
        {...{ opened, name: "Steps", path: "", value: typed.steps, one: stepInput }}
        add="Add a step…"
        change={(all) => set({ steps: all as readonly JsonValue[] })}
      />
      <TextInput label="Title" value={typed.title ?? title} set={(text) => set({ title: text })} />
      <IdInput typed={typed.id} names={names} of="page" set={(next) => set({ id: next })} />
      <p class="soft">Its steps show these entries, in this order.</p>
    </>
  );
}

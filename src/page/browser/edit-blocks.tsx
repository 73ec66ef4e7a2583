import { useRef, useState } from "preact/hooks";
import type { JsonObject } from "../../workspace/json.ts";
import { listed } from "../../workspace/listed.ts";
import type { Block } from "../../workspace/records.ts";
import type { OpenedField } from "../edited.ts";
import { ChoiceDialog } from "./edit-choice.tsx";
import { Button } from "./parts.tsx";

/** H65: a button that adds a block, of the kind that is chosen where there are several. */
export function AddBlock({
  opened: { blocks },
  name,
  add,
}: {
  opened: OpenedField;
  name: string;
  add: (block: JsonObject) => void;
}) {
  const [q, setQ] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const [only, ...others] = blocks;
  const isOne = others.length === 0;
  const of = ({ id }: Block) => ({ contentBlockId: id, data: {} });
  const words = (q ?? "").toLowerCase().split(/\s+/);
  const options = blocks
    .map((block) => ({ id: block.id, title: block.name, below: described(block), block }))
    .filter(({ title, below }) => {
      const text = `${title} ${below}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  if (only === undefined) return <p class="soft">There are no blocks that it takes.</p>;
  return (
    <>
      <Button ref={button} onClick={() => (isOne ? add(of(only)) : setQ(""))}>
        {isOne ? `Add ${only.name}` : "Add a block…"}
        <span class="unseen">{` to ${name}`}</span>
      </Button>
      {q !== undefined && (
        <ChoiceDialog
          label={`Add a block to ${name}`}
          list="Blocks"
          placeholder="Search by name or field"
          q={q}
          setQ={setQ}
          options={options}
          pick={(one) => {
            setQ(undefined);
            button.current?.focus();
            if (one) add(of(one.block));
          }}
        >
          {options.length === 0 && (
            <p class="soft" role="status">
              Nothing was found.
            </p>
          )}
        </ChoiceDialog>
      )}
    </>
  );
}

/** What a block has. */
function described({ fields }: Block): string {
  const names = fields.map(({ key, name = key }) => name);
  return names.length === 0 ? "nothing to fill in" : listed(names, 6);
}

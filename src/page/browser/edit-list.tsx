import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { FieldDefinition } from "../../workspace/field.ts";
import type { JsonObject, JsonValue } from "../../workspace/json.ts";
import { listed } from "../../workspace/listed.ts";
import type { Block } from "../../workspace/records.ts";
import type { OpenedField } from "../edited.ts";
import { ChoiceDialog } from "./edit-choice.tsx";
import type { InputProps } from "./edit-pointer.tsx";
import { Button } from "./parts.tsx";

type OneOf = Pick<InputProps, "name" | "value" | "change" | "path">;

const TOOLS = ":scope > .item-tools > button:enabled";
const INPUTS =
  ":scope > div :is(input, textarea, select, button, .rich-editor):not(:disabled, .rich-editor *)";

/** A list of values, which are added, moved, also by dragging, and removed. */
export function ListInput({
  opened,
  name,
  value,
  change,
  path,
  one,
  add = "Add one",
}: InputProps & { one: (own: OneOf) => ComponentChildren; add?: string }) {
  const list = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  const keys = useKeys(list.length);
  const rows = useRef<HTMLOListElement>(null);
  /** What has the focus once the list is drawn: it goes with the item. */
  const aim = useRef<{ index: number; label: string } | undefined>(undefined);
  const [drag, setDrag] = useState<{ from: number; to: number }>();
  useLayoutEffect(() => {
    if (aim.current === undefined) return;
    const { index, label } = aim.current;
    const { children: items = [], nextElementSibling: addButton } = rows.current ?? {};
    const inputs = [
      ...(items[index]?.querySelectorAll<HTMLElement>(label ? TOOLS : INPUTS) ?? []),
      addButton as HTMLElement,
    ];
    (inputs.find(({ ariaLabel }) => ariaLabel === label) ?? inputs[0])?.focus();
    aim.current = undefined;
  });
  const isBlocks = opened.field.type === "content-block";
  const set = (moved: <T>(all: readonly T[]) => T[]) => {
    keys.current = moved(keys.current);
    change(moved(list));
  };
  /** Its first input has the focus. */
  const append = (item: JsonValue) => {
    aim.current = { index: list.length, label: "" };
    change([...list, item]);
  };
  const remove = (index: number) => {
    aim.current = { index: Math.min(index, list.length - 2), label: "Remove" };
    set((all) => all.toSpliced(index, 1));
  };
  const duplicate = (index: number) => {
    aim.current = { index: index + 1, label: "Duplicate" };
    keys.current = keys.current.toSpliced(index + 1, 0, Math.max(...keys.current) + 1);
    change(list.toSpliced(index + 1, 0, list[index] ?? null));
  };
  const move = (from: number, to: number, label: string) => {
    aim.current = { index: to, label };
    set((all) => moved(all, from, to));
  };
  const mover = (index: number, by: 1 | -1) => {
    const label = by > 0 ? "Move down" : "Move up";
    return (
      <Button
        class="quiet move"
        label={label}
        disabled={list[index + by] === undefined}
        onClick={() => move(index, index + by, label)}
      >
        {by > 0 ? "↓" : "↑"}
      </Button>
    );
  };
  const rowAt = (y: number) => {
    const all = [...(rows.current?.children ?? [])];
    const at = all.findIndex((item) => y < item.getBoundingClientRect().bottom);
    return at < 0 ? all.length - 1 : at;
  };
  return (
    <>
      <ol ref={rows} class="values edit-list">
        {list.map((item, index) => (
          <li
            key={keys.current[index]}
            class={`${isBlocks ? "is-block" : ""} ${markOf(drag, index)}`}
          >
            {/* The buttons beside it do the same by keys. */}
            <span
              class="drag"
              title="Drag to move"
              onPointerDown={(event) => {
                event.preventDefault();
                event.currentTarget.setPointerCapture(event.pointerId);
                setDrag({ from: index, to: index });
              }}
              onPointerMove={({ clientY }) => drag && setDrag({ ...drag, to: rowAt(clientY) })}
              onPointerCancel={() => setDrag(undefined)}
              onPointerUp={() => {
                setDrag(undefined);
                if (drag && drag.to !== drag.from) move(drag.from, drag.to, "Move down");
              }}
            >
              ⠿
            </span>
            <div>
              {one({
                name: `${name}, item ${index + 1}`,
                value: item,
                change: (next) => change(list.with(index, next)),
                path: `${path}/${index}`,
              })}
            </div>
            <span class="item-tools">
              {mover(index, -1)}
              {mover(index, 1)}
              {isBlocks && (
                <Button label="Duplicate" onClick={() => duplicate(index)}>
                  Duplicate
                </Button>
              )}
              <Button label="Remove" onClick={() => remove(index)}>
                ✕
              </Button>
            </span>
          </li>
        ))}
      </ol>
      {isBlocks ? (
        <AddBlock opened={opened} name={name} add={append} />
      ) : (
        <Button onClick={() => append(emptyOf(opened.field))}>{add}</Button>
      )}
    </>
  );
}

/** A key of each item, which goes with it, as what is typed in its input does. */
function useKeys(length: number) {
  const keys = useRef<readonly number[]>([]);
  while (keys.current.length < length) {
    keys.current = [...keys.current, Math.max(-1, ...keys.current) + 1];
  }
  return keys;
}

function markOf(drag: { from: number; to: number } | undefined, index: number) {
  if (drag === undefined || drag.from === drag.to) return "";
  if (index === drag.from) return "is-dragged";
  return index === drag.to ? `is-target-${drag.to < drag.from ? "before" : "after"}` : "";
}

function moved<T>(list: readonly T[], from: number, to: number): T[] {
  return list.toSpliced(from, 1).toSpliced(to, 0, list[from] as T);
}

function emptyOf({ type, options }: FieldDefinition & { options?: readonly string[] }): JsonValue {
  if (type === "select") return options?.[0] ?? "";
  return type === "boolean" ? false : /^(?:number|integer)$/.test(type) ? 0 : "";
}

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
          total={options.length}
        />
      )}
    </>
  );
}

function described({ fields }: Block): string {
  const names = fields.map(({ key, name = key }) => name);
  return names.length === 0 ? "nothing to fill in" : listed(names, 6);
}

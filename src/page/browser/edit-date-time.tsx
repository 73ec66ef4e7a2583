import { useState } from "preact/hooks";
import { fromLocal, localTime, offsetOf, zoneName } from "./words.ts";

/** H42d: a time is changed in the zone in which it is read, and keeps how it is written. */
export function DateTimeInput({
  text,
  change,
  ...common
}: {
  text: string;
  change: (text: string | null) => void;
  "aria-label": string;
  lang?: string | undefined;
}) {
  const [[first, offset]] = useState([text, offsetOf(text)] as const);
  const written = (local: string) => {
    if (offset === undefined) return fromLocal(local);
    return (local.length === 16 ? `${local}:00` : local) + offset;
  };
  return (
    <div class="edit-date-time">
      <input
        {...common}
        type="datetime-local"
        step="1"
        defaultValue={offset === undefined ? localTime(first) : first.slice(0, 19)}
        onInput={({ currentTarget: { value } }) => change(value === "" ? null : written(value))}
      />
      <span class="soft">{zoneName(text || first || new Date().toISOString())}</span>
    </div>
  );
}

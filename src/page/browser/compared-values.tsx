import { useState } from "preact/hooks";
import type { Shown } from "../../diff/shown-values.ts";
import type { ChangedEntry, ChangedValue } from "../changes.ts";
import type { PointerTarget } from "../entry-summary.ts";
import type { TextPiece } from "../text-changes.ts";
import { TargetLink } from "./parts.tsx";

type Heads = readonly [before: string, after: string];
const PUBLISHED: Heads = ["Published", "Draft"];

/** H31: what a record had before beside what it has now; of one that came or went what it has. */
export function ComparedValues({
  values,
  change = "changed",
  heads = PUBLISHED,
}: {
  values: readonly ChangedValue[];
  change?: ChangedEntry["change"];
  heads?: Heads;
}) {
  if (values.length === 0) return null;
  const isBoth = change === "changed";
  return (
    <div class={isBoth ? "compared" : "compared is-one"}>
      {isBoth && (
        <p class="compared-head" aria-hidden="true">
          {heads.map((head) => (
            <span>{head}</span>
          ))}
        </p>
      )}
      <dl>
        {values.map((value) => (
          <div key={value.place.join("/")}>
            <dt dir="auto">
              {value.place.join(" › ")}
              {value.only === "order" && <span class="soft"> in another order</span>}
            </dt>
            <dd>{sides(value, change, heads)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function sides(
  { before, after, pieces, only }: ChangedValue,
  change: ChangedEntry["change"],
  heads: Heads,
) {
  if (only === "formatting") {
    return <p class="soft">The words are the same; their formatting or links have changed.</p>;
  }
  const side = (Tag: "del" | "ins", at: 0 | 1, where: "before" | "after", value: Compared) => (
    <Tag data-head={heads[at]}>
      <span class="unseen">{heads === PUBLISHED ? WAS[at] : `${heads[at]}: `}</span>
      {pieces ? written(pieces, where) : <Value value={value} />}
    </Tag>
  );
  return (
    <>
      {change !== "added" && side("del", 0, "before", before)}
      {change !== "removed" && side("ins", 1, "after", after)}
    </>
  );
}

const WAS = ["was ", "is now "] as const;

/** One of two texts, marked where it differs from the other. */
function written(pieces: readonly TextPiece[], side: "before" | "after") {
  const own = pieces.filter(([where]) => where === "both" || where === side);
  if (own.length === 0) return <span class="soft">empty text</span>;
  return (
    <span dir="auto">
      {own.map(([where, text]) => (where === side ? <mark>{text}</mark> : text))}
    </span>
  );
}

type Compared = Shown<PointerTarget> | null;

function Value({ value }: { value: Compared }) {
  if (value === null) return <span class="soft">nothing</span>;
  if ("target" in value) return <TargetLink target={value.target} />;
  if ("file" in value) return <File key={value.url} {...value} />;
  if ("list" in value) {
    if (value.list.length === 0) return <span class="soft">empty list</span>;
    return (
      <ol>
        {value.list.map((one) => (
          <li>
            <Value value={one} />
          </li>
        ))}
      </ol>
    );
  }
  return value.isData ? <code>{value.text}</code> : <span dir="auto">{value.text}</span>;
}

/** What was published may be gone from here: then only its name is shown. */
function File({ file, url, isPicture }: { file: string; url: string; isPicture: boolean }) {
  const [isGone, setGone] = useState(false);
  // Only of this server: an address of another host loads nothing (H9).
  const [src] = /\/assets\/[0-9a-f]{16}\/[^/?#]+$/.exec(url) ?? [];
  return (
    <figure>
      {isPicture && src && !isGone && (
        <img src={src} alt="" loading="lazy" onError={() => setGone(true)} />
      )}
      <figcaption dir="auto">{file}</figcaption>
    </figure>
  );
}

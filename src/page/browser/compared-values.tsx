import { useState } from "preact/hooks";
import type { ComparedValue, Shown } from "../compared-values.ts";
import type { TextPiece } from "../text-changes.ts";
import { TargetLink } from "./parts.tsx";

/** H31: what a record had before beside what it has now. */
export function ComparedValues({ values }: { values: readonly ComparedValue[] }) {
  if (values.length === 0) return null;
  return (
    <div class="compared">
      <p class="compared-head" aria-hidden="true">
        <span>Published</span>
        <span>Draft</span>
      </p>
      <dl>
        {values.map((value) => (
          <div key={value.place.join("/")}>
            <dt dir="auto">
              {value.place.join(" › ")}
              {value.only === "order" && <span class="soft"> in another order</span>}
            </dt>
            <dd>{sides(value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function sides({ before, after, pieces, only }: ComparedValue) {
  if (only === "formatting") {
    return <p class="soft">The words are the same; their formatting or links have changed.</p>;
  }
  return (
    <>
      <del>
        <span class="unseen">was </span>
        {pieces ? written(pieces, "before") : <Value value={before} />}
      </del>
      <ins>
        <span class="unseen">is now </span>
        {pieces ? written(pieces, "after") : <Value value={after} />}
      </ins>
    </>
  );
}

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

function Value({ value }: { value: Shown | null }) {
  if (value === null) return <span class="soft">nothing</span>;
  if ("target" in value) return <TargetLink target={value.target} />;
  if ("file" in value) return <File key={value.src} {...value} />;
  if ("list" in value) {
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
function File({ file, src, isPicture }: { file: string; src?: string; isPicture: boolean }) {
  const [isGone, setGone] = useState(false);
  return (
    <figure>
      {isPicture && src && !isGone && (
        <img src={src} alt="" loading="lazy" onError={() => setGone(true)} />
      )}
      <figcaption dir="auto">{file}</figcaption>
    </figure>
  );
}

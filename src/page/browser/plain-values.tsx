import { useState } from "preact/hooks";
import type { JsonValue } from "../../workspace/json.ts";
import type { FieldView } from "../field-views.ts";
import { spoken } from "../spoken.ts";
import { SafeLink } from "./files.tsx";
import { Markdown } from "./markdown.tsx";
import { BrokenTarget, Button, type Children, Fold } from "./parts.tsx";
import { useShowsFields } from "./reading.ts";
import { counted, day, number, zoned } from "./words.ts";

/** A text with more characters than this is shown in part at first. */
const LONG = 100_000;

/** H9: an html asset, in a sandbox. */
export function HtmlFigure({
  id,
  fileName,
  src,
}: {
  id: string;
  fileName: string | null;
  src: string | undefined;
}) {
  if (src === undefined) return <BrokenTarget id={id} reason="cannot be read" />;
  const name = fileName ?? id;
  return (
    <figure class="html">
      <iframe
        sandbox=""
        src={src}
        title={`HTML page ${name}`}
        loading="lazy"
        referrerpolicy="no-referrer"
      />
      <figcaption>
        <strong>{name}</strong>
        {" shown in a sandbox, without scripts"}
      </figcaption>
    </figure>
  );
}

const COLOUR = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** Texts of other programs that are meant as one. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/** V13: of a date; without a zone it is UTC. */
const HAS_TIME = /\d[Tt ]\d/;
const HAS_ZONE = /:.*(?:[Zz]|[+-]\d\d(?::?\d\d)?)$/;

/** H25: a value of a type without parts, as a person would say it. */
export function PlainValue({ field, value }: { field: FieldView; value: JsonValue }) {
  const { type, name, isMarkdown } = field;
  if (type === "json" || (typeof value === "object" && value !== null)) {
    return <JsonValueItem value={value} />;
  }
  if (typeof value === "boolean") return <span class="value">{value ? "Yes" : "No"}</span>;
  if (typeof value === "number") return <span class="value is-number">{String(value)}</span>;
  const text = String(value);
  if (text === "") return <span class="soft">Empty text</span>;
  const time = (said: string) => (
    <time dateTime={text} title={text}>
      {said}
    </time>
  );
  if (type === "date" || (type === "iso-date" && !HAS_TIME.test(text))) return time(day(text));
  if (type === "date-time" || MOMENT.test(text)) return time(zoned(text));
  if (type === "iso-date") return time(zoned(HAS_ZONE.test(text) ? text : `${text}Z`));
  if (type === "url") return <SafeLink href={text}>{text}</SafeLink>;
  if (type === "email") return <SafeLink href={`mailto:${text}`}>{text}</SafeLink>;
  if (type === "select") return <span class="tag">{text}</span>;
  if (isMarkdown && text.length <= LONG * 3) return <Markdown text={text} />;
  const colour = /colou?r/i.test(name) && /^[0-9a-f]{6}$/i.test(text) ? `#${text}` : text;
  if (COLOUR.test(colour)) {
    return (
      <span class="value">
        <span class="swatch" style={{ background: colour }} />
        {text}
      </span>
    );
  }
  return (
    <Beginning text={text}>
      {(part) => (
        <p class="value text" dir="auto">
          {part}
        </p>
      )}
    </Beginning>
  );
}

/** JSON as it would be written, on lines of its own. */
export function Json({ value }: { value: JsonValue }) {
  return (
    <Beginning text={JSON.stringify(value, null, 2)}>
      {(part) => <pre class="json">{part}</pre>}
    </Beginning>
  );
}

/** A text, of which what is beyond a length is shown on demand. */
function Beginning({ text, children }: { text: string; children: (part: string) => Children }) {
  const [isWhole, setWhole] = useState(text.length <= LONG);
  return (
    <>
      {children(isWhole ? text : text.slice(0, LONG).toWellFormed())}
      {!isWhole && (
        <Button onClick={() => setWhole(true)}>
          {`Show all ${number(text.length)} characters`}
        </Button>
      )}
    </>
  );
}

/** Data with a few facts is read as these, other data is folded. */
function JsonValueItem({ value }: { value: JsonValue }) {
  const showsFields = useShowsFields();
  if (typeof value !== "object" || value === null) return <Json value={value} />;
  const members = Object.entries(value);
  const isFacts = members.every(([, one]) => typeof one !== "object" && String(one).length < 100);
  if (isFacts && !showsFields && !Array.isArray(value) && members.length <= 12) {
    return (
      <dl class="fields">
        {members.map(([key, one]) => (
          <div class="field is-fact" key={key}>
            <dt>{spoken(key, key)}</dt>
            <dd dir="auto">{typeof one === "boolean" ? (one ? "Yes" : "No") : String(one)}</dd>
          </div>
        ))}
      </dl>
    );
  }
  return <Fold summary={counted(members.length, "value")}>{() => <Json value={value} />}</Fold>;
}

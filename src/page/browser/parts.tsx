import type { ComponentChildren, ComponentProps } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PublishingView } from "../draft-state.ts";
import type { PointerTarget } from "../entry-summary.ts";
import type { Counts } from "../problem-counts.ts";
import { entryHref } from "./router.ts";
import { counted, moment, UNRESOLVED_REASONS } from "./words.ts";

export type Children = ComponentChildren;

/**
 * A button that sends no form.
 *
 * @param label what it is called, where its text says less; it is seen when the pointer is on it
 */
export function Button({ label, ...props }: ComponentProps<"button"> & { label?: string }) {
  const named = label !== undefined && { "aria-label": label, title: label };
  return <button type="button" class="quiet" {...named} {...props} />;
}

export function ViewHead({
  title,
  above,
  beside,
  below,
}: {
  title: string;
  above?: Children;
  beside?: Children;
  below?: Children;
}) {
  return (
    <header class="view-head">
      {above && <p class="above">{above}</p>}
      <div class="title-line">
        <h1 tabIndex={-1} dir="auto">
          {title}
        </h1>
        {beside}
      </div>
      {below && <p class="below">{below}</p>}
    </header>
  );
}

/** A part of a view, with a heading and what is beside that. */
export function Group({
  title,
  name = String(title),
  beside,
  children,
}: {
  title: Children;
  /** By which it is found, where that is not its title. */
  name?: string;
  beside?: Children;
  children?: Children;
}) {
  return (
    <section class="group" data-key={name}>
      <div class="group-head">
        <h2>{title}</h2>
        <p>{beside}</p>
      </div>
      {children}
    </section>
  );
}

/** Numbers in words, each a link to what it counts. */
export function Facts({ facts }: { facts: readonly { text: string; href: string }[] }) {
  return (
    <ul class="facts">
      {facts.map(({ text, href }) => (
        <li key={href}>
          <a href={href} data-flash="">
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** What stands where there is nothing, also in place of a view. */
export function EmptyState({
  title,
  isView = false,
  children,
}: {
  title: string;
  isView?: boolean;
  children?: Children;
}) {
  return (
    <div class="empty">
      {isView ? <h1 tabIndex={-1}>{title}</h1> : <h2>{title}</h2>}
      {children}
    </div>
  );
}

export function ModelTag({ modelName }: { modelName: string | null }) {
  if (modelName === null) return <span class="tag is-bad">model deleted</span>;
  return <span class="tag">{modelName}</span>;
}

const CHANGES = { added: "new", removed: "removed", changed: "changed" };

/** What became of a record. */
export function ChangeTag({ change }: { change: keyof typeof CHANGES }) {
  return <span class={`tag is-${change}`}>{CHANGES[change]}</span>;
}

/** A1, A4: that an entry is not published, and why; until when it is; nothing of one that is and stays. */
export function PublishingTag({ of }: { of: PublishingView }) {
  const { hidden, publishAt, unpublishAt } = of;
  if (hidden === null) {
    return unpublishAt && <span class="tag is-timed">until {moment(unpublishAt)}</span>;
  }
  // A7.
  const where = typeof hidden === "string" ? "" : hidden.join(", ");
  const why = {
    draft: "draft",
    publishAt: `from ${moment(publishAt ?? "")}`,
    unpublishAt: `over since ${moment(unpublishAt ?? "")}`,
  };
  return (
    <span class="tag is-away" title={where ? `Not published in ${where}` : "Not published"}>
      {typeof hidden === "string" ? why[hidden] : `draft in ${where}`}
    </span>
  );
}

/** "2 errors", "1 warning" in their colours, as a link to them; nothing without problems. */
export function ProblemCounts({
  counts: { errors, warnings } = { errors: 0, warnings: 0 },
  href,
}: {
  counts: Counts | undefined;
  href?: string;
}) {
  if (errors + warnings === 0) return null;
  const counts = (
    <>
      {errors > 0 && <span class="count is-bad">{counted(errors, "error")}</span>}
      {warnings > 0 && <span class="count is-warn">{counted(warnings, "warning")}</span>}
    </>
  );
  if (href === undefined) return <span class="counts">{counts}</span>;
  return (
    <a class="counts" href={href}>
      {counts}
    </a>
  );
}

/** What has failed, why, and what to do about it. */
export function Failure({
  title,
  problem: { message, hint },
  children,
}: {
  title?: string;
  problem: { message: string; hint?: string };
  children?: Children;
}) {
  return (
    <p class="note is-bad" role="alert" dir="auto">
      {title && <strong>{title}: </strong>}
      {message}
      {hint && <span class="soft">{` – ${hint}`}</span>}
      {children}
    </p>
  );
}

/** Stands for what `useAnswer` has not answered yet. */
export function Awaited({ error, text }: { error: Error | undefined; text: string }) {
  return <p class="soft">{error ? error.message : text}</p>;
}

interface Row {
  href: string;
  title: Children;
  below: Children;
  beside?: Children;
}

export function RowLink({ href, title, below, beside }: Row) {
  return (
    <a class="row" href={href}>
      <RowText {...{ title, below, beside }} />
    </a>
  );
}

export function RowText({ title, below, beside }: Omit<Row, "href">) {
  return (
    <>
      <span class="row-text">
        <span class="row-title" dir="auto">
          {title}
        </span>
        {below && (
          <span class="row-below" dir="auto">
            {below}
          </span>
        )}
      </span>
      {beside && <span class="row-beside">{beside}</span>}
    </>
  );
}

/** H25g: those that a reader has opened or closed, for when the view comes back. */
const folds = new Map<string, boolean>();

/**
 * A fold whose content is made when it is opened. `focus-view.ts` opens those around a place.
 *
 * @param id by which its state is kept
 * @param isAsked whether something in it is to be seen
 */
export function Fold({
  summary,
  children,
  id,
  isAsked = false,
}: {
  summary: Children;
  children: () => Children;
  id?: string;
  isAsked?: boolean;
}) {
  const [isOpen, setOpen] = useState(isAsked || (id !== undefined && folds.get(id) === true));
  useEffect(() => {
    if (isAsked) setOpen(true);
  }, [isAsked]);
  return (
    <details
      class="rest"
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        if (id !== undefined) folds.set(id, open);
        setOpen(open);
      }}
    >
      <summary>{summary}</summary>
      {isOpen && children()}
    </details>
  );
}

/** A pointer that shows nothing, with the reason. */
export function BrokenTarget({
  id,
  reason,
  kind = "is-bad",
}: {
  id: string;
  reason: string;
  kind?: string;
}) {
  return (
    <span class={`target ${kind}`}>
      <span>
        <code>{id}</code>
      </span>
      <span class="reason">{reason}</span>
    </span>
  );
}

/**
 * A link to a pointer's target, or the reason why it does not resolve.
 *
 * @param children in place of its title
 */
export function TargetLink({ target, children }: { target: PointerTarget; children?: Children }) {
  const { id, title, modelName, state } = target;
  if (state !== "found") {
    const kind = state === "deleted" ? "is-bad" : "is-away";
    return <BrokenTarget id={id} reason={UNRESOLVED_REASONS[state]} kind={kind} />;
  }
  if (children) return <a href={entryHref(id)}>{children}</a>;
  return (
    <a class="target" href={entryHref(id)}>
      <span class="target-title" dir="auto">
        {title}
      </span>
      <ModelTag modelName={modelName} />
      <PublishingTag of={target} />
    </a>
  );
}

/** What a record is called, as a link to it; @param href absent: it leads nowhere, as of what is not there any more */
export function TitleLink({ href, title }: { href?: string | undefined; title: Children }) {
  const text = { dir: "auto", children: title } as const;
  return href === undefined ? <strong {...text} /> : <a href={href} {...text} />;
}

/** @param what the text is, for the label and the announcement */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    announce(`Copied ${what}.`);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <Button aria-label={`Copy ${what}`} onClick={copy}>
      {isCopied ? "Copied" : "Copy"}
    </Button>
  );
}

/** Says a text to screen readers. */
export function announce(text: string) {
  const status = document.getElementById("status");
  if (status) status.textContent = text;
}

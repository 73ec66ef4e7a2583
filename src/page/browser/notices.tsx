import type { ComponentChildren } from "preact";
import type { Overview, WorkspaceLine } from "../project-view.ts";
import { RequestError } from "./access.ts";
import { FileLink } from "./editor-link.tsx";
import { EmptyState } from "./parts.tsx";
import { shownWorkspace, viewHref, workspaceHref } from "./router.ts";
import { counted, number } from "./words.ts";

const UNUSABLE = {
  folder: "The folder cannot be read: ",
  store: "The store cannot be used: ",
};

/** The faults of the folder (H10a), or why it or the store cannot be read, if any. */
export function FaultsBanner({ overview }: { overview: Overview | undefined }) {
  const { faults = [], workspaces = [] } = overview ?? {};
  const [first] = faults;
  if (first === undefined) return null;
  const hasDraft = workspaces.length > 0;
  const them = faults.length === 1 ? "it" : "them";
  const count = `The folder has ${counted(faults.length, "fault")}: `;
  const title = first.subject ? UNUSABLE[first.subject] : count;
  const draft = first.subject
    ? "this is the last draft"
    : "all else is shown as it is, these records as they were";
  return (
    <AlertBanner
      name="faults"
      title={title + (hasDraft ? draft : `there is no draft until you fix ${them}`)}
    >
      <ol>
        {faults.slice(0, 100).map(({ record, message, other, ...place }) => (
          <li>
            {place.file !== "" && <FileLink place={place} />}
            {record ? ` ${record.kind} "${record.id}": ` : " "}
            {message}
            {other ? ` (also in ${other})` : ""}
          </li>
        ))}
      </ol>
      {faults.length > 100 && (
        <p>and {number(faults.length - 100)} more; the terminal lists all of them</p>
      )}
    </AlertBanner>
  );
}

export function ErrorState({ error }: { error: unknown }) {
  const { status, message } =
    error instanceof RequestError ? error : { status: -1, message: `${error}` };
  const back = shownWorkspace() && <a href={viewHref()}>Go to the overview</a>;
  if (status === 401) {
    return (
      <EmptyState isView title="This page needs its link">
        <p>
          Its content is shown with an access key only. The terminal in which the preview runs has
          the link with the key: open that one.
        </p>
        <p>
          <code>{`${location.origin}/#key=…`}</code>
        </p>
      </EmptyState>
    );
  }
  const isGone = status === 404;
  return (
    <EmptyState isView title={isGone ? "Not found" : "This view failed to load"}>
      <p>{isGone ? "The draft does not contain it, or no longer does." : message}</p>
      <p>{back}</p>
    </EmptyState>
  );
}

/** Shown above the last view while the server does not answer, or has another key. */
export function LostBanner({ reason }: { reason: keyof typeof LOST }) {
  return <AlertBanner name="lost" {...LOST[reason]} />;
}

const LOST = {
  away: {
    title: "The preview server does not answer",
    children:
      "The last view stays until it does: the page tries again each second. If the preview was stopped, start it again.",
  },
  gone: {
    title: "This is not there any more",
    children:
      "It was deleted or renamed. What you are writing stays here: copy it before you go on.",
  },
  refused: {
    title: "Disconnected: this page is no longer updated",
    children: `The preview was started again with another access key. Open the link that it printed, which begins with ${location.origin}/#key=: this tab then goes on where it is.`,
  },
} as const;

function AlertBanner({
  name,
  title,
  children,
}: {
  name: string;
  title: string;
  children: ComponentChildren;
}) {
  return (
    <section
      class="faults"
      role="alert"
      aria-labelledby={`${name}-title`}
      tabIndex={-1}
      data-key={name}
    >
      <h2 id={`${name}-title`}>{title}</h2>
      {typeof children === "string" ? <p>{children}</p> : children}
    </section>
  );
}

export function NoWorkspace({ first: { id, name } }: { first: WorkspaceLine }) {
  return (
    <EmptyState isView title="There is no such workspace">
      <p>
        <a href={workspaceHref(id)}>{`Go to ${name}`}</a>
      </p>
    </EmptyState>
  );
}

export function NoDraft({ hasFaults }: { hasFaults: boolean }) {
  return (
    <EmptyState isView title="There is no draft yet">
      <p>
        {hasFaults ? (
          "Fix the faults in the folder, and it is shown."
        ) : (
          <>
            To import a folder: <code>{"svc import <folder>"}</code>
          </>
        )}
      </p>
    </EmptyState>
  );
}

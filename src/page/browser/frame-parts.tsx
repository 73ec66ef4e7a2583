import type { ComponentChildren } from "preact";
import type { WorkspaceLine } from "../project-view.ts";
import { ChangedCount, useStanding } from "./changed-since.tsx";
import type { ConnectionState } from "./event-stream.ts";
import { Choice } from "./list-tools.tsx";
import { Palette } from "./palette.tsx";
import { Button } from "./parts.tsx";
import { route, viewHref, workspaceHref } from "./router.ts";
import { isMany } from "./view-overview.tsx";
import { TeamLink } from "./view-team.tsx";
import { counted, number } from "./words.ts";

interface Frame {
  workspaces: readonly WorkspaceLine[];
  workspace: WorkspaceLine | undefined;
  connection: ConnectionState;
  isNavOpen: boolean;
  faultCount: number;
  onNav: () => void;
}

const STATES = { live: "Connected", waiting: "Reconnecting…", ended: "Not connected" };

/** The bar above every view. */
export function TopBar(frame: Frame) {
  const { workspaces, workspace, connection, isNavOpen, faultCount, onNav } = frame;
  return (
    <header id="top">
      <Button
        class="quiet nav-button"
        aria-expanded={isNavOpen}
        aria-controls="nav"
        onClick={onNav}
      >
        Menu
      </Button>
      {workspaces.length > 1 && workspace ? (
        <Choice
          label="Workspace"
          value={workspace.id}
          options={workspaces.map(({ id, name }) => {
            const isOnlyOne = workspaces.filter((other) => other.name === name).length === 1;
            return [id, isOnlyOne ? name : `${name} (${id})`] as const;
          })}
          onChoose={(id) => location.assign(workspaceHref(id))}
        />
      ) : (
        <a class="brand" href={viewHref()}>
          {workspace?.name ?? "Preview"}
        </a>
      )}
      {workspace && <Palette />}
      {workspace && <TeamLink />}
      {faultCount > 0 && (
        <Button class="fault-button" onClick={showFaults}>
          {counted(faultCount, "fault")}
        </Button>
      )}
      <p class={`connection is-${connection}`}>{STATES[connection]}</p>
    </header>
  );
}

function showFaults() {
  scrollTo({ top: 0, behavior: "instant" });
  const banner = document.querySelector('[data-key="faults"]');
  if (banner instanceof HTMLElement) banner.focus({ preventScroll: true });
}

/** The places of a workspace. */
export function Navigation({ workspace: { counts, projects } }: { workspace: WorkspaceLine }) {
  const { problems = { errors: 0, warnings: 0 } } = useStanding();
  const count = problems.errors + problems.warnings;
  return (
    <nav id="nav" aria-label="Workspace">
      <ul>
        <Place target={[]} title="Overview" />
        <Place target={["entries"]} title="Entries" count={counts.entries} />
        <Place target={["assets"]} title="Assets" count={counts.assets} />
        <Place target={["models"]} title="Models" count={counts.models} />
      </ul>
      <ul>
        <Place target={["problems"]} title="Problems">
          {count > 0 && (
            <span class={`count is-${problems.errors > 0 ? "bad" : "warn"}`} data-flash="">
              {number(count)}
            </span>
          )}
        </Place>
        <Place target={["changes"]} title="Changes">
          <ChangedCount />
        </Place>
        <Place target={["coming-up"]} title="Coming up" />
        <Place target={["history"]} title="History" />
      </ul>
      {isMany(projects) && (
        <section>
          <h2>
            <a href={viewHref()}>Projects</a>
          </h2>
          <ul>
            {projects.map(({ id, name }) => (
              <Place key={id} target={["projects", id]} title={name} />
            ))}
          </ul>
        </section>
      )}
      {!isMany(projects) && projects.map(projectPlaces)}
    </nav>
  );
}

function projectPlaces({
  id,
  name,
  experiences,
  experienceCount,
}: WorkspaceLine["projects"][number]) {
  const base = ["projects", id];
  return (
    <section key={id}>
      <h2>
        <a href={viewHref(base)} aria-current={isAt(base) ? "page" : undefined}>
          {name}
        </a>
      </h2>
      <ul>
        {experiences.map((one) => (
          <Place key={one.id} target={[...base, "experiences", one.id]} title={one.name} />
        ))}
        {experienceCount > experiences.length && (
          <li>
            <a href={viewHref(base)}>All {counted(experienceCount, "experience")}</a>
          </li>
        )}
      </ul>
    </section>
  );
}

function Place({
  target,
  title,
  count,
  children,
}: {
  target: readonly string[];
  title: string;
  count?: number;
  children?: ComponentChildren;
}) {
  const isHere = isAt(target);
  // The parts of an experience, and a list's entry.
  const isAround = target.length > 0 && isAt(target, target.length);
  return (
    <li>
      <a href={viewHref(target)} aria-current={isHere ? "page" : isAround || undefined}>
        <span dir="auto">{title}</span>
        {count !== undefined && <span class="soft">{number(count)}</span>}
        {children}
      </a>
    </li>
  );
}

/** @param depth how many segments of the address are compared */
function isAt(target: readonly string[], depth?: number) {
  const [, ...here] = route().segments;
  return viewHref(target) === viewHref(here.slice(0, depth));
}

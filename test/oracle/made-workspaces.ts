import { cpSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/program.ts";
import type { Parts } from "../support/test-bed.ts";
import { makeSite } from "../support/workspaces/make-site.ts";
import {
  PAGE_MODEL,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";
import { PUBLISHING } from "./decorate.ts";
import type { OracleWorkspace } from "./outputs.ts";
import { writeParts } from "./parts-folder.ts";

const FIXTURES = join(ROOT, "fixtures");

/** The workspace folders in a folder. */
export function workspacesIn(parent: string): OracleWorkspace[] {
  return readdirSync(parent)
    .filter((name) => existsSync(join(parent, name, "workspace.json")))
    .sort()
    .map((name) => ({
      name,
      make: (folder) => cpSync(join(parent, name), folder, { recursive: true }),
      isEdited: true,
    }));
}

/** The fixtures, and one of them beside another in its store. */
export function fixtureWorkspaces(): OracleWorkspace[] {
  const alone = workspacesIn(FIXTURES);
  const [neighbour, storefront] = ["neighbour", "storefront"].map((wanted) =>
    alone.find(({ name }) => name === wanted),
  );
  if (!neighbour || !storefront) throw new Error("the fixtures have other names");
  return [...alone, { ...storefront, name: "storefront beside neighbour", beside: neighbour.make }];
}

/** Grown sites. */
export function siteWorkspaces(): OracleWorkspace[] {
  const sites = {
    "several projects": { dangling: 0.03, hubs: 0.3, chains: 0.05, projects: 3 },
    "dangling pointers, chains and hubs": { dangling: 0.2, hubs: 0.6, chains: 0.5, projects: 2 },
    "three languages": { dangling: 0.03, hubs: 0.3, chains: 0.05, languages: true },
  };
  return Object.entries(sites).map(([name, options]) => ({
    name,
    make: (folder) => makeSite(folder, { experiences: 60, ...options }),
    isEdited: true,
  }));
}

/** Pages that say everything an entry can say about its publishing, shown and referenced. */
export function hiddenWorkspaces(): OracleWorkspace[] {
  const ids = PUBLISHING.map((_says, at) => `page-${at}`);
  const pages = PUBLISHING.map((says, at) => {
    const next = { contentEntryId: ids[(at + 1) % ids.length] as string };
    // One has errors, which prevent nothing while it is hidden.
    const data = at === 0 ? { title: 7, subtitle: "unknown" } : {};
    return { ...page(ids[at] as string, `Page ${at}`, { next, ...data }), ...says };
  });
  const home = page("home", "Home", { next: { contentEntryId: "page-1" } });
  const projects = [projectOf("site", "home", ...ids), projectOf("second", "page-2", "home")];
  const shown: Parts = smallWorkspace({ projects, entries: [home, ...pages] });
  const unfinished = { ...shown, entries: [home, ...pages.map(({ draft, ...one }) => one)] };
  return Object.entries({ hidden: shown, unfinished }).map(([name, parts]) => ({
    name,
    make: (folder) => writeParts(folder, parts),
    isEdited: true,
  }));
}

/** P6, P7: a large document, from which the depth limit leaves out many entries. */
export function limitWorkspaces(): OracleWorkspace[] {
  const to = (contentEntryId: string) => ({ contentEntryId });
  const chain = Array.from({ length: 6 }, (_, at) =>
    page(at === 0 ? "home" : `page-${at}`, `Page ${at}`, { next: to(`page-${at + 1}`) }),
  );
  const ends = Array.from({ length: 12 }, (_, at) => page(`end-${at}`, `End ${at}`));
  const large = page("large", "ä".repeat(600_000), { next: to("page-5") });
  const last = { ...chain[5], data: { title: "Last", related: ends.map(({ id }) => to(id)) } };
  const fields = [...PAGE_MODEL.fields, { key: "related", type: "reference", repeatable: true }];
  const parts = smallWorkspace({
    models: [{ ...PAGE_MODEL, fields }],
    projects: [projectOf("site", "home", "large")],
    entries: [...chain.slice(0, 5), last as (typeof ends)[0], ...ends, large],
  });
  return [{ name: "limits", make: (folder) => writeParts(folder, parts), isEdited: true }];
}

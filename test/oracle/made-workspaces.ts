import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Asset, AssetFile } from "../../src/workspace/asset.ts";
import type { Feature, Project } from "../../src/workspace/records.ts";
import { ROOT } from "../support/program.ts";
import type { Parts } from "../support/test-bed.ts";
import { makeSite } from "../support/workspaces/make-site.ts";
import {
  PAGE_MODEL,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";
import { type OracleWorkspace, PUBLISHING } from "./outputs.ts";

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

/** Writes the parts of a workspace as a folder of JSON Lines, without what only a store takes. */
export function writeParts(folder: string, parts: Parts): void {
  const { id = "w", name = "Workspace", assetBaseUrl, assetTexts, fields } = parts;
  mkdirSync(join(folder, "files"), { recursive: true });
  const settings = JSON.stringify({ id, name, assetBaseUrl, assetTexts, fields });
  writeFileSync(join(folder, "workspace.json"), settings);
  for (const [sha256, bytes] of parts.files ?? []) {
    writeFileSync(join(folder, "files", sha256), bytes);
  }
  const { models = [], blocks = [], entries = [] } = parts;
  const features = (parts.features ?? []).map(authoredFeature);
  const projects = (parts.projects ?? []).map(authoredProject);
  const assets = (parts.assets ?? []).map((asset) => authoredAsset(asset, assetTexts === true));
  for (const [kind, records] of Object.entries({
    models,
    blocks,
    features,
    projects,
    entries,
    assets,
  })) {
    const lines = records.map((record) => `${JSON.stringify(record)}\n`);
    writeFileSync(join(folder, `${kind}.ndjson`), lines.join(""));
  }
}

/** Only a text feature has variants. */
function authoredFeature({ variants, ...feature }: Feature): Feature {
  return { ...feature, ...(feature.type === "text" && variants && { variants }) };
}

/** No locale is a fallback of itself; keys of experiences differ. */
function authoredProject({ locale, fallbackLocales, ...project }: Project): Project {
  const fallbacks = fallbackLocales?.filter((one) => one !== locale);
  const keys = new Set<string>();
  return {
    ...project,
    ...(locale !== undefined && { locale }),
    ...(fallbacks && { fallbackLocales: fallbacks }),
    experiences: project.experiences.map((one, at) => {
      const key = keys.has(one.key) ? `${one.key}-${at}` : one.key;
      keys.add(key);
      return { ...one, key };
    }),
  };
}

function authoredAsset({ versions, ...asset }: Asset, hasTexts: boolean): object {
  const authored = ({ sha256, title, description, ...file }: AssetFile) => ({
    ...file,
    ...(hasTexts && { title, description }),
    ...(sha256 !== undefined && { file: `files/${sha256}` }),
  });
  return {
    ...authored(asset),
    ...(versions !== undefined && { versions: versions.map(authored) }),
  };
}

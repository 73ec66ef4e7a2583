import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Asset, AssetFile } from "../../src/workspace/asset.ts";
import type { Feature, Project } from "../../src/workspace/records.ts";
import type { Parts } from "../support/test-bed.ts";

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
    ...{ models, blocks, features, projects, entries, assets },
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

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The config of the generator that a folder is made for. */
export interface SiteConfig {
  readonly generator: "Hugo" | "Jekyll" | "Hexo" | "Zola";
  /** Of the site. */
  readonly folder: string;
  readonly name: string;
  readonly text: string;
}

/** How many folders above the given one are looked at for the config of its site. */
const ABOVE = 4;

const CONFIGS = [
  ...["hugo", "config/_default/hugo", "config/_default/config", "config"].flatMap((name) =>
    ["toml", "yaml", "yml", "json"].map((extension) => `${name}.${extension}`),
  ),
  ...["_config.yml", "_config.yaml", "_config.toml"],
];

/** In the folder or one above it, up to the root of its repository. */
export function configOf(start: string): SiteConfig | undefined {
  let folder = resolve(start);
  for (let up = 0; up <= ABOVE; up += 1) {
    for (const name of CONFIGS) {
      const text = textOf(join(folder, name));
      const generator = text === undefined ? undefined : generatorOf(name, text);
      if (text !== undefined && generator !== undefined) return { generator, folder, name, text };
    }
    if (existsSync(join(folder, ".git"))) break;
    folder = dirname(folder);
  }
  return undefined;
}

function generatorOf(name: string, text: string): SiteConfig["generator"] | undefined {
  if (name.startsWith("_config")) {
    return /^(?:source_dir|skip_render|new_post_name|post_asset_folder)\s*:/m.test(text)
      ? "Hexo"
      : "Jekyll";
  }
  if (/hugo\.|\//.test(name) || /^\s*["']?baseURL\b/im.test(text)) return "Hugo";
  return /^base_url\b/m.test(text) ? "Zola" : undefined;
}

export function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { isJsonObject, type JsonObject } from "../../workspace/json.ts";
import { asName } from "../formats/site-name.ts";
import { MatterFault, tomlValues, yamlValues } from "./matter-values.ts";

type Generator =
  | ("Hugo" | "Jekyll" | "Hexo" | "Zola")
  | ("Eleventy" | "MkDocs" | "Quartz" | "Nuxt" | "mdBook" | "VitePress" | "Docusaurus" | "Sphinx");

/** The config of the generator that a folder is made for. */
export interface SiteConfig {
  readonly generator: Generator;
  /** Of the site. */
  readonly folder: string;
  readonly name: string;
  readonly text: string;
}

/** How many folders above the given one are looked at for the config of its site. */
const ABOVE = 4;

const named = (names: string, extensions: string) =>
  names.split(" ").flatMap((name) => extensions.split(" ").map((one) => `${name}.${one}`));

/** What is known by its name. */
const BY_NAME: ReadonlyMap<string, Generator> = new Map(
  (
    [
      ["Eleventy", [".eleventyignore"]],
      ["MkDocs", named("mkdocs", "yml yaml")],
      ["Quartz", named("quartz.config", "ts yaml yml")],
      ["mdBook", ["book.toml"]],
      ["Nuxt", named("nuxt.config", "ts js mjs")],
      ["VitePress", named(".vitepress/config docs/.vitepress/config", "ts mts js mjs")],
      ["Docusaurus", named("docusaurus.config", "ts js mjs cjs")],
      ["Sphinx", named("conf", "py")],
    ] as const
  ).flatMap(([generator, names]) => names.map((name) => [name, generator] as const)),
);

const CONFIGS = [
  ...named("hugo config/_default/hugo config/_default/config config", "toml yaml yml json"),
  ...named("_config", "yml yaml toml"),
  ...BY_NAME.keys(),
];

/** In the folder, or the nearest one above it that has any, up to the root of its repository. */
export function configsOf(start: string): SiteConfig[] {
  let folder = resolve(start);
  for (let up = 0; up <= ABOVE; up += 1) {
    const found = CONFIGS.flatMap((name): SiteConfig[] => {
      const text = textOf(join(folder, name));
      const generator = text === undefined ? undefined : generatorOf(name, text);
      return text === undefined || generator === undefined
        ? []
        : [{ generator, folder, name, text }];
    });
    if (found.length > 0) return found;
    if (existsSync(join(folder, ".git"))) break;
    folder = dirname(folder);
  }
  return [];
}

function generatorOf(name: string, text: string): Generator | undefined {
  const known = BY_NAME.get(name);
  if (known !== undefined) return known;
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

/** Empty where the config cannot be read. */
export function valuesOf({ name, text }: Pick<SiteConfig, "name" | "text">): JsonObject {
  try {
    const { value } = name.endsWith(".toml") ? tomlValues(text) : yamlValues(text);
    return isJsonObject(value) ? value : {};
  } catch (error) {
    if (error instanceof MatterFault) return {};
    throw error;
  }
}

/** X27: what a config that is data calls its site. */
export function titleOf(site: SiteConfig): string | undefined {
  if (!/\.(?:toml|ya?ml|json)$/.test(site.name)) return undefined;
  const { title, site_name, book } = valuesOf(site);
  return asName(title ?? site_name ?? (isJsonObject(book) ? book.title : undefined));
}

export function relativeIn(folder: string, path: string): string {
  return relative(folder, resolve(path)).split(sep).join("/");
}

import { readFileSync } from "node:fs";
import type { Asset, AssetFile } from "../workspace/asset.ts";
import type { JsonObject } from "../workspace/json.ts";
import type { SourceItem } from "../workspace/source.ts";
import {
  type AuthoredFile,
  assetByBytes,
  assetByUrl,
  fileFault,
  fileNameFault,
  pathOf,
} from "./measure-file.ts";
import type { Reading } from "./reading.ts";
import { elements } from "./record-rules.ts";
import type { ShapeFault } from "./record-shapes.ts";

export interface AuthoredAsset extends AuthoredFile {
  readonly versions?: readonly AuthoredFile[];
}

/**
 * Faults of `fileName`, `file`, `url` and texts of an asset and its versions.
 *
 * @param assetTexts V4c: whether the workspace serves titles and descriptions.
 */
export function assetFaults(
  reading: Reading,
  asset: JsonObject,
  assetTexts: boolean,
): ShapeFault[] {
  const faultsOf = (file: JsonObject) => [
    ...fileFaults(reading, file),
    ...(assetTexts ? [] : textFaults(file)),
  ];
  return [
    ...faultsOf(asset),
    ...elements(asset.versions).flatMap(([index, version]) =>
      faultsOf(version).map((fault) => ({ ...fault, path: ["versions", index, ...fault.path] })),
    ),
  ];
}

/** V4c. */
function textFaults(file: JsonObject): ShapeFault[] {
  return ["title", "description"]
    .filter((member) => file[member] !== undefined)
    .map((member) => ({
      path: [member],
      message: `the ${member} would not be served; set "assetTexts": true in workspace.json`,
    }));
}

function fileFaults(reading: Reading, { fileName, file, url }: JsonObject): ShapeFault[] {
  const found: ShapeFault[] = [];
  const add = (member: string, message: string | undefined) => {
    if (message !== undefined) found.push({ path: [member], message });
  };
  if (typeof fileName === "string") add("fileName", fileNameFault(fileName));
  if (typeof file === "string") {
    add("file", fileFault(reading, file));
    reading.unread.addNamed(file);
    if (url !== undefined) add("url", "give the asset a file or a url, not both");
  } else if (file === undefined && url === undefined) {
    found.push({ path: [], message: "without a file, an absolute url is required" });
  } else if (typeof url === "string" && !isAbsoluteUrl(url)) {
    add("url", `the url ${JSON.stringify(url)} is not an absolute http or https URL`);
  }
  return found;
}

function isAbsoluteUrl(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

/** The source items of an asset without faults: first its files, then its record. */
export function assetItems(folder: string, { versions, ...authored }: AuthoredAsset): SourceItem[] {
  const items: SourceItem[] = [];
  const measured = (one: AuthoredFile): AssetFile => {
    if (one.file === undefined) return assetByUrl(one);
    const path = pathOf(folder, one.file);
    const bytes = readFileSync(path);
    const asset = assetByBytes(one, bytes);
    items.push({ kind: "file", sha256: asset.sha256, bytes, path });
    return asset;
  };
  const record: Asset = {
    ...measured(authored),
    ...(versions !== undefined && { versions: versions.map(measured) }),
  };
  return [...items, { kind: "assets", record }];
}

import type { Asset, AssetFile } from "../workspace/asset.ts";
import type { Draft } from "../workspace/draft.ts";
import { type Problem, problem } from "../workspace/problem.ts";

/** The types of images whose pixel sizes an import measures, as their file names give them. */
const MEASURED: ReadonlySet<string> = new Set([
  ...["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/svg+xml"],
  ...["image/bmp", "image/tiff", "image/heic", "image/heif", "image/jxl", "image/jp2"],
  ...["image/vnd.microsoft.icon", "image/vnd.adobe.photoshop", "image/vnd.ms-dds", "image/ktx"],
  ...["image/x-portable-anymap", "image/x-tga"],
]);

/** P3: the held files of the draft that are not the images that their types say. */
export function assetProblems(draft: Draft): Problem[] {
  return [...draft.unmeasuredAssets()].flatMap((asset) =>
    filesOf(asset).flatMap(([path, file]) => {
      if (!isUnreadable(file, draft)) return [];
      const { fileName, mimeType } = file;
      const place = { kind: "asset", id: asset.id, path } as const;
      return problem(place, "image-unreadable", { fileName, mimeType });
    }),
  );
}

function filesOf({ versions = [], ...asset }: Asset): [path: string, file: AssetFile][] {
  return [
    ["", asset],
    ...versions.map((version, index): [string, AssetFile] => [`/versions/${index}`, version]),
  ];
}

function isUnreadable({ sha256, width, mimeType }: AssetFile, draft: Draft): boolean {
  if (sha256 === undefined || width !== null || !MEASURED.has(mimeType)) return false;
  // An SVG image need not say its size.
  if (mimeType !== "image/svg+xml") return true;
  const bytes = draft.fileBytes(sha256);
  return bytes === undefined || !Buffer.from(bytes).includes("<svg");
}

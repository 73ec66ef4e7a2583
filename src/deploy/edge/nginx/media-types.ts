import { types } from "mime-types";
import { assetHeaders } from "../../../http/published-headers.ts";

/** The lines of nginx's `types`: the types of assets, with their file extensions. */
export function mediaTypes(): string {
  const extensions = new Map<string, string[]>();
  for (const extension of Object.keys(types)) {
    const type = String(assetHeaders(`file.${extension}`)["Content-Type"]);
    extensions.set(type, [...(extensions.get(type) ?? []), extension]);
  }
  return [...extensions].map(([type, names]) => `"${type}" ${names.join(" ")};`).join("\n");
}

import { types } from "mime-types";
import { assetHeaders } from "../../../http/published-headers.ts";

/** The lines of nginx's `types`: each type that an asset can be served with, and its endings. */
export function mediaTypes(): string {
  const endings = new Map<string, string[]>();
  for (const ending of Object.keys(types)) {
    const type = String(assetHeaders(`file.${ending}`)["Content-Type"]);
    endings.set(type, [...(endings.get(type) ?? []), ending]);
  }
  return [...endings].map(([type, names]) => `"${type}" ${names.join(" ")};`).join("\n");
}

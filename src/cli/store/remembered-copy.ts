import { readIfFile, replaceFile } from "../../files/replace-file.ts";
import { isJsonObject, type JsonValue } from "../../workspace/json.ts";

/** The object that a store was pulled from or pushed to last, and what both had then. */
export interface RememberedCopy {
  /** `s3://bucket/key`. */
  readonly address: string;
  /** Of a store other than AWS; null for AWS. */
  readonly endpoint: string | null;
  readonly etag: string;
  /** The content mark of the store. */
  readonly mark: string;
}

/** The file beside a store that has it: pulls and pushes change no byte of the store. */
export function rememberedFile(store: string): string {
  return `${store}-remote`;
}

/** Undefined when the store was neither pulled from this address nor pushed there last. */
export function readRemembered(
  store: string,
  of: Pick<RememberedCopy, "address" | "endpoint">,
): RememberedCopy | undefined {
  const copy = parsed(readIfFile(rememberedFile(store)) ?? "");
  return copy?.address === of.address && copy.endpoint === of.endpoint ? copy : undefined;
}

export function remember(store: string, copy: RememberedCopy): void {
  replaceFile(rememberedFile(store), `${JSON.stringify(copy)}\n`);
}

function parsed(text: string): RememberedCopy | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    if (!isJsonObject(value)) return undefined;
    const { address, endpoint = null, etag, mark } = value;
    const isCopy = [address, etag, mark].every((one) => typeof one === "string");
    return isCopy ? ({ address, endpoint, etag, mark } as unknown as RememberedCopy) : undefined;
  } catch {
    // A store without it is pushed only where there is none.
    return undefined;
  }
}

import type { ObjectStore } from "../../deploy/object-store.ts";
import { type ObjectAddress, parseObjectAddress, targetName } from "../../deploy/target.ts";
import { readIfFile, replaceFile } from "../../files/replace-file.ts";
import { isJsonObject, type JsonValue } from "../../workspace/json.ts";
import { openDeployContext } from "../deploy/deploy-options.ts";
import type { Remarks } from "../output/output.ts";

/** The object that a team keeps its store in, and what is known of it. */
export interface KeptStore extends ObjectAddress {
  /** `s3://bucket/key`. */
  readonly address: string;
  readonly endpoint: string | null;
  readonly objects: ObjectStore;
  readonly remembered: RememberedCopy | undefined;
}

/** @throws UsageError for an address that is none. */
export async function openKeptStore(
  address: string,
  options: { readonly store: string; readonly endpoint?: string },
  output: Remarks,
): Promise<KeptStore> {
  const object = parseObjectAddress(address);
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = process.env;
  const endpoint = options.endpoint ?? AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL ?? null;
  const bucket = { ...options, concurrency: 1 };
  const { objects } = await openDeployContext(targetName(object.folder), bucket, output);
  const remembered = readRemembered(options.store, { address, endpoint });
  return { ...object, address, endpoint, objects, remembered };
}

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
function readRemembered(
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

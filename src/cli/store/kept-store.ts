import type { Command } from "commander";
import type { ObjectStore } from "../../deploy/object-store.ts";
import { type ObjectAddress, parseObjectAddress, targetName } from "../../deploy/target.ts";
import type { SharedOptions } from "../command.ts";
import { openDeployContext } from "../deploy/deploy-options.ts";
import { endpointOption } from "../deploy/target-options.ts";
import type { Output } from "../output/output.ts";
import { type RememberedCopy, readRemembered } from "./remembered-copy.ts";

export interface KeptStoreOptions extends SharedOptions {
  readonly endpoint?: string;
}

/** The object that a team keeps its store in, and what is known of it. */
export interface KeptStore extends ObjectAddress {
  /** `s3://bucket/key`. */
  readonly address: string;
  readonly endpoint: string | null;
  readonly objects: ObjectStore;
  readonly remembered: RememberedCopy | undefined;
}

export function withKeptStore(to: Command): Command {
  return to
    .argument("<address>", "the object with the store: s3://bucket/key")
    .addOption(endpointOption());
}

/** @throws UsageError for an address that is none. */
export async function openKeptStore(
  address: string,
  options: KeptStoreOptions,
  output: Output,
): Promise<KeptStore> {
  const object = parseObjectAddress(address);
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = process.env;
  const endpoint = options.endpoint ?? AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL ?? null;
  const bucket = { ...options, concurrency: 1 };
  const { objects } = await openDeployContext(targetName(object.folder), bucket, output);
  const remembered = readRemembered(options.store, { address, endpoint });
  return { ...object, address, endpoint, objects, remembered };
}

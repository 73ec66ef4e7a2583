import {
  type CloudFrontKeyValueStoreClient,
  DescribeKeyValueStoreCommand,
  paginateListKeys,
} from "@aws-sdk/client-cloudfront-keyvaluestore";
import { POINTER } from "../../releases/keys.ts";
import { once } from "./doctor-bucket.ts";
import { type CheckGroup, failed, ok } from "./doctor-check.ts";
import type { DoctorSetup } from "./doctor-setup.ts";

/** The releases that projects are served from, by project id. */
type Pointers = () => Promise<ReadonlyMap<string, string>>;

/** Reads the pointers at most once. */
export function pointersOf(client: CloudFrontKeyValueStoreClient, arn: string): Pointers {
  return once(async () => {
    const found = new Map<string, string>();
    for await (const { Items = [] } of paginateListKeys({ client }, { KvsARN: arn })) {
      for (const { Key = "", Value = "" } of Items) {
        if (Key.startsWith(POINTER)) found.set(Key.slice(POINTER.length), Value);
      }
    }
    return found;
  });
}

/** That the KeyValueStore can be read, and points at releases. */
export function kvsGroup(
  client: CloudFrontKeyValueStoreClient,
  { kvs }: DoctorSetup,
  pointers: Pointers,
): CheckGroup<Pointers> {
  return {
    id: "kvs",
    title: "the KeyValueStore is there and ready",
    missing: kvs === undefined ? "--kvs" : undefined,
    open: async () => {
      const found = await client.send(new DescribeKeyValueStoreCommand({ KvsARN: kvs }));
      const { Status = "unknown", FailureReason = "" } = found;
      const finding =
        Status === "READY"
          ? ok(Status)
          : failed(`it is ${Status} ${FailureReason}`.trim(), "wait for it, or make it anew");
      return { source: pointers, finding };
    },
    checks: [
      {
        id: "kvs-pointers",
        title: "projects are served from releases",
        async run(read) {
          const found = await read();
          if (found.size === 0) return failed("it has no pointer", "run svc deploy with --kvs");
          const odd = [...found].filter(([, release]) => !RELEASE.test(release));
          if (odd.length === 0) return ok(`${found.size} projects`);
          const names = odd.map(([id, release]) => `${id} points at "${release}"`);
          return failed(names.join("; "), "run svc deploy again, which sets the pointers");
        },
      },
    ],
  };
}

/** `<workspaceId>/<versionId>-<first 12 hex digits of the manifest's hash>` */
const RELEASE = /^[A-Za-z0-9._-]+\/[0-9a-f]{32}-[0-9a-f]{12}$/;

import {
  type CloudFrontKeyValueStoreClient,
  DescribeKeyValueStoreCommand,
  paginateListKeys,
} from "@aws-sdk/client-cloudfront-keyvaluestore";
import { POINTER } from "../../releases/keys.ts";
import { type CheckGroup, failed, ok } from "./check.ts";
import type { DoctorSetup } from "./doctor-setup.ts";
import { once } from "./once.ts";

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

/** Checks that the KeyValueStore can be read, and that its pointers name releases. */
export function kvsGroup(
  client: CloudFrontKeyValueStoreClient,
  { kvs }: DoctorSetup,
  pointers: Pointers,
): CheckGroup<Pointers> {
  return {
    id: "kvs",
    title: "the KeyValueStore exists and is ready",
    missing: kvs === undefined ? "--kvs" : undefined,
    open: async () => {
      const found = await client.send(new DescribeKeyValueStoreCommand({ KvsARN: kvs }));
      const { Status = "unknown", FailureReason = "" } = found;
      const outcome =
        Status === "READY"
          ? ok(Status)
          : failed(
              `it is ${Status} ${FailureReason}`.trim(),
              "wait until it is ready, or create it again",
            );
      return { source: pointers, outcome };
    },
    checks: [
      {
        id: "kvs-pointers",
        title: "projects are served from releases",
        async run(read) {
          const found = await read();
          if (found.size === 0) return failed("it has no pointers", "run svc deploy with --kvs");
          const invalid = [...found].filter(([, release]) => !RELEASE.test(release));
          if (invalid.length === 0) return ok(`${found.size} projects`);
          const names = invalid.map(([id, release]) => `${id} points at "${release}"`);
          return failed(names.join("; "), "run svc deploy again, which sets the pointers");
        },
      },
    ],
  };
}

/** `<workspaceId>/<versionId>-<first 12 hex digits of the manifest's hash>` */
const RELEASE = /^[A-Za-z0-9._-]+\/[0-9a-f]{32}-[0-9a-f]{12}$/;

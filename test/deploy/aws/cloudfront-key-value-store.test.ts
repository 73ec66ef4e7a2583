import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openKeyValueStore } from "../../../src/deploy/aws/cloudfront-key-value-store.ts";
import { NO_CREDENTIALS, useEnv } from "../../support/deploy/aws-stand-in.ts";
import { keyValueStoreContract } from "../../support/deploy/key-value-store-contract.ts";
import {
  ARN,
  type KvsStandIn,
  type StaleError,
  startKvs,
} from "../../support/deploy/kvs-stand-in.ts";

const NEVER = new AbortController().signal;

const numbered = (count: number, value = "r") =>
  Array.from({ length: count }, (_, n): [string, string] => [`p:project-${n}`, `${value}${n}`]);

/** Opens the store in an environment as a child process would have it. */
function open(env: Readonly<Record<string, string>>, { arn = ARN, signal = NEVER } = {}) {
  useEnv(env);
  return openKeyValueStore(arn, { signal });
}

async function started(values: Iterable<[string, string]> = [["p:a", "one"]]) {
  const kvs = await startKvs({ values });
  return { kvs, store: open(kvs.env) };
}

const put = (key: string, value: string) => ({ puts: new Map([[key, value]]) });

keyValueStoreContract("CloudFront", async (values) => {
  const { kvs, store } = await started(values);
  return { store, write: kvs.write };
});

describe("a CloudFront KeyValueStore", () => {
  it("is read in pages of 50 keys", async () => {
    const { kvs, store } = await started(numbered(120));
    expect((await store.read()).values.size).toBe(120);
    expect(kvs.operations.filter((name) => name === "ListKeys")).toHaveLength(3);
  });

  it("is read as one consistent state despite writes between pages", async () => {
    const { kvs, store } = await started(numbered(60, "old"));
    let pages = 0;
    kvs.onOperation = (operation) => {
      // Between the two pages of the first read, a key of each changes.
      if (operation !== "ListKeys" || pages++ > 0) return;
      kvs.write("p:project-0", "new");
      kvs.write("p:project-9", "new");
    };
    const { values, etag } = await store.read();
    expect([values.get("p:project-0"), values.get("p:project-9")]).toEqual(["new", "new"]);
    expect(pages).toBe(4);
    expect(await store.update(etag, put("p:a", "x"))).not.toBe("stale");
  });

  it("is reported as busy when it changes during every read", async () => {
    const { kvs, store } = await started();
    let writes = 0;
    kvs.onOperation = (operation) => {
      if (operation === "ListKeys") kvs.write("p:a", String(writes++));
    };
    await expect(store.read()).rejects.toMatchObject({ code: "kvs-busy" });
  });

  it.each<StaleError>(["ConflictException", "ValidationException", "PreconditionFailed"])(
    "a stale tag reported as %s returns stale after one request, and changes nothing",
    async (name) => {
      const { kvs, store } = await started();
      kvs.staleError = name;
      const { etag } = await store.read();
      kvs.write("p:b", "another's");
      kvs.operations.length = 0;
      expect(await store.update(etag, put("p:a", "mine"))).toBe("stale");
      expect(kvs.operations).toEqual(["UpdateKeys"]);
      expect(Object.fromEntries(kvs.values)).toEqual({ "p:a": "one", "p:b": "another's" });
    },
  );

  it("a full store is reported with the limits", async () => {
    const full = numbered(5_120, "x".repeat(1_000));
    const { kvs, store } = await started(full);
    kvs.faults.push({ status: 402, name: "ServiceQuotaExceededException" });
    await expect(store.update("any", put("p:a", "x"))).rejects.toMatchObject({
      code: "kvs-quota",
      hint: expect.stringContaining("5 MB"),
    });
  });
});

describe("a KeyValueStore that cannot be used", () => {
  const codeOf = (promise: Promise<unknown>) =>
    promise.then(
      () => "no error",
      (error) => error.code,
    );

  it.each([
    "arn:aws:cloudfront::12345678901:key-value-store/x",
    "arn:aws:cloudfront:us-east-1:123456789012:key-value-store/x",
    "arn:aws:cloudfront::123456789012:distribution/x",
    "arn:aws:cloudfront::123456789012:key-value-store/",
    "arn:aws:cloudfront::123456789012:key-value-store/a/b",
    "store",
  ])("%s is not an ARN of one, which is reported before any request", (arn) => {
    expect(() => openKeyValueStore(arn, { signal: NEVER })).toThrow(
      expect.objectContaining({ code: "usage", message: expect.stringContaining(arn) }),
    );
  });

  it("is reported when no store has this ARN", async () => {
    const { env } = await startKvs();
    const store = open(env, { arn: `${ARN}-gone` });
    expect(await codeOf(store.read())).toBe("kvs-not-found");
    expect(await codeOf(store.update("x", put("a", "b")))).toBe("kvs-not-found");
  });

  it.each(["DescribeKeyValueStore", "ListKeys", "UpdateKeys"])(
    "names the action %s when it is denied",
    async (operation) => {
      const { kvs, store } = await started();
      kvs.denied.add(operation);
      const result = operation === "UpdateKeys" ? store.update("x", put("a", "b")) : store.read();
      await expect(result).rejects.toMatchObject({
        code: "access-denied",
        hint: expect.stringContaining(`cloudfront-keyvaluestore:${operation}`),
      });
    },
  );

  it("is reported when there are no credentials", async () => {
    const { AWS_ENDPOINT_URL_CLOUDFRONT_KEYVALUESTORE: url = "" } = (await startKvs()).env;
    vi.stubEnv("AWS_ACCESS_KEY_ID", undefined);
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", undefined);
    const env = { AWS_ENDPOINT_URL_CLOUDFRONT_KEYVALUESTORE: url, AWS_REGION: "us-east-1" };
    expect(await codeOf(open({ ...NO_CREDENTIALS, ...env }).read())).toBe("credentials-missing");
  });

  it("needs no region", async () => {
    const { env } = await startKvs();
    const store = open(env);
    vi.stubEnv("AWS_REGION", undefined);
    expect((await store.read()).etag).toBe("ETAG1");
  });
});

describe("a KeyValueStore that fails", () => {
  it("is retried", async () => {
    // No wait between attempts.
    vi.spyOn(Math, "random").mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    const { kvs, store } = await started();
    kvs.faults.push(500, "none", { status: 429, name: "ThrottlingException" }, "cut");
    expect((await store.read()).values.get("p:a")).toBe("one");
    kvs.faults.push(503);
    expect(await store.update("ETAG1", put("p:a", "two"))).toEqual({ etag: "ETAG2" });
  });

  it("returns stale for an update whose response was lost, although it was made", async () => {
    const { kvs, store } = await started();
    const { etag } = await store.read();
    kvs.faults.push("cut-late");
    expect(await store.update(etag, put("p:a", "two"))).toBe("stale");
    expect((await store.read()).values.get("p:a")).toBe("two");
  });

  it("stops at an aborted signal with its reason", async () => {
    const kvs: KvsStandIn = await startKvs({ values: numbered(60) });
    const stop = new AbortController();
    const store = open(kvs.env, { signal: stop.signal });
    const reason = new Error("Ctrl-C");
    kvs.onOperation = (operation) => {
      if (operation === "ListKeys") stop.abort(reason);
    };
    await expect(store.read()).rejects.toBe(reason);
    expect(kvs.operations).toEqual(["DescribeKeyValueStore", "ListKeys"]);
    await expect(store.update("x", put("a", "b"))).rejects.toBe(reason);
  });
});

it.each([
  ["UnrecognizedClientException", "The security token included in the request is invalid."],
  ["AccessDeniedException", "The security token included in the request is invalid."],
])("L14a: %s says that session tokens are to be valid in all regions", async (name, message) => {
  const { kvs, store } = await started();
  kvs.refusal = [403, name, message];
  await expect(store.read()).rejects.toMatchObject({
    code: "access-denied",
    hint: expect.stringMatching(
      /version 2.*AWS_STS_REGIONAL_ENDPOINTS=regional.*--global-endpoint-token-version v2Token/,
    ),
  });
});

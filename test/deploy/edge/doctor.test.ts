import { describe, expect, it } from "vitest";
import { type Diagnosis, type DoctorSetup, diagnose } from "../../../src/deploy/edge/doctor.ts";
import { SvcError } from "../../../src/workspace/errors.ts";
import { MemoryKeyValueStore } from "../../support/deploy/memory-key-value-store.ts";
import {
  publishedSite,
  redirecting,
  type SiteFault,
  VERSION,
} from "../../support/deploy/published-site.ts";
import { host } from "../../support/server/hosts.ts";

const RELEASE = `shop/${VERSION}-${"a".repeat(12)}`;

const store = (release = RELEASE) => new MemoryKeyValueStore([["p:site", release]]);

/** A live API with at most one fault; one http server has the site, another one redirects to https. */
async function siteWith(fault?: SiteFault): Promise<DoctorSetup> {
  return { host: await host(publishedSite(fault)), plainHost: await host(redirecting) };
}

const withStatus = ({ checks }: Diagnosis, status: string) =>
  checks.filter((check) => check.status === status).map(({ id }) => id);

describe("svc cdn doctor", () => {
  it("L9: is all ok on a live release, and in place, and changes nothing", async () => {
    const keyValues = store();
    const released = await diagnose({ ...(await siteWith()), keyValues });
    expect(released.checks.filter(({ status }) => status !== "ok")).toEqual([]);
    expect(new Set(released.checks.map(({ id }) => id)).size).toBe(released.checks.length);
    expect([released.ok, keyValues.updates]).toEqual([true, []]);
    const inPlace = await diagnose({ ...(await siteWith()), project: "site" });
    expect(withStatus(inPlace, "failed")).toEqual([]);
    expect(withStatus(inPlace, "skipped")).toEqual(["kvs", "kvs-pointers"]);
  });

  const SITES: readonly [id: string, fault: SiteFault][] = [
    ["url-not-found", "no problem documents"],
    ["url-token", "serves published to a bad token"],
    ["url-token", "caches refusals"],
    ["url-method", "answers POST"],
    ["url-options", "no preflight"],
    ["url-headers", "no CORS"],
    ["url-document", "immutable"],
    ["url-document", "no ETag"],
    ["url-version", "an older schema"],
    ["url-version", "an older content"],
    ["url-not-modified", "immutable when unchanged"],
    ["url-not-modified", "never unchanged"],
    ["url-compression", "not compressed"],
    ["url-hidden", "shows the bucket"],
    ["url-hidden", "shows releases"],
  ];

  it.each(SITES)("%s: the site has the fault: %s", async (id, fault) => {
    const found = await diagnose({ ...(await siteWith(fault)), keyValues: store() });
    expect([found.ok, withStatus(found, "failed")]).toEqual([false, expect.arrayContaining([id])]);
    expect(found.checks.find((check) => check.id === id)?.hint).toMatch(/\w+/);
  });

  it.each([
    ["kvs-pointers", "there are none", new MemoryKeyValueStore()],
    ["kvs-pointers", "one names no release", store("../x")],
    ["url-version", "another version is live", store(RELEASE.replaceAll("0", "1"))],
  ])("%s: %s", async (id, _, keyValues) => {
    const found = await diagnose({ ...(await siteWith()), keyValues, project: "site" });
    expect(withStatus(found, "failed")).toEqual([id]);
  });

  it("url-https: http is served, or --url is not an https address", async () => {
    const { host: served = "" } = await siteWith();
    for (const plainHost of [{ plainHost: served }, {}]) {
      const found = await diagnose({ host: served, ...plainHost });
      expect(withStatus(found, "failed")).toEqual(["url-https"]);
    }
  });
});

describe("L9: what svc cdn doctor cannot check", () => {
  it("is skipped when its option is not given, with the name of the option", async () => {
    const { ok, checks } = await diagnose({});
    const reasons = new Set(checks.map(({ status, detail }) => `${status}: ${detail}`));
    expect(ok).toBe(true);
    expect([...reasons]).toEqual(["skipped: --kvs is not given", "skipped: --url is not given"]);
  });

  it.each([
    ["skipped", "access-denied", "not permitted: no"],
    ["failed", "kvs-not-found", "no"],
  ] as const)("is %s when the KeyValueStore says %s", async (status, code, detail) => {
    const keyValues = store();
    keyValues.before = () => {
      throw new SvcError(code, "no", { hint: "do it" });
    };
    const { checks } = await diagnose({ keyValues });
    expect(checks.slice(0, 2)).toMatchObject([
      { id: "kvs", status, detail, hint: "do it" },
      { id: "kvs-pointers", status: "skipped", detail: "needs kvs, which cannot be read" },
    ]);
  });

  it("is skipped when the host does not respond, which has failed", async () => {
    const found = await diagnose({ host: "http://127.0.0.1:1" });
    expect(withStatus(found, "failed")).toEqual(["url"]);
    expect(withStatus(found, "ok")).toEqual([]);
  });
});

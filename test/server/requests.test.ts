import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { type DoctorRequest, faultsOf, requestChecks } from "../../src/deploy/edge/doctor.ts";
import { filePath } from "../../src/documents/address.ts";
import { PROBLEM_TYPE } from "../../src/http/published-headers.ts";
import { compared, problemText } from "../support/requests/expected-responses.ts";
import { HOSTS, startHost } from "../support/requests/hosts.ts";
import { REQUESTS } from "../support/requests/request-table.ts";
import { RequestedSite } from "../support/requests/requested-site.ts";

const AS_THE_DOCTOR_SAYS = { rule: "L9", expected: "preflight" } as const;

describe("the same responses from every host", () => {
  it.each(HOSTS)(
    "H1, H2, H3, H4, E6, I1, V4b: %s answers every request of the table",
    async (name) => {
      const site = new RequestedSite();
      const send = await startHost(name, site);
      const requests = REQUESTS.flatMap((row) => {
        // L16: workerd reads no fragment, and knows the methods.
        const isUnread = name === "worker" && /#|BREW/.test(`${row.method} ${row.target}`);
        const expected = isUnread ? "skipped" : (row.but?.[name] ?? row.expected);
        return expected === "skipped" ? [] : [{ ...row, expected }];
      });
      const answers = await send(requests);
      expect(answers.length).toBe(requests.length);
      expect(answers.length).toBeGreaterThan(350);
      const differing = requests.flatMap(({ rule, method, target, expected }, index) => {
        const answer = answers[index];
        if (answer === undefined) return [{ rule, target }];
        const { actual, wanted } = compared(answer, expected, site, method);
        return isDeepStrictEqual(actual, wanted) ? [] : [{ rule, method, target, actual, wanted }];
      });
      expect(differing.slice(0, 5)).toEqual([]);
    },
  );

  it.each(HOSTS)("L9: %s answers the requests of svc cdn doctor as it expects", async (name) => {
    const send = await startHost(name, new RequestedSite());
    const requests: DoctorRequest[] = requestChecks("site", "r/").flatMap(([, , all]) => all);
    const answers = await send(requests.map((one) => ({ ...one, ...AS_THE_DOCTOR_SAYS })));
    const faults = answers.flatMap((answer, at) => {
      const { has = {}, ...one } = requests[at] as DoctorRequest;
      if (answer.of !== "bucket") return faultsOf(answer, { ...one, has });
      // Of a bucket, deploy and CDN set the headers.
      const headers = new Headers(answer.status === 404 ? { "Content-Type": PROBLEM_TYPE } : {});
      return faultsOf({ ...answer, headers }, one);
    });
    expect(faults).toEqual([]);
  });

  it("the documents of the table exist, and their drafts differ from the published ones", () => {
    const site = new RequestedSite();
    for (const { expected, but = {} } of REQUESTS) {
      for (const one of [expected, ...Object.values(but)]) {
        if (typeof one === "string" || !("draft" in one)) continue;
        if (!existsSync(join(site.bed.out, filePath(one.draft)))) continue;
        expect(site.draft(one.draft)).not.toBe(site.file(filePath(one.draft)));
      }
    }
  });

  it("F1: out/404.json is the problem document `not-found`", () => {
    expect(new RequestedSite().file("404.json")).toBe(problemText("not-found"));
  });
});

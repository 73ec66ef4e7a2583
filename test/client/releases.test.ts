import fc from "fast-check";
import { expect, it } from "vitest";
import { ApiError, type Content, createClient } from "../../src/client/client.ts";
import { randomRuns } from "../support/random-runs.ts";

const IDS = ["a", "b"] as const;
/** What a release has: the experience that has the key `home`, and the experiences with content. */
const RELEASE = fc.record({
  home: fc.constantFrom("a", "b", undefined),
  experiences: fc.subarray([...IDS]),
  filled: fc.subarray([...IDS], { minLength: 1 }),
});
type Release = typeof RELEASE extends fc.Arbitrary<infer T> ? T : never;

const OPERATIONS = fc.array(
  fc.record({
    asked: fc.constantFrom("a", "b", { key: "home" }),
    /** Whether the content's config is asked for as well. */
    config: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);

/** The experiences of a release: `home` names one that it has. */
const idsOf = ({ home, experiences }: Release) => [
  ...new Set([...experiences, ...(home === undefined ? [] : [home])]),
];

/** A host of files, of which each release replaces all; releases come before requests as told. */
function hostOfReleases(releases: readonly Release[], publishes: readonly boolean[]) {
  const state = { version: 0, requests: 0 };
  const respond = (url = "") => {
    if (publishes[state.requests]) state.version += 1;
    state.requests += 1;
    const release = releases[state.version % releases.length] as Release;
    const versionId = `v${state.version}`;
    const [, id] = /experiences\/(.*)\/content$/.exec(url) ?? [];
    const isFound = id === undefined || isServed(release, id);
    if (!isFound) return { status: 404, text: '{"code":"not-found"}', ETag: '""' };
    const entry = { id: `entry-${versionId}`, contentModelKey: "page", data: {} };
    const steps = [{ key: "step", layoutContentId: entry.id }];
    const experiences = idsOf(release).map((one) => ({
      id: one,
      key: one === release.home ? "home" : `key-of-${one}`,
    }));
    const config = { versionId, steps, experiences };
    const content = { versionId, experienceId: id, content: [entry], references: [] };
    const text = JSON.stringify(id === undefined ? config : content);
    return { status: 200, text, ETag: `"${versionId}"` };
  };
  return { state, respond };
}

const isServed = (release: Release, id = "") =>
  idsOf(release).some((one) => one === id && release.filled.includes(one));

it("K10: whatever is published between any two requests, a result is of one release, or its versionIds say that it is not", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(RELEASE, { minLength: 2, maxLength: 6 }),
      fc.array(fc.boolean(), { maxLength: 20 }),
      OPERATIONS,
      async (releases, publishes, operations) => {
        const { state, respond } = hostOfReleases(releases, publishes);
        const fetch = async (input: unknown) => {
          const { status, text, ETag } = respond(`${input}`);
          return new Response(text, { status, headers: { ETag } });
        };
        const client = createClient({ baseUrl: "http://host", projectId: "p", fetch });
        const releaseOf = (version: number) => releases[version % releases.length] as Release;
        for (const { asked, config } of operations) {
          const before = { ...state };
          const found: Content | ApiError = await client.content(asked).catch((e) => e);
          const publishedMeanwhile = state.version - before.version;
          /** The releases that were live while the client asked. */
          const live = Array.from({ length: publishedMeanwhile + 1 }, (_, index) =>
            releaseOf(before.version + index),
          );
          const idIn = (release: Release) =>
            typeof asked === "string" ? idsOf(release).find((id) => id === asked) : release.home;
          if (found instanceof ApiError) {
            // What is refused was not there in a release that was live then.
            const [, id] = /experiences\/(.*)\/content$/.exec(found.url) ?? [];
            const isRight = (release: Release) =>
              found.code === "experience-not-found"
                ? idIn(release) === undefined
                : (live.length > 1 || idIn(release) === id) && !isServed(release, id);
            expect(live.some(isRight)).toBe(true);
            continue;
          }
          const version = Number(found.versionId?.slice(1));
          expect(found.content[0]?.id).toBe(`entry-v${version}`);
          const requests = state.requests - before.requests;
          expect(requests).toBeLessThanOrEqual(5);
          if (typeof asked === "string" && publishedMeanwhile === 0) expect(requests).toBe(1);
          if (!config && typeof asked === "string") continue;
          const { versionId, experiences } = await found.project();
          const layout = await found.layout("step");
          if (versionId === found.versionId) {
            expect(layout).toBe(found.content[0]);
            const id = experiences.find((one) => one.id === asked || one.key === "home")?.id;
            if (typeof asked !== "string") expect(found.experienceId).toBe(id);
          } else {
            expect(state.version).toBeGreaterThan(before.version);
          }
        }
      },
    ),
    { numRuns: randomRuns(600) },
  ));

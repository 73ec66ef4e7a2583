import { describe, expect, it } from "vitest";
import { createClient, type Pointer } from "../../src/client/client.ts";
import { apiOf, EXPERIENCES, servedStorefront } from "../support/server/client-bed.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";

/** Every pointer in a value, at any depth in blocks and lists. */
function pointersIn(value: unknown): Pointer[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(pointersIn);
  return "contentEntryId" in value ? [value as Pointer, ...inner] : inner;
}

/** The unresolved pointers of the storefront, with the reasons that its fixture gives. */
const NOWHERE: Readonly<Record<string, string>> = {
  "policy-price-match": "deleted",
  "TT-Lantern-Mini": "deleted",
  "repair-zip-replacement": "of another workspace",
  "article-northfell-day-6": "too deep",
};

const to = (contentEntryId: string) => ({ next: { contentEntryId } });

/** The content of `home`, where pages reference each other as given. */
async function contentOf(...links: readonly (readonly [id: string, next?: string])[]) {
  const entries = links.map(([id, next]) => page(id, id, next === undefined ? {} : to(next)));
  const bed = new TestBed(smallWorkspace({ entries }));
  bed.publish();
  return createClient({ baseUrl: await apiOf(bed), projectId: "site" }).content("home");
}

describe("K4: resolve() returns the entry of a pointer", () => {
  it("every pointer of every served entry resolves to the entry with its id, or to undefined for a known reason", async () => {
    const baseUrl = await servedStorefront();
    const nowhere = new Set<string>();
    let resolved = 0;
    for (const [projectId, experiences] of Object.entries(EXPERIENCES)) {
      const client = createClient({ baseUrl, projectId });
      for (const id of experiences) {
        const content = await client.content(id);
        const served = [...content.content, ...content.references];
        for (const pointer of served.flatMap(({ data }) => pointersIn(data))) {
          const entry = content.resolve(pointer);
          if (entry === undefined) {
            nowhere.add(pointer.contentEntryId);
          } else {
            expect(entry.id).toBe(pointer.contentEntryId);
            expect(served.filter(({ id: other }) => other === entry.id)).toEqual([entry]);
            expect(entry.contentModelKey).toBe(pointer.contentModelKey ?? null);
            resolved += 1;
          }
        }
        expect(() => JSON.stringify(content)).not.toThrow();
      }
    }
    expect([...nowhere].sort()).toEqual(Object.keys(NOWHERE).sort());
    expect(resolved).toBeGreaterThan(100);
  });

  it("cycles can be followed, and no object contains itself", async () => {
    const content = await contentOf(["home", "b"], ["b", "c"], ["c", "home"]);
    const walked = ["home"];
    for (let step = 0; step < 9; step += 1) {
      const entry = content.resolve({ contentEntryId: walked.at(-1) as string });
      walked.push(...pointersIn(entry?.data).map((pointer) => pointer.contentEntryId));
    }
    expect(walked.join(" ")).toBe("home b c home b c home b c home");
    expect(JSON.parse(JSON.stringify(content)).references).toEqual(content.references);
  });

  it("names of inherited members are not entries", async () => {
    const content = await contentOf(["home"]);
    for (const contentEntryId of ["constructor", "__proto__", "toString", ""]) {
      expect(content.resolve({ contentEntryId })).toBeUndefined();
    }
  });
});

describe("layout() returns the layout entry of a step", () => {
  it("for every step of the experience whose entry exists, and no other", async () => {
    const baseUrl = await servedStorefront();
    const client = createClient({ baseUrl, projectId: "prj_web" });
    const { steps, experiences } = await client.project();
    for (const { id, stepIds } of experiences.filter(({ id }) => id !== "exp_checkout")) {
      const content = await client.content(id);
      const own = steps.filter((step) => stepIds.includes(step.id));
      for (const { key, layoutContentId } of own) {
        expect((await content.layout(key))?.id).toBe(layoutContentId ?? undefined);
      }
    }
    const journal = await client.content("exp_journal");
    expect((await journal.layout("journal"))?.id).toBe("page-journal");
    expect(await journal.layout("sale")).toBeUndefined();
    expect(await journal.layout("visit")).toBeUndefined();
    expect(await journal.layout("no such step")).toBeUndefined();
  });

  it("looks the step up by key, not by id or position", async () => {
    const project = projectOf("site", "a", "b");
    const swapped = project.steps.map((step, i) => ({ ...step, id: `s${i}`, key: `k${1 - i}` }));
    const experiences = [{ id: "home", key: "home", name: "Home", stepIds: ["s1", "s0"] }];
    const bed = new TestBed(
      smallWorkspace({
        projects: [{ ...project, steps: swapped, experiences }],
        entries: [page("a", "A"), page("b", "B")],
      }),
    );
    bed.publish();
    const client = createClient({ baseUrl: await apiOf(bed), projectId: "site" });
    const content = await client.content("home");
    const ids = ["k0", "k1", "s0"].map(async (key) => (await content.layout(key))?.id);
    expect(await Promise.all(ids)).toEqual(["b", "a", undefined]);
  });
});

it("K15: entry() returns the entry of a pointer, and what is not served is an error that names it", async () => {
  const content = await contentOf(["home", "news"], ["news", "gone"]);
  expect(content.entry({ contentEntryId: "news" })).toBe(
    content.resolve({ contentEntryId: "news" }),
  );
  expect(() => content.entry({ contentEntryId: "gone" })).toThrow(
    expect.objectContaining({
      ...{ name: "ApiError", code: "entry-not-served", status: 404, detail: 'no entry "gone"' },
      url: expect.stringMatching(/\/experiences\/home\/content$/),
    }),
  );
});

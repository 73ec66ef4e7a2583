import { expect, it } from "vitest";
import { CiBed, type CiRun } from "./ci-bed.ts";

const HEADLINE = "Welcome to your workspace";
const CONTENT = "/api/v1/projects/site/experiences/welcome/content";

type Run = (job: "check" | "publish", branch: string, title: string) => Promise<CiRun>;

const HOSTS: readonly [name: string, run: (bed: CiBed) => Run][] = [
  [
    "GitHub",
    (bed) => (job, branch, title) =>
      bed.gitHub(`.github/workflows/${job}.yml`, {
        branch,
        title,
        name: job === "check" ? "pull_request" : "push",
      }),
  ],
  ["GitLab", (bed) => (job, branch, title) => bed.gitLab(job, branch, title)],
];

it.each(HOSTS)("N4: the recipe for %s checks, compares and deploys", async (name, runOn) => {
  const bed = await CiBed.make();
  const run = runOn(bed);
  const passes = async (...args: Parameters<Run>) => {
    const ran = await run(...args);
    expect(ran.status, ran.printed).toBe(0);
    return ran;
  };
  const state = async () => [await bed.bucket.keys(), Object.fromEntries(bed.kvs.values)];

  await passes("publish", "main", "first");
  expect(await bed.live(CONTENT)).toContain(HEADLINE);
  const first = await state();

  bed.edit(HEADLINE, "Hello");
  bed.commit("a headline", "headline");
  const checked = await passes("check", "headline", "a headline");
  expect(checked.summary).toMatch(/^\| `home-page` \| .*headline/m);
  expect(
    Object.keys(checked.env).filter((key) => /SECRET|ACCESS_KEY|TOKEN|^BUCKET$|^KVS$/.test(key)),
  ).toEqual([]);
  expect(await state()).toEqual(first);

  bed.edit('"intro"', '"summary"');
  bed.commit("a field", "field");
  const breaking = await run("check", "field", "a field");
  expect(breaking.status).toBe(1);
  expect(breaking.summary).toContain("**breaking**");
  await passes("check", "field", "a field [breaking]");

  bed.commit("again", "main");
  const refused = await run("publish", "main", "a field");
  expect(refused.status).toBe(1);
  expect(refused.printed).not.toContain("published ");
  expect(await state()).toEqual(first);
  const published = await passes("publish", "main", "a field [breaking]");
  expect(await bed.live(CONTENT)).toContain('"headline":"Hello"');
  for (const secret of Object.entries(published.env).filter(([key]) => /SECRET/.test(key))) {
    expect(published.printed).not.toContain(secret[1]);
  }

  bed.edit('"modelId": "page"', '"modelId": "pgae"');
  bed.commit("a mistake", "mistake");
  const mistaken = await run("check", "mistake", "a mistake");
  expect(mistaken.status).toBe(1);
  const place = /^::error file=content\/entries\/home-page\.json,line=3,col=3,title=model-missing/m;
  expect(mistaken.printed).toMatch(
    name === "GitHub" ? place : /content\/entries\/home-page\.json:3:3/,
  );
});

import { expect, it } from "vitest";
import { CiBed, type CiRun } from "./ci-bed.ts";

const HEADLINE = "Welcome to your workspace";
const CONTENT = "/api/v1/projects/site/experiences/welcome/content";

it("N4: the recipes for GitHub and GitLab check, compare and deploy", async () => {
  const bed = await CiBed.make();
  const runs: Record<
    string,
    (job: "check" | "publish", branch: string, title: string) => Promise<CiRun>
  > = {
    GitHub: (job, branch, title) => {
      const name = job === "check" ? "pull_request" : "push";
      return bed.gitHub(`.github/workflows/${job}.yml`, { branch, title, name });
    },
    GitLab: (job, branch, title) => bed.gitLab(job, branch, title),
  };
  const state = async () => [await bed.bucket.keys(), Object.fromEntries(bed.kvs.values)];
  const passes = (ran: CiRun | undefined) => {
    expect(ran?.status, ran?.printed).toBe(0);
    return ran as CiRun;
  };

  passes(await runs.GitHub?.("publish", "main", "first"));
  expect(await bed.live(CONTENT)).toContain(HEADLINE);
  bed.edit(HEADLINE, "Hello");
  bed.commit("a headline", "headline");
  const checked = passes(await runs.GitHub?.("check", "headline", "a headline"));
  expect(checked.summary).toMatch(/^\| .*`home-page` \| .*"Hello"/m);

  for (const [name, run] of Object.entries(runs)) {
    const before = await state();
    bed.edit("Hello", `Hello from ${name}`);
    bed.edit(
      name === "GitHub" ? '"intro"' : '"summary"',
      name === "GitHub" ? '"summary"' : '"teaser"',
    );
    bed.commit("a field", "field");
    const breaking = await run("check", "field", "a field");
    expect(breaking.status, breaking.printed).toBe(1);
    expect(breaking.summary).toContain("**breaking**");
    expect(
      Object.keys(breaking.env).filter((key) => /SECRET|ACCESS_KEY|TOKEN|^BUCKET$|^KVS$/.test(key)),
    ).toEqual([]);
    passes(await run("check", "field", "a field [breaking]"));

    bed.commit("again", "main");
    const refused = await run("publish", "main", "a field");
    expect(refused.status).toBe(1);
    expect(refused.printed).not.toContain("published ");
    expect(await state()).toEqual(before);
    const published = passes(await run("publish", "main", "a field [breaking]"));
    expect(await bed.live(CONTENT)).toContain(`"headline":"Hello from ${name}`);
    for (const secret of Object.entries(published.env).filter(([key]) => /SECRET/.test(key))) {
      expect(published.printed).not.toContain(secret[1]);
    }

    bed.hasNpm = true;
    bed.edit('"modelId": "page"', '"modelId": "pgae"');
    bed.commit("a mistake", "mistake");
    const mistaken = await run("check", "mistake", "a mistake");
    expect(mistaken.status).toBe(1);
    const place =
      /^::error file=content\/entries\/home-page\.json,line=3,col=3,title=model-missing/m;
    expect(mistaken.printed).toMatch(
      name === "GitHub" ? place : /content\/entries\/home-page\.json:3:3/,
    );
    bed.edit('"modelId": "pgae"', '"modelId": "page"');
    bed.hasNpm = false;
  }
});

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
      Object.keys(breaking.env).filter((key) => /SECRET|ACCESS_KEY|TOKEN|_TARGET$|_KVS$/.test(key)),
    ).toEqual([]);
    passes(await run("check", "field", "a field [breaking]"));

    bed.commit("again", "main");
    const refused = await run("publish", "main", "a field");
    expect(refused.status).toBe(1);
    expect(refused.printed).not.toContain("published ");
    expect(await state()).toEqual(before);
    const published = passes(await run("publish", "main", "a field [breaking]"));
    expect(published.printed).toMatch(/^s3:\S+: 0 releases removed, 0 objects$/m);
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

  // N4b: the message of a run that was dropped is lost.
  bed.edit('"teaser"', '"lead"');
  bed.commit("another", "main");
  const byHand = { name: "workflow_dispatch", branch: "main", title: "" } as const;
  const start = (inputs: object) =>
    bed.gitHub(".github/workflows/publish.yml", { ...byHand, inputs });
  expect((await start({ "allow-breaking": false })).status).toBe(1);
  passes(await start({ "allow-breaking": true }));
  bed.edit('"lead"', '"intro"');
  bed.commit("yet another", "main");
  passes(await bed.gitLab("publish", "main", "yet another", { ALLOW_BREAKING: "true" }));
});

it("N4b, D4b, D7: the first pull requests of a new repository pass, and show what they change", async () => {
  const bed = await CiBed.makeBare();
  const check = (branch: string, given = {}) =>
    bed.gitHub(".github/workflows/check.yml", { name: "pull_request", branch, title: "" }, given);
  const isGreen = ({ status, printed, summary }: CiRun, shows: RegExp) => {
    expect(status, printed).toBe(0);
    expect(summary).toMatch(shows);
  };

  // No bucket, one that nobody else reads, and one that may be read and not listed.
  const nothing = /^\*\*.*\(nothing published\)/;
  isGreen(await check("main"), nothing);
  await bed.bucket.create();
  isGreen(await check("main"), nothing);
  await bed.bucket.policy("Allow", "s3:GetObject", "*");
  isGreen(await check("main"), nothing);
  const first = { name: "push", branch: "main", title: "first" } as const;
  isGreen(await bed.gitHub(".github/workflows/publish.yml", first), nothing);

  const data = { headline: "Kelp: a story", intro: "It grows 50 cm a day.", titel: "Kelp" };
  bed.write("entries/kelp.json", { id: "kelp", modelId: "page", data });
  bed.edit('"layoutContentId": "about-page"', '"layoutContentId": "kelp"');
  bed.commit("an article", "article");
  const article =
    /^\*\*.*\n\n\| entry .*\n\|.*\n\| Kelp: a story<br>`kelp` \|.*added.*It grows 50 cm a day/;
  isGreen(await check("article", { strict: "false" }), article);
  const failed = await check("article", { types: "content.ts" });
  expect(failed.status).toBe(1);
  expect(failed.printed).toContain("title=field-unknown");
  expect(failed.printed).toContain("::error title=svc types::content.ts is not up to date");
  expect(failed.summary).toMatch(article);
});

it("L15, N4: a pull request is previewed in its comment, at each push anew, until it is closed", async () => {
  const bed = await CiBed.make();
  const publish = (title: string) =>
    bed.gitHub(".github/workflows/publish.yml", { name: "push", branch: "main", title });
  const preview = (action: string) => {
    const event = {
      name: "pull_request",
      branch: "headline",
      title: "a headline",
      action,
    } as const;
    return bed.gitHub(".github/workflows/preview.yml", event);
  };
  expect((await publish("first")).status).toBe(0);
  const asked = async (query: string) => (await fetch(`${bed.url}${CONTENT}?${query}`)).text();
  const previewed = async (headline: string, action: string) => {
    bed.edit(HEADLINE, headline);
    bed.commit("a headline", "headline");
    const { status, printed } = await preview(action);
    expect(status, printed).toBe(0);
    const said = /^pr comment 1 --edit-last --create-if-none --body-file - /;
    expect(bed.comment).toMatch(said);
    expect(bed.comment).toMatch(new RegExp(`^\\| .*\`home-page\` \\| .*"${headline}"`, "m"));
    const [, token = ""] =
      /^- http\S+\/projects\/site\?preview_token=(\S+)$/m.exec(bed.comment) ?? [];
    expect(printed).not.toContain(token);
    bed.edit(headline, HEADLINE);
    return `preview_token=${token}`;
  };
  const first = await previewed("Hello", "opened");
  expect(await asked(first)).toContain("Hello");
  const second = await previewed("Good day", "synchronize");
  expect(await asked(second)).toContain("Good day");
  expect(await asked(first)).toContain("preview-token-invalid");
  expect(await bed.live(CONTENT)).toContain(HEADLINE);

  expect((await preview("closed")).status).toBe(0);
  expect(await asked(second)).toContain("preview-token-invalid");
  bed.edit(HEADLINE, "Good day");
  bed.commit("merged", "main");
  const merged = await publish("merged");
  expect(merged.printed).toMatch(/objects existed; live now for site$/m);
  expect(await bed.live(CONTENT)).toContain("Good day");
});

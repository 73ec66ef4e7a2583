import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GitActions } from "../../src/cli/preview/git-actions.ts";
import { FolderEditor } from "../../src/folder/edit/folder-editor.ts";
import type { DraftState } from "../../src/page/draft-state.ts";
import type { Saved, SavePlan, TeamConflict, TeamState } from "../../src/page/team.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import { folderWithEdits } from "../support/edited-folder.ts";
import { bareRepository, GitClone } from "../support/git-clone.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { type Files, workspaceFolder } from "../support/workspaces/workspace-folder.ts";

beforeEach(() => {
  vi.stubEnv("GIT_CONFIG_GLOBAL", "/dev/null");
  vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const entry = (id: string, title: string, lead: string) => `{ "id": "${id}", "modelId": "m",
  "data": { "title": "${title}",
    "lead": "${lead}" } }
`;

const FILES: Files = {
  "models.json": [
    {
      id: "m",
      key: "page",
      name: "Page",
      fields: [
        { key: "title", name: "Title", type: "text", title: true },
        { key: "lead", name: "Lead", type: "text" },
      ],
    },
  ],
  "projects.json": [{ id: "site", name: "S", steps: [], experiences: [] }],
  "entries/home.json": entry("home", "Home", "We sail"),
  "entries/away.json": entry("away", "Away", "We stay"),
};

/** Ada and Bo, each with a clone that has the folder in `content/`, and the page of it. */
function team(files: Files = {}) {
  const remote = bareRepository();
  const root = temporaryFolder();
  workspaceFolder({ ...FILES, ...files }, `${root}/content`);
  writeFileSync(`${root}/code.js`, "1\n");
  const first = new GitClone("Ada", remote, root);
  first.commit("start");
  first.push();
  const second = new GitClone("Bo", remote);
  second.pull();
  const [ada, bo] = [first, second].map((clone) => {
    const { act, readAgain } = folderWithEdits(clone.path("content"));
    const save = (message: string, choices = {}) => {
      readAgain();
      return act<Saved>("git-save", { message, choices });
    };
    const plan = () => {
      readAgain();
      return act<SavePlan>("git-plan");
    };
    const state = async () => (await act<{ state: TeamState | null }>("git-state")).state;
    const read = (file: string) => clone.read(`content/${file}`);
    const write = (file: string, text: string) => clone.write(`content/${file}`, text);
    return { clone, act, save, plan, state, read, write };
  }) as unknown as [Person, Person];
  const sent = () => first.git("--git-dir", remote, "log", "--format=%an %s", "main").split("\n");
  return { ada, bo, remote, sent };
}

interface Person {
  readonly clone: GitClone;
  readonly save: (message: string, choices?: object) => Promise<Saved>;
  readonly plan: () => Promise<SavePlan>;
  readonly state: () => Promise<TeamState | null>;
  readonly read: (file: string) => string;
  readonly write: (file: string, text: string) => void;
}

function hook({ clone }: Person, name: string, script: string): void {
  clone.write(`.git/hooks/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(clone.path(".git", "hooks", name), 0o755);
}

async function refusal(what: Promise<unknown>): Promise<{ message: string; hint: string }> {
  const error = await what.then(
    () => expect.unreachable("it was not refused"),
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(SvcError);
  const { message, hint = "" } = error as SvcError;
  return { message, hint };
}

describe("H77: how the folder stands", () => {
  it("H77: tells the branch, what is not saved of the workspace, and what others have as of the last fetch", async () => {
    const { ada, bo } = team();
    expect(await ada.state()).toEqual({
      ...{ branch: "main", upstream: "origin/main", problem: null },
      ...{ changed: 0, ahead: 0, behind: 0 },
    });
    bo.write("entries/home.json", entry("home", "Home", "We row"));
    await bo.save("Row");
    ada.write("entries/away.json", entry("away", "Away", "We go"));
    ada.write("entries/-n\n.json", entry("new", "New", ""));
    ada.write("files/pictures/a.svg", "<svg/>");
    ada.write("notes.txt", "of nobody's");
    ada.clone.write("code.js", "2\n");
    rmSync(ada.clone.path("content/entries/home.json"));
    expect(await ada.state()).toMatchObject({ changed: 4, behind: 0 });
    ada.clone.git("fetch", "--quiet");
    ada.clone.git("checkout", "--quiet", "-b", "-x'é;$(id)".replace("-", "a"));
    expect(await ada.state()).toMatchObject({ branch: "ax'é;$(id)", upstream: null, changed: 4 });
    ada.clone.git("branch", "--quiet", "--set-upstream-to=origin/main");
    expect(await ada.state()).toMatchObject({ upstream: "origin/main", behind: 1 });
  });

  it("H77, H77a: without a repository there is nothing; of one that is busy, or has no branch, it says so and saves nothing", async () => {
    const alone = folderWithEdits(workspaceFolder(FILES));
    expect(await alone.act("git-state")).toEqual({ state: null });
    const { ada, bo, sent } = team();
    bo.write("entries/home.json", entry("home", "Home", "We row"));
    bo.clone.commit("row");
    bo.clone.push();
    ada.write("entries/home.json", entry("home", "Home", "We swim"));
    ada.clone.commit("swim");
    ada.clone.git("fetch", "--quiet");
    expect(() => ada.clone.git("merge", "origin/main")).toThrow();
    const problem =
      "a merge is under way in the repository: in a terminal git merge --abort takes it back, git commit ends it; or ask a developer";
    expect(await ada.state()).toMatchObject({ problem });
    expect(await refusal(ada.save("x"))).toEqual({ message: "nothing was saved", hint: problem });
    ada.clone.git("merge", "--abort");
    ada.clone.git("checkout", "--quiet", "--detach");
    ada.write("entries/away.json", entry("away", "Away", "We go"));
    const detached = "no branch is checked out: check one out first";
    expect(await ada.state()).toMatchObject({ branch: null, problem: detached, changed: 1 });
    expect(await refusal(ada.save("x"))).toMatchObject({ hint: detached });
    expect(sent()[0]).toBe("Bo row");
  });
});

describe("H78: saving for the team", () => {
  it("H78: proposes a sentence of what changed, in the words of authors", async () => {
    const { ada } = team();
    ada.write("entries/home.json", entry("home", "Home", "We row"));
    ada.write("entries/new.json", entry("new", "Ten days", ""));
    rmSync(ada.clone.path("content/entries/away.json"));
    ada.write(
      "projects.json",
      '[{ "id": "site", "name": "Shop", "steps": [], "experiences": [] }]',
    );
    const { records, sentence, state } = await ada.plan();
    expect(sentence).toBe("New: Ten days; changed: Home (Lead); removed: Away; projects changed");
    expect(records).toHaveLength(3);
    expect(records).toContainEqual({
      ...{ kind: "entries", id: "home", title: "Home", modelName: "Page" },
      ...{ change: "changed", fields: ["Lead"] },
    });
    expect(state.changed).toBe(4);
  });

  it("H78: commits the workspace's files alone, pulls by field, and pushes; what others have staged stays so", async () => {
    const { ada, bo, sent } = team({ "entries/.notes.json": "{}" });
    bo.write("entries/home.json", entry("home", "Harbour", "We sail"));
    expect(await bo.save("--amend\n\nWith a body")).toEqual({
      ...{ isCommitted: true, received: 0, isSent: true, conflicts: [] },
    });
    ada.clone.write("code.js", "2\n");
    ada.clone.write("staged.js", "3\n");
    ada.clone.git("add", "staged.js");
    // No pattern of the file below.
    ada.write("entries/.notes.json", "[]");
    ada.write("entries/home.json", entry("home", "Home", "We row"));
    ada.write("entries/*.json", entry("new", "New", ""));
    rmSync(ada.clone.path("content/entries/away.json"));
    expect(await ada.save("Rowing")).toMatchObject({
      isCommitted: true,
      received: 1,
      isSent: true,
    });
    // Both fields of one entry, whose lines are neighbours.
    expect(ada.read("entries/home.json")).toBe(entry("home", "Harbour", "We row"));
    expect(ada.clone.git("status", "--porcelain")).toBe(
      " M code.js\n M content/entries/.notes.json\nA  staged.js\n",
    );
    expect(sent().slice(0, 3)).toEqual(["Ada Merge origin/main", "Ada Rowing", "Bo --amend"]);
    const files = ada.clone.git("show", "--name-only", "-z", "--format=", "HEAD^1");
    expect(files.split("\0").sort()).toEqual([
      "",
      "content/entries/*.json",
      "content/entries/away.json",
      "content/entries/home.json",
    ]);
    expect(await bo.save("")).toMatchObject({ isCommitted: false, received: 2, isSent: true });
    expect(bo.read("entries/home.json")).toBe(entry("home", "Harbour", "We row"));
    expect(await bo.save("")).toMatchObject({ isCommitted: false, received: 0, isSent: true });
  });

  it("H78: without an upstream it is committed here; the first commit of a repository, too", async () => {
    const root = temporaryFolder();
    const clone = new GitClone("Ada", undefined, workspaceFolder(FILES, root));
    const { act } = folderWithEdits(root);
    const first = { isCommitted: true, received: 0, isSent: false, conflicts: [] };
    expect(await act("git-save", { message: "First" })).toEqual(first);
    expect(clone.git("status", "--porcelain")).toBe("");
    expect(clone.git("log", "--format=%s")).toBe("First\n");
  });

  it("H78: a branch that nobody has yet is pushed", async () => {
    const { ada, remote } = team();
    ada.clone.git("checkout", "--quiet", "-b", "draft");
    ada.clone.git("config", "branch.draft.remote", "origin");
    ada.clone.git("config", "branch.draft.merge", "refs/heads/draft");
    ada.write("entries/home.json", entry("home", "Home", "We row"));
    expect(await ada.save("Row")).toMatchObject({ isSent: true });
    expect(ada.clone.git("--git-dir", remote, "log", "-1", "--format=%s", "draft")).toBe("Row\n");
  });

  it("H78: says what to set when Git does not know who it is, and asks for words", async () => {
    const { ada } = team();
    ada.write("entries/home.json", entry("home", "Home", "We row"));
    expect((await refusal(ada.save(" \n"))).hint).toBe("say in a sentence what changed");
    ada.clone.git("config", "--unset", "user.email");
    // Nor does it guess.
    vi.stubEnv("EMAIL", "guess@example.com");
    const { message, hint } = await refusal(ada.save("Row"));
    expect(message).toBe("nothing was saved: Git does not know who you are");
    expect(hint).toContain("git config --global user.name");
    expect(ada.clone.git("status", "--porcelain")).toBe(" M content/entries/home.json\n");
  });

  it("H78: hooks run; what one that fails says is told, and all is as it was", async () => {
    const { ada, sent } = team();
    ada.write("entries/home.json", entry("home", "Home", "We row"));
    ada.write("entries/new.json", entry("new", "New", ""));
    hook(ada, "pre-commit", "echo 'Spelling <b>' >&2; git diff --cached --name-only >&2; exit 1");
    const { message, hint } = await refusal(ada.save("Row"));
    expect([message, hint]).toEqual([
      "nothing was saved",
      "Spelling <b>\ncontent/entries/home.json\ncontent/entries/new.json",
    ]);
    const status = " M content/entries/home.json\n?? content/entries/new.json\n";
    expect(ada.clone.git("status", "--porcelain")).toBe(status);
    hook(ada, "pre-commit", "exit 0");
    hook(ada, "pre-push", "echo not on a Friday >&2; exit 1");
    const friday = await refusal(ada.save("Row"));
    expect(friday.message).toContain("what you saved is kept here, and not sent");
    expect(friday.hint).toContain("not on a Friday");
    expect(await ada.state()).toMatchObject({ changed: 0, ahead: 1 });
    hook(ada, "pre-push", "exit 0");
    expect(await ada.save("")).toMatchObject({ isCommitted: false, isSent: true });
    expect(sent()[0]).toBe("Ada Row");
  });

  it("H78: when others push meanwhile it is pulled once more, and told if that is not enough", async () => {
    const { ada, bo, sent } = team();
    const other = bo.clone.folder;
    const push = `cd '${other}' && unset $(git rev-parse --local-env-vars) && git pull -q --no-rebase --no-edit && echo $$ >> content/entries/x.txt && git add . && git commit -qm meanwhile && git push -q 2>&1`;
    hook(ada, "pre-push", `test -e '${other}/once' || { touch '${other}/once'; ${push}; }`);
    ada.write("entries/home.json", entry("home", "Home", "We row"));
    expect(await ada.save("Row")).toMatchObject({ received: 1, isSent: true });
    const merged = ["Ada Merge origin/main", "Ada Row", "Bo meanwhile"];
    expect(sent().slice(0, 3).sort()).toEqual(merged);
    hook(ada, "pre-push", push);
    ada.write("entries/home.json", entry("home", "Home", "We swim"));
    const { message } = await refusal(ada.save("Swim"));
    expect(message).toBe("the others do not get it: what you saved is kept here, and not sent");
    expect(sent()[0]).toBe("Bo meanwhile");
  });

  it("H78: what takes longer than an answer is waited for; a second one is refused meanwhile", async () => {
    const { ada } = team();
    const [folder, fifo] = [ada.clone.path("content"), ada.clone.path(".git", "fifo")];
    hook(ada, "pre-commit", `mkfifo '${fifo}' && cat '${fifo}' >&2`);
    ada.write("entries/home.json", entry("home", "Home", "We row"));
    const actions = new GitActions(folder, new FolderEditor(folder), () => {}, 1);
    const state = {} as DraftState;
    expect(await actions.save(state, { message: "Row" })).toEqual({ isRunning: true });
    expect(await refusal(actions.save(state, { message: "Row" }))).toMatchObject({
      message: "it is being saved already",
    });
    await expect.poll(() => existsSync(fifo)).toBe(true);
    writeFileSync(fifo, "");
    const wait = () => actions.save(state, { wait: true });
    await expect.poll(wait).toMatchObject({ isCommitted: true, isSent: true });
  });

  it("H78: a remote that is not there is told without the password in its address", async () => {
    const { ada } = team();
    ada.clone.git(
      "remote",
      "set-url",
      "origin",
      "http://ada:s3cret@127.0.0.1:9/x.git?token=s3cret",
    );
    ada.write("entries/home.json", entry("home", "Home", "We row"));
    const { message, hint } = await refusal(ada.save("Row"));
    expect(message).toBe("the others cannot be reached: what you saved is kept here, and not sent");
    expect(hint).toContain("127.0.0.1:9/x.git");
    expect(message + hint).not.toContain("s3cret");
  });

  it("H78: a file that is in the way, outside the folder, stays; so does one that only a developer can merge", async () => {
    const { ada, bo } = team();
    bo.clone.write("code.js", "2\n");
    bo.clone.commit("code");
    bo.clone.push();
    ada.clone.write("code.js", "3\n");
    ada.write("entries/home.json", entry("home", "Home", "We row"));
    const { message, hint } = await refusal(ada.save("Row"));
    expect(message).toContain("files in the repository are in the way");
    expect(hint).toContain("code.js");
    expect([ada.clone.read("code.js"), await ada.state()]).toMatchObject([
      "3\n",
      { ahead: 1, behind: 1 },
    ]);
    ada.clone.git("commit", "--quiet", "-m", "mine", "code.js");
    const both = await refusal(ada.save(""));
    expect(both.message).toBe('both sides changed "code.js"');
    expect(ada.clone.read("code.js")).toBe("3\n");
    expect(ada.clone.git("status", "--porcelain")).toBe("");
  });
});

/** Saves what both made of the same files, Bo first, and returns what Ada must decide. */
async function conflicting(
  { ada, bo }: { ada: Person; bo: Person },
  files: Readonly<Record<string, readonly [mine: string | undefined, theirs: string | undefined]>>,
): Promise<readonly TeamConflict[]> {
  for (const [person, side] of [
    [bo, 1],
    [ada, 0],
  ] as const) {
    for (const [file, texts] of Object.entries(files)) {
      const text = texts[side];
      if (text === undefined) rmSync(person.clone.path("content", file));
      else person.write(file, text);
    }
  }
  expect(await bo.save("Theirs")).toMatchObject({ isSent: true });
  const { conflicts, ...saved } = await ada.save("Mine");
  expect(saved).toEqual({ isCommitted: true, received: 0, isSent: false });
  // The folder has what Ada wrote, and Git knows of no merge.
  for (const [file, [mine]] of Object.entries(files)) {
    if (mine === undefined) expect(existsSync(ada.clone.path("content", file))).toBe(false);
    else expect(ada.read(file)).toBe(mine);
  }
  expect(ada.clone.git("status", "--porcelain")).toBe("");
  expect(existsSync(ada.clone.path(".git", "MERGE_HEAD"))).toBe(false);
  return conflicts;
}

const choose = (conflicts: readonly TeamConflict[], ...sides: readonly string[]) =>
  Object.fromEntries(conflicts.map(({ key }, at) => [key, sides[at]]));

describe("H79: what both sides changed", () => {
  it("H79: is told by field, with the words that differ; each is chosen, then it goes on", async () => {
    const both = team();
    const conflicts = await conflicting(both, {
      "entries/home.json": [entry("home", "Harbour", "We row"), entry("home", "Home", "We swim")],
      "entries/away.json": [entry("away", "Far", "We stay"), entry("away", "Gone", "We stay")],
    });
    expect(conflicts.map(({ title, value }) => [title, value])).toEqual([
      [
        "Far",
        {
          ...{ place: ["Title"], before: null, after: null },
          pieces: [
            ["before", "Gone"],
            ["after", "Far"],
          ],
        },
      ],
      [
        "Harbour",
        expect.objectContaining({
          place: ["Lead"],
          pieces: expect.arrayContaining([
            ["before", "swim"],
            ["after", "row"],
          ]),
        }),
      ],
    ]);
    const { ada, bo, sent } = both;
    const half = await ada.save("", choose(conflicts, "theirs"));
    expect(half.conflicts).toEqual(conflicts.slice(1));
    expect(await ada.save("", choose(conflicts, "theirs", "mine"))).toMatchObject({
      received: 1,
      isSent: true,
      conflicts: [],
    });
    expect(ada.read("entries/home.json")).toBe(entry("home", "Harbour", "We row"));
    expect(ada.read("entries/away.json")).toBe(entry("away", "Gone", "We stay"));
    expect(sent().slice(0, 1)).toEqual(["Ada Merge origin/main"]);
    await bo.save("");
    expect(bo.read("entries/home.json")).toBe(ada.read("entries/home.json"));
  });

  it.each(["mine", "theirs"] as const)(
    "H79a: an entry that one has deleted and the other changed: %s",
    async (side) => {
      const both = team();
      const changed = entry("home", "Home", "We swim");
      const conflicts = await conflicting(both, { "entries/home.json": [undefined, changed] });
      expect(conflicts).toMatchObject([
        { title: "Home", value: { place: ["The whole file"], after: null } },
      ]);
      await both.ada.save("", choose(conflicts, side));
      const isThere = existsSync(both.ada.clone.path("content/entries/home.json"));
      expect(isThere).toBe(side === "theirs");
      if (isThere) expect(both.ada.read("entries/home.json")).toBe(changed);
      expect(both.ada.clone.git("status", "--porcelain", "--branch")).toBe(
        "## main...origin/main\n",
      );
    },
  );

  it.each([
    ["entries.json", (...all: string[]) => `[\n${all.map((one) => `  ${one}`).join(",\n")}\n]\n`],
    ["entries.ndjson", (...all: string[]) => all.map((one) => `${one}\n`).join("")],
  ] as const)(
    "H79a: of many entries in %s only the value is chosen, and what each added is there",
    async (file, text) => {
      const line = (id: string, title: string, lead: string) =>
        `{"id":"${id}","modelId":"m","data":{"title":"${title}","lead":"${lead}"}}`;
      const both = team({ [file]: text(line("a", "A", "1"), line("b", "B", "1")) });
      const conflicts = await conflicting(both, {
        [file]: [
          text(line("a", "A", "mine"), line("b", "Bee", "1"), line("c", "C", "mine")),
          text(line("z", "Z", "theirs"), line("a", "A", "theirs"), line("b", "B", "2")),
        ],
      });
      expect(conflicts).toMatchObject([{ title: "A", value: { place: ["Lead"] } }]);
      await both.ada.save("", choose(conflicts, "theirs"));
      expect(both.ada.read(file)).toBe(
        text(
          line("z", "Z", "theirs"),
          line("a", "A", "theirs"),
          line("b", "Bee", "2"),
          line("c", "C", "mine"),
        ),
      );
    },
  );

  it("H79a: a choice is of these values: of others, which came meanwhile, it is asked again", async () => {
    const both = team();
    const home = (lead: string) => entry("home", "Home", lead);
    const conflicts = await conflicting(both, {
      "entries/home.json": [home("We row"), home("We swim")],
    });
    both.bo.write("entries/home.json", home("We fly"));
    await both.bo.save("Fly");
    const { conflicts: again } = await both.ada.save("", choose(conflicts, "theirs"));
    expect(again).toMatchObject([{ value: { place: ["Lead"] } }]);
    expect(again[0]?.key).not.toBe(conflicts[0]?.key);
    expect(both.ada.read("entries/home.json")).toBe(home("We row"));
  });

  it.each([
    ["without a driver", ""],
    ["with one that fails", "false"],
  ])("H79: what Git would merge by lines is merged by field, %s", async (_, driver) => {
    const both = team();
    if (driver !== "") {
      both.ada.clone.write(".git/info/attributes", "*.json merge=svc\n");
      both.ada.clone.git("config", "merge.svc.driver", driver);
    }
    const text = (first: string, last: string) =>
      `{ "id": "home", "modelId": "m",\n"data": {${first} "title": "Home",${"\n".repeat(9)}"lead": "We sail"${last} } }\n`;
    both.ada.write("entries/home.json", text("", ""));
    await both.ada.save("Lines");
    await both.bo.save("");
    both.bo.write("entries/home.json", text("", ', "x": 1'));
    await both.bo.save("x");
    both.ada.write("entries/home.json", text('"x": 1,', ""));
    expect(await both.ada.save("x too")).toMatchObject({ isSent: true });
    expect(both.ada.read("entries/home.json")).toBe(text('"x": 1,', ""));
  });
});

import { chmodSync, existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Git, saidSafely } from "../../src/cli/preview/git.ts";
import type { EntryHistory } from "../../src/page/team.ts";
import { folderWithEdits } from "../support/edited-folder.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { GitClone } from "../support/git-clone.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

beforeEach(() => {
  vi.stubEnv("GIT_CONFIG_GLOBAL", "/dev/null");
  vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe("H75: Git is asked", () => {
  it("H75: a folder is found in its repository, whatever its name; without one there is none", async () => {
    const clone = new GitClone("Ada");
    clone.write("a\nb/-c ü/workspace.json", "{}");
    expect(await new Git(clone.path("a\nb/-c ü")).prefix()).toBe("a\nb/-c ü/");
    expect(await new Git(clone.folder).prefix()).toBe("");
    expect(await new Git(temporaryFolder()).prefix()).toBeUndefined();
    vi.stubEnv("PATH", "");
    expect(await new Git(clone.folder).prefix()).toBeUndefined();
  });

  it("H75: reading runs no program that the repository names, fetches nothing, and writes nothing", async () => {
    const model = { id: "m", key: "page", name: "Page", fields: [] };
    const home = { id: "home", modelId: "m", draft: true, data: {} };
    const files = { "models.json": [model], "entries/home.json": home };
    const clone = new GitClone("Ada", undefined, workspaceFolder(files));
    const ran = clone.path(".git", "ran");
    const program = clone.path(".git", "program");
    writeFileSync(program, `#!/bin/sh\necho "$0" "$@" >> '${ran}'\ncat\n`, { mode: 0o755 });
    clone.write("-x\n.json", '{ "id": "a" }\n');
    clone.write(".gitattributes", "* filter=a=b diff=odd\n");
    const unsigned = clone.git("cat-file", "commit", clone.commit());
    const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----\n\n";
    clone.write(".git/commit", unsigned.replace("\n\n", `\n${signature}`));
    const commit = clone.git("hash-object", "-t", "commit", "-w", ".git/commit").trim();
    clone.git("update-ref", "HEAD", commit);
    for (const name of ["post-index-change", "post-checkout", "reference-transaction"]) {
      clone.write(`.git/hooks/${name}`, readFileSync(program, "utf8"));
      chmodSync(clone.path(".git", "hooks", name), 0o755);
    }
    const settings = {
      ...{ "core.fsmonitor": program, "core.pager": program, "core.askPass": program },
      ...{ "filter.a=b.clean": program, "filter.a=b.process": program },
      ...{ "filter.a=b.required": "true", "filter.a=b.smudge": program },
      ...{ "diff.external": program, "diff.odd.command": program, "diff.odd.textconv": program },
      ...{ "log.showSignature": "true", "gpg.program": program, "core.editor": program },
      ...{ "extensions.partialClone": "origin", "remote.origin.promisor": "true" },
      ...{ "remote.origin.url": clone.folder, "remote.origin.uploadpack": program },
      "core.sshCommand": program,
    };
    for (const [name, value] of Object.entries(settings)) clone.git("config", name, value);
    clone.write("-x\n.json", '{ "id": "b" }\n');
    // Touched, so that its content is compared.
    utimesSync(clone.path(".gitattributes"), 1, 1);
    rmSync(ran, { force: true });
    const before = bytesBelow(clone.path(".git"));
    const git = new Git(clone.folder);
    const status = await git.tryReadFiles(["status", "--porcelain", "-z"]);
    expect([status.status, status.out.toString()]).toEqual([0, " M -x\n.json\0"]);
    const args = ["log", "-p", "--no-ext-diff", "--no-textconv", "--format=%H", "--", "-x\n.json"];
    expect((await git.read(args)).toString()).toContain(commit);
    expect((await git.tryRead(["cat-file", "-p", "1".repeat(40)])).status).toBe(128);
    const { act } = folderWithEdits(clone.folder);
    clone.write("entries/home.json", JSON.stringify({ ...home, draft: false }));
    expect(await act("git-state")).toMatchObject({ state: { changed: 1 } });
    expect(await act("git-plan")).toMatchObject({ sentence: "Changed: home (Draft)" });
    const { versions } = await act<EntryHistory>("git-history", { id: "home" });
    expect(versions).toMatchObject([{ commit, by: "Ada" }]);
    const compared = await act("git-compare", { id: "home", from: versions[0], to: null });
    expect(compared).toMatchObject({ values: [{ place: ["Draft"] }] });
    expect(existsSync(ran) ? readFileSync(ran, "utf8") : "").toBe("");
    expect(bytesBelow(clone.path(".git"))).toEqual(before);
  });

  it("H75: a variable of the environment leads it to no other repository", async () => {
    const [clone, other] = [new GitClone("Ada"), new GitClone("Bo")];
    clone.write("a/b.json", "{}");
    vi.stubEnv("GIT_DIR", other.path(".git"));
    vi.stubEnv("GIT_WORK_TREE", other.folder);
    vi.stubEnv("GIT_PREFIX", "x/");
    vi.stubEnv("GIT_CONFIG_PARAMETERS", "'core.worktree'='/'");
    expect(await new Git(clone.path("a")).prefix()).toBe("a/");
  });

  it("H75a: what asks or hangs is ended, with all that it has started", async () => {
    const clone = new GitClone("Ada", "https://example.invalid/x");
    const pid = clone.path("pid");
    clone.git(
      "config",
      "alias.hang",
      `!echo $$ > '${pid}.part'; mv '${pid}.part' '${pid}'; exec sleep 100000`,
    );
    const hanging = new Git(clone.folder, 500).run(["hang"]);
    await expect(hanging).rejects.toThrow("Git: it took longer than 0.5 s");
    const isGone = () => {
      try {
        return !process.kill(Number(readFileSync(pid, "utf8")), 0);
      } catch {
        return true;
      }
    };
    await expect.poll(isGone).toBe(true);
    clone.git("config", "alias.ask", "!cat; read -r answer < /dev/tty || echo asked nobody >&2");
    const asked = await new Git(clone.folder).run(["ask"]);
    expect(asked.said).toContain("asked nobody");
  });

  it("H75: an old Git is told, and one that refuses the repository", async () => {
    const clone = new GitClone("Ada");
    clone.write("bin/git", "#!/bin/sh\necho git version 2.34.1\n");
    chmodSync(clone.path("bin", "git"), 0o755);
    const { PATH = "" } = process.env;
    vi.stubEnv("PATH", `${clone.path("bin")}:${PATH}`);
    const old = { message: "Git: version 2.34.1 is too old", hint: "install 2.38 or newer" };
    await expect(new Git(clone.folder).prefix()).rejects.toMatchObject(old);
    vi.stubEnv("PATH", PATH);
    clone.write(".git/config", "[core\n");
    const broken = new Git(clone.folder).prefix();
    await expect(broken).rejects.toThrow("Git: it refuses the repository");
  });

  it("H75a: what it says is text without passwords, tokens and commands of a terminal", () => {
    const said =
      "fatal: \u001b[31mno\u001b[0m 'https://me:p@ss@host/x.git?token=t#k'\r\n\u0007ssh://t@h/";
    expect(saidSafely(said)).toBe("fatal: no 'https://host/x.git'\n\\u0007ssh://h/");
    expect(saidSafely(`${"x".repeat(9000)}end`)).toHaveLength(4000);
  });
});

import type { ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkDraft } from "../../src/documents/check-draft.ts";
import { PREVIEW } from "../../src/documents/document.ts";
import { renderDocument } from "../../src/documents/documents.ts";
import { renderingSnapshot } from "../../src/publish/snapshots.ts";
import { DraftRenderings } from "../../src/server/draft-renderings.ts";
import { Preview } from "../../src/server/preview.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const ADDRESS = { kind: "content", projectId: "site", experienceId: "home" } as const;
const CONTENT = "api/v1/projects/site/experiences/home/content.json";

const site = (title: string) =>
  smallWorkspace({
    projects: [projectOf("site", "home", "about")],
    entries: [page("home", title), page("about", "About")],
  });

/** A preview in another process than the one that publishes. */
class OtherPreview {
  readonly #store: Store;
  readonly #renderings: DraftRenderings;

  constructor(bed: TestBed) {
    this.#store = openStore(bed.store.file);
    onTestFinished(() => this.#store.close());
    this.#renderings = new DraftRenderings(this.#store, "tests");
  }

  /** What a program is answered: what it shows is served for it alone. */
  ask(): string | undefined {
    return this.#store.read(() => {
      const rendering = this.#renderings.of(this.#store.workspace("w"));
      return renderDocument(rendering, ADDRESS, PREVIEW)?.bytes.toString();
    });
  }

  /** What the page compares with what is published, and the problems. */
  look() {
    return this.#store.read(() => {
      const row = this.#store.workspace("w");
      const rendering = this.#renderings.of(row);
      const problems = checkDraft(rendering);
      const snapshot = renderingSnapshot(this.#store, row, rendering);
      return { problems, content: JSON.stringify(snapshot.document(CONTENT)) };
    });
  }
}

describe("H5: a preview that goes on while another process publishes", () => {
  it("shows a text again that was deleted with its version meanwhile", () => {
    const bed = new TestBed(site("One"));
    bed.publish({ keep: 1 });
    bed.import(site("Two"));
    bed.publish({ keep: 1 });
    const preview = new OtherPreview(bed);
    bed.import(site("Three"));
    expect(preview.look().content).toContain("Three");
    // The text of "Two" goes with the version before.
    bed.publish({ keep: 1 });
    bed.import(site("Two"));
    expect(preview.look().content).toContain("Two");
    bed.import(site("Three"));
    expect(preview.look().content).toContain("Three");
  });

  it("shows each state once more after many edits and publishes", () => {
    const bed = new TestBed(site("0"));
    const [now, later] = [new OtherPreview(bed), new OtherPreview(bed)];
    for (let at = 0; at < 12; at += 1) {
      const title = `${(at * 7) % 5}`;
      bed.import(site(title));
      if (at % 3 !== 1) expect(now.look().content).toContain(`"title":"${title}"`);
      if (at % 2 === 1) bed.publish({ keep: 1 });
      if (at % 4 === 3) expect(later.look().content).toContain(`"title":"${title}"`);
    }
  });

  it("serves one document for a program, and then all of them for the page, and back", () => {
    const bed = new TestBed(site("One"));
    const preview = new OtherPreview(bed);
    for (const title of ["One", "Two", "Three"]) {
      bed.import(site(title));
      for (let times = 0; times < 2; times += 1) {
        expect(preview.ask()).toContain(title);
        expect(preview.look().content).toContain(title);
      }
    }
  });

  it("answers from the state that it has read, though it is another one by now", () => {
    const bed = new TestBed({ ...site("One"), previewToken: "t" });
    bed.publish({ keep: 1 });
    bed.import({ ...site("Two"), previewToken: "t" });
    bed.publish({ keep: 1 });
    const { store } = bed;
    const mine = openStore(store.file);
    onTestFinished(() => mine.close());
    let isFirst = true;
    const preview = new Preview(
      {
        changeMark: "",
        tokens: mine.tokens,
        workspaceOfProject: (id) => mine.workspaceOfProject(id),
        draftFile: (path) => mine.draftFile(path),
        read(work) {
          const answer = mine.read(work);
          if (isFirst) {
            bed.import({ ...site("Three"), previewToken: "t" });
            bed.publish({ keep: 1 });
          }
          isFirst = false;
          return answer;
        },
      },
      new DraftRenderings(mine, "tests"),
    );
    let body = "";
    const response = {
      writeHead: () => response,
      end: (bytes: Buffer) => {
        body = bytes.toString();
      },
    };
    preview.serve(ADDRESS, ["t"], response as unknown as ServerResponse);
    expect(body).toContain('"Two"');
  });
});

import type { ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkDraft } from "../../src/documents/check-draft.ts";
import { documentAt } from "../../src/documents/documents.ts";
import { renderVersion } from "../../src/publish/version.ts";
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

/** A preview with its own connection to the store, as in another process than the publisher's. */
class OtherPreview {
  readonly #store: Store;
  readonly #renderings: DraftRenderings;

  constructor(bed: TestBed) {
    this.#store = openStore(bed.store.file);
    onTestFinished(() => this.#store.close());
    this.#renderings = new DraftRenderings(this.#store);
  }

  /** Renders one document, as for an API request. */
  requestContent(): string | undefined {
    return this.#store.read(() => {
      const rendering = this.#renderings.of(this.#store.workspace("w"));
      return documentAt(rendering, ADDRESS, "preview")?.bytes(null).toString();
    });
  }

  /** Renders all documents and checks the draft, as for the changes view of the page. */
  compare() {
    return this.#store.read(() => {
      const row = this.#store.workspace("w");
      const rendering = this.#renderings.of(row);
      const problems = checkDraft(rendering);
      const content = renderVersion(rendering, undefined).frozenBytes(CONTENT).toString();
      return { problems, content };
    });
  }
}

describe("H5: a preview that runs while another process publishes", () => {
  it("shows a text again whose version was deleted meanwhile", () => {
    const bed = new TestBed(site("One"));
    bed.publish({ keep: 1 });
    bed.import(site("Two"));
    bed.publish({ keep: 1 });
    const preview = new OtherPreview(bed);
    bed.import(site("Three"));
    expect(preview.compare().content).toContain("Three");
    // The text of "Two" is deleted with the previous version.
    bed.publish({ keep: 1 });
    bed.import(site("Two"));
    expect(preview.compare().content).toContain("Two");
    bed.import(site("Three"));
    expect(preview.compare().content).toContain("Three");
  });

  it("shows each state after many edits and publishes", () => {
    const bed = new TestBed(site("0"));
    const [now, later] = [new OtherPreview(bed), new OtherPreview(bed)];
    for (let at = 0; at < 12; at += 1) {
      const title = `${(at * 7) % 5}`;
      bed.import(site(title));
      if (at % 3 !== 1) expect(now.compare().content).toContain(`"title":"${title}"`);
      if (at % 2 === 1) bed.publish({ keep: 1 });
      if (at % 4 === 3) expect(later.compare().content).toContain(`"title":"${title}"`);
    }
  });

  it("alternates between single documents for the API and all of them for the page", () => {
    const bed = new TestBed(site("One"));
    const preview = new OtherPreview(bed);
    for (const title of ["One", "Two", "Three"]) {
      bed.import(site(title));
      for (let times = 0; times < 2; times += 1) {
        expect(preview.requestContent()).toContain(title);
        expect(preview.compare().content).toContain(title);
      }
    }
  });

  it("responds with the state of its transaction, though the draft has changed since", () => {
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
        ...{ changeMark: "", tokens: mine.tokens, history: mine.history },
        checkInPlace: () => {},
        workspaces: () => mine.workspaces(),
        draft: (row) => mine.draft(row),
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
      new DraftRenderings(mine),
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

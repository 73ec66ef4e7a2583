import type { ProjectConfig } from "../../src/client/types.ts";
import type { Address } from "../../src/documents/address.ts";
import { readFolder } from "../../src/folder/read-folder.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import { NEIGHBOUR, STARTER, STOREFRONT } from "../support/cli-bed.ts";
import { documentOn, SURFACES, TestBed } from "../support/test-bed.ts";
import type { Served } from "./type-checking.ts";

/** A project as served on one surface. */
export interface ServedProject {
  /** For titles and paths: letters, digits and hyphens. */
  readonly name: string;
  readonly schema: JsonObject;
  readonly documents: readonly Served[];
}

/** Every project of a store's drafts, on both surfaces. */
export function draftProjects(bed: TestBed, name: string, workspace?: string): ServedProject[] {
  const { projects } = bed.store.read(() => bed.store.draft(bed.store.workspace(workspace)));
  return projects.flatMap(({ id: projectId }) =>
    SURFACES.map((surface): ServedProject => {
      const document = (address: Address) => documentOn(bed, surface, address, workspace);
      const config: Served = {
        type: "ProjectConfig",
        json: document({ kind: "project", projectId }),
      };
      // Those of collections too.
      const contents = (config.json as ProjectConfig).experiences.flatMap(({ id }): Served[] => {
        const json = document({ kind: "content", projectId, experienceId: id });
        return json === undefined ? [] : [{ type: "ExperienceContent", json }];
      });
      return {
        name: `${name}-${projectId.replaceAll(/[._]/g, "-")}-${surface}`,
        schema: document({ kind: "schema", projectId }),
        documents: [config, ...contents],
      };
    }),
  );
}

/** Every project of every workspace of the fixtures. */
export function fixtureProjects(): ServedProject[] {
  const bed = new TestBed();
  const workspaces = { storefront: STOREFRONT, neighbour: NEIGHBOUR, starter: STARTER };
  return Object.entries(workspaces).flatMap(([name, folder]) => {
    const items = [...readFolder(folder)];
    bed.store.import(items, new Date());
    const workspace = items.find((item) => item.kind === "workspace");
    return draftProjects(bed, name, workspace?.record.id);
  });
}

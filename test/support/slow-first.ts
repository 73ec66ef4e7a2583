import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take or wait longest, so that none of them ends last. */
const SLOW = [
  "page/page",
  "docs/json-members",
  "deploy/releases/random-commands",
  "deploy/in-place/random-commands",
  "publish/publish-distrust",
  "follow/followed-folder",
  "documents/surfaces",
  "server/limits",
  "documents/taken-over",
  "server/malformed",
  "server/live",
  "folder/migrations",
];

/** The place of a suite in the configuration, whose workers go on to files of the same suite. */
const placeOf = ({ project }: TestSpecification) => project.vitest.projects.indexOf(project);

/** Runs suite by suite, the slow files first; a clean clone has no results by which Vitest could order them. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) =>
      SLOW.some((name) => moduleId.endsWith(`/test/${name}.test.ts`));
    const sorted = await super.sort(files);
    const slowFirst = [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
    return slowFirst.sort((a, b) => placeOf(a) - placeOf(b));
  }
}

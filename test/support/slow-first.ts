import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take or wait longest, so that none of them ends last. */
const SLOW = [
  "docs/walks",
  "server/preview-store-lost",
  "follow/followed-folder",
  "cli/migrate-safety",
  "deploy/edge/doctor/doctor",
  "publish/publish-incremental",
  "store/unwritable-store",
  "cli/store-kept",
  "server/limits",
  "server/background-job",
  "cli/folder-commands",
  "fields/patterns",
  "server/server",
  "documents/serving-thread",
  "cli/merge-driver",
];

/** Runs the slow files first; a clean clone has no results by which Vitest could order them. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) =>
      SLOW.some((name) => moduleId.endsWith(`/test/${name}.test.ts`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

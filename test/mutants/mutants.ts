import { DEPLOY } from "./deploy.ts";
import { DOCUMENTS } from "./documents.ts";
import type { Mutant } from "./mutant.ts";
import { PUBLISH } from "./publish.ts";
import { READERS } from "./readers.ts";
import { SERVER } from "./server.ts";

/** One defect for each rule: the suite fails when the tests of one pass. */
export const MUTANTS: readonly Mutant[] = [
  ...DOCUMENTS,
  ...PUBLISH,
  ...SERVER,
  ...READERS,
  ...DEPLOY,
];

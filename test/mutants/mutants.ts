import { DEPLOY } from "./deploy.ts";
import { DOCUMENTS } from "./documents.ts";
import { EDGE } from "./edge.ts";
import { EXPORT_FORMATS } from "./export-formats.ts";
import { FILES } from "./files.ts";
import { GIT } from "./git.ts";
import { IMPORTS } from "./imports.ts";
import { LANGUAGES } from "./languages.ts";
import { MIGRATIONS } from "./migrations.ts";
import type { Mutant } from "./mutant.ts";
import { READERS } from "./readers.ts";
import { SERVER } from "./server.ts";
import { STORES } from "./stores.ts";
import { VALUES } from "./values.ts";
import { VERSIONS } from "./versions.ts";

/** One defect for each rule: the suite fails when the tests of one pass. */
export const MUTANTS: readonly Mutant[] = [
  ...VALUES,
  ...DOCUMENTS,
  ...LANGUAGES,
  ...VERSIONS,
  ...STORES,
  ...FILES,
  ...GIT,
  ...SERVER,
  ...READERS,
  ...MIGRATIONS,
  ...DEPLOY,
  ...EDGE,
  ...IMPORTS,
  ...EXPORT_FORMATS,
];

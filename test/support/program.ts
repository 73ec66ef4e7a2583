import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

/** The variable by which `build-program.ts` passes on where it has built the program. */
export const BUILT = "SVC_TEST_BUILT";

/** The built program. */
export const PROGRAM = join(ROOT, process.env[BUILT] ?? "dist", "bin/svc.js");

/** The built program as a process that runs many commands: see `HostedProgram`. */
export const PROGRAM_HOST = join(PROGRAM, "../program-host.js");

// npm run test:mutants: plants each defect of the list in a copy of the repository, and fails when a
// defect survives its tests. SVC_MUTANTS limits it to a random number (12) or fraction (0.1) of them,
// which SVC_MUTANTS_SEED repeats; SVC_MUTANTS_ONLY to those whose rule or file matches.
import { Random } from "../support/workspaces/random.ts";
import { CopiedRepository } from "./copied-repository.ts";
import type { Mutant } from "./mutant.ts";
import { MUTANTS } from "./mutants.ts";

/** Copies in which mutants run at the same time. */
const COPIES = 2;

const { SVC_MUTANTS, SVC_MUTANTS_SEED, SVC_MUTANTS_ONLY = "" } = process.env;

function chosenMutants(): Mutant[] {
  const only = new RegExp(SVC_MUTANTS_ONLY);
  const matching = MUTANTS.filter(({ rule, file }) => only.test(`${rule} ${file}`));
  if (SVC_MUTANTS === undefined) return matching;
  const amount = Number(SVC_MUTANTS);
  if (!(amount > 0)) throw new Error(`SVC_MUTANTS must be a number above 0: ${SVC_MUTANTS}`);
  const seed = Number(SVC_MUTANTS_SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`SVC_MUTANTS_SEED=${seed}`);
  const random = new Random(seed);
  const count = Math.ceil(amount < 1 ? amount * matching.length : amount);
  return matching
    .map((mutant) => ({ mutant, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

/** Why a mutant counts as a failure of the suite; undefined when its tests fail. */
async function faultOf(mutant: Mutant, copy: CopiedRepository): Promise<string | undefined> {
  try {
    const { failed, problem } = await copy.runMutated(mutant);
    const [test] = failed;
    if (test === undefined) return problem ?? `survived ${mutant.tests.join(", ")}`;
    report(`ok ${mutant.rule} (${mutant.file}): ${test}`);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const mutants = chosenMutants();
if (mutants.length === 0) throw new Error("no mutant matches");
const copies = Array.from({ length: COPIES }, () => new CopiedRepository());
process.once("exit", () => {
  for (const copy of copies) copy.remove();
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const [first] = copies as [CopiedRepository];
const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests))];
const { failed, problem } = await first.run(tests);
if (failed.length > 0 || problem !== undefined) {
  console.error(["without a mutant, these tests fail:", ...failed, problem ?? ""].join("\n"));
  process.exit(1);
}

const queue = mutants.values();
let faults = 0;
let reported = 0;
function report(line: string): void {
  reported += 1;
  console.log(`${reported}/${mutants.length} ${line}`);
}

const work = async (copy: CopiedRepository) => {
  for (const mutant of queue) {
    const fault = await faultOf(mutant, copy);
    if (fault === undefined) continue;
    faults += 1;
    report(`FAILED ${mutant.rule} (${mutant.file}): ${fault}`);
  }
};
await Promise.all(copies.map(work));
console.log(`${mutants.length} mutants, ${faults} failed`);
process.exitCode = faults === 0 ? 0 : 1;

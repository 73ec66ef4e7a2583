import type { Problem } from "../../src/workspace/problem.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";

/** Problems without their words, each as `<level> <code> <kind> <id>#<path>`. */
export function told(problems: readonly Problem[]): string[] {
  return problems.map(({ level, code, at }) => `${level} ${code} ${at.kind} ${at.id}#${at.path}`);
}

/** The problems of the workspace `w` among these of one store. */
export function problemsOf(...workspaces: readonly Parts[]): string[] {
  return told(new TestBed(...workspaces).check("w"));
}

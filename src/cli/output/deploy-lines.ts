import { grouped } from "./counted.ts";
import { printable } from "./printable.ts";
import { styled } from "./styled.ts";

/** One action of a plan, and why. */
export interface PlanLine {
  readonly action: "upload" | "delete" | "point" | "invalidate";
  /** An object's key, a project's id, or a path. */
  readonly what: string;
  readonly reason: string;
}

const COLOURS = { upload: "green", delete: "red", point: "cyan", invalidate: "yellow" } as const;

/** A plan as text: a line for each action. */
export function planText(plan: readonly PlanLine[], unchanged: number): string {
  const lines = plan.map(({ action, what, reason }) => {
    const verb = styled(COLOURS[action], action.padEnd(10), process.stdout);
    return `${verb} ${printable(`${what} (${reason})`)}`;
  });
  const same = `${grouped(unchanged)} unchanged`;
  return [...lines, plan.length === 0 ? `nothing to do: ${same}` : same].join("\n");
}

/** "2.5 MB" */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const [size, unit] = bytes < 1e6 ? [bytes / 1e3, "kB"] : [bytes / 1e6, "MB"];
  return `${size.toFixed(1)} ${unit}`;
}

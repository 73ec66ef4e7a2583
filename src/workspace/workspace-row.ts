/** A workspace of a store, and the state of its draft. */
export interface WorkspaceRow {
  readonly number: number;
  readonly id: string;
  /** Grows with every change of the draft. */
  readonly revision: number;
}

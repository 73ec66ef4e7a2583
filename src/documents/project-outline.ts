import type { HeldFile } from "../workspace/asset.ts";
import type { Problem } from "../workspace/problem.ts";
import type { EntryNumber } from "./entry-lookup.ts";

/** A project as rendered, without the entries that it shows; stored until it is out of date. */
export interface ProjectOutline {
  readonly id: string;
  /** B1: the key of its language. */
  readonly language: string;
  /** In authored order. */
  readonly experiences: readonly {
    readonly id: string;
    /** E1: the entries of its steps, in step order. */
    readonly content: readonly EntryNumber[];
  }[];
  /** The recipes of its config and its schema, JSON; undefined: texts are not stored. */
  readonly config: string | undefined;
  readonly schema: string | undefined;
  /** Of its config and its schema as published, in bytes. */
  readonly sizes: { readonly config: number; readonly schema: number };
  readonly problems: readonly Problem[];
  /** The held files that its config shows. */
  readonly files: readonly HeldFile[];
  /** S4: why its field values violate the schema although our checks found no error. */
  readonly schemaFault: string | undefined;
  /** Its dependencies: entries, dangling entry ids, assets. */
  readonly entries: readonly EntryNumber[];
  readonly missing: readonly string[];
  readonly assets: readonly string[];
}

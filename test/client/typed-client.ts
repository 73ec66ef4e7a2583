import { generateTypes } from "../../src/codegen/generate-types.ts";
import { readFolder } from "../../src/folder/read-folder.ts";
import { STOREFRONT } from "../support/cli-bed.ts";
import { compile } from "../support/compiler.ts";
import { documentOn, TestBed } from "../support/test-bed.ts";

/** The types of the web project of the storefront, as `svc types` writes them. */
function webTypes(): string {
  known ??= typesOfWeb();
  return known;
}

let known: string | undefined;

function typesOfWeb(): string {
  const bed = new TestBed();
  bed.store.import(readFolder(STOREFRONT), new Date());
  const schema = documentOn(bed, "published", { kind: "schema", projectId: "prj_web" });
  return generateTypes(schema, { constants: false });
}

const PRELUDE = `
import { type AnySchema, ApiError, type Client, type Content, createClient, type Pointer as AnyPointer } from "@svc-publish/client";
import type { Author, Block, Collection, Entry, Page, Pointer, Product, Schema, UnknownEntry } from "./types.ts";

/** Whether two types are identical. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_same: Same<A, B>): void {}

declare const content: Content<Schema>;
declare const page: Page;
declare const product: Product;
`;

/** The errors of the compiler for lines after the prelude. */
export function compilerErrors(code: string, types = webTypes()): string[] {
  return compile({ "code.ts": PRELUDE + code, "types.ts": types });
}

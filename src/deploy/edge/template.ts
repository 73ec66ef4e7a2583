import { load } from "js-yaml";
import { projectFolder } from "../../documents/address.ts";
import type { JsonObject } from "../../workspace/json.ts";
import { RELEASES } from "../releases/keys.ts";
import { printRequestFunction, printResponseFunction } from "./functions.ts";
import { printed } from "./printed.ts";

export interface TemplateOptions {
  /** Whether deploys make releases, with pointers in a KeyValueStore, or write in place. */
  readonly kvs: boolean;
  /** Adds an origin for previews; only with `kvs`, which holds the tokens. */
  readonly preview: boolean;
}

/** A CloudFormation template, as YAML, of everything that a deploy to S3 and CloudFront needs. */
export function templateYaml({ kvs, preview }: TemplateOptions): string {
  return printed(
    "template.yaml",
    { kvs, preview },
    {
      mode: kvs ? "in releases" : "written in place",
      option: kvs ? "--kvs <Kvs>" : "--distribution <Distribution>",
      argument: kvs ? "--kvs $" + "{Pointers.Arn}" : "--distribution $" + "{Distribution}",
      // L11: what the edge function leads to.
      documents: kvs ? RELEASES : projectFolder(""),
      requestFunction: printRequestFunction({ kvs }).trimEnd(),
      responseFunction: printResponseFunction().trimEnd(),
    },
  );
}

/** The same as data. */
export function templateDocument(options: TemplateOptions): JsonObject {
  return load(templateYaml(options)) as JsonObject;
}

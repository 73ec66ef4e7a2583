import { indentedCanonicalJson } from "../documents/canonical-json.ts";
import { problemDocument, type RequestProblem } from "../http/problem-document.ts";
import type { JsonObject } from "../workspace/json.ts";
import { FlatDefinitions, TEXT } from "./flat-definitions.ts";
import { inert } from "./print-type.ts";
import type { SchemaModel } from "./schema-model.ts";

/** T6: one JSON Schema with a definition for each shape, whose root is any document of the project. */
export function flatSchema(model: SchemaModel): string {
  const definitions = new FlatDefinitions(model, "#/$defs");
  const anyOf = [definitions.projectConfig(), definitions.experienceContent()];
  definitions.defineBlocksAndPointers();
  return text({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    description: `A document of the project ${model.projectIds.join(" or ")}: its config, or the content of an experience`,
    anyOf,
    $defs: definitions.schemas,
  });
}

/** T9: OpenAPI 3.1 of the project's three endpoints. */
export function openApi(model: SchemaModel, url = "/api/v1"): string {
  const definitions = new FlatDefinitions(model, "#/components/schemas");
  const problem = { schema: definitions.define("Problem", PROBLEM) };
  const failure = (description: string) => ({
    description,
    content: { "application/problem+json": problem },
  });
  const failures = (...codes: RequestProblem[]) => failure(codes.map(described).join(" "));
  const previewToken = { $ref: "#/components/parameters/previewToken" };
  const get = (summary: string, schema: JsonObject, missing: RequestProblem[]) => ({
    summary,
    parameters: [previewToken],
    responses: {
      200: { description: summary, content: { "application/json": { schema } } },
      400: failures("bad-request"),
      401: failures("preview-token-invalid"),
      404: failures(...missing, "not-found"),
      default: failure("Any other failure, by its `status` and `code`"),
    },
  });
  const experience = { name: "id", in: "path", required: true, schema: definitions.experienceId() };
  const config = get("The project config", definitions.projectConfig(), ["project-not-found"]);
  const content = get("The content of an experience", definitions.experienceContent(), [
    "experience-not-found",
    "experience-content-not-published",
  ]);
  const any = { type: "object", additionalProperties: true };
  const schema = get("The JSON Schema of the workspace", any, ["schema-not-published"]);
  const pathsOf = (projectId: string, at: number): JsonObject => {
    const path = `/projects/${projectId}`;
    // Ids of operations are unique.
    const named = (name: string) => ({ operationId: at === 0 ? name : `${name}${at + 1}` });
    return {
      [path]: { get: { ...named("getProjectConfig"), ...config } },
      [`${path}/experiences/{id}/content`]: {
        parameters: [experience],
        get: { ...named("getExperienceContent"), ...content },
      },
      [`${path}/schema`]: { get: { ...named("getSchema"), ...schema } },
    };
  };
  return text({
    openapi: "3.1.0",
    info: { title: `Content of ${model.projectIds.join(", ")}`, version: "1", license: LICENSE },
    servers: [{ url }],
    // Nothing needs a credential.
    security: [],
    paths: Object.assign({}, ...model.projectIds.map(pathsOf)),
    components: { parameters: { previewToken: PREVIEW_TOKEN }, schemas: definitions.schemas },
  });
}

/** Linters ask for one; a workspace states none. */
const LICENSE = { name: "None stated", identifier: "NOASSERTION" };

const PREVIEW_TOKEN = {
  ...{ name: "preview_token", in: "query", schema: TEXT },
  description: "Selects the preview surface: drafts instead of what is published",
};

/** H4. */
const PROBLEM = {
  type: "object",
  properties: { type: TEXT, title: TEXT, status: { type: "integer" }, detail: TEXT, code: TEXT },
  required: ["type", "title", "status", "detail", "code"],
};

function described(code: RequestProblem): string {
  const { detail } = JSON.parse(problemDocument(code).text);
  return `\`${code}\`: ${detail}`;
}

/** P13b: the document may be printed to a log. */
function text(document: JsonObject): string {
  return indentedCanonicalJson(document).toString().split("\n").map(inert).join("\n");
}

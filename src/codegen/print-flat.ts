import { indentedCanonicalJson } from "../documents/canonical-json.ts";
import { NOT_PUBLISHED, problemDocument, type RequestProblem } from "../http/problem-document.ts";
import type { JsonObject } from "../workspace/json.ts";
import { FlatDefinitions } from "./flat-definitions.ts";
import { inert } from "./print-type.ts";
import type { SchemaModel } from "./schema-model.ts";

/** T6: one JSON Schema with a definition for each shape, whose root is any document of the project. */
export function flatSchema(model: SchemaModel): string {
  const definitions = new FlatDefinitions(model, "#/$defs");
  const anyOf = [definitions.projectConfig(), definitions.experienceContent()];
  definitions.defineRest();
  return text({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    description: `The documents of the project ${model.projectId}: its config, and the content of an experience`,
    anyOf,
    $defs: definitions.schemas,
  });
}

/** T9: OpenAPI 3.1 of the project's three endpoints. */
export function openApi(model: SchemaModel, url = "/api/v1"): string {
  const { projectId } = model;
  const definitions = new FlatDefinitions(model, "#/components/schemas");
  const problem = definitions.define("Problem", PROBLEM);
  const failed = (...codes: RequestProblem[]) => ({
    description: codes.map((code) => `\`${code}\`: ${problemOf(code).detail}`).join(" "),
    content: { "application/problem+json": { schema: problem } },
  });
  const get = (
    operationId: string,
    summary: string,
    schema: JsonObject,
    missing: RequestProblem[],
    parameters: JsonObject[] = [],
  ) => ({
    get: {
      operationId,
      summary,
      parameters: [...parameters, { $ref: "#/components/parameters/previewToken" }],
      responses: {
        200: { description: summary, content: { "application/json": { schema } } },
        400: failed("bad-request"),
        401: failed("preview-token-invalid"),
        404: failed(...missing),
        default: {
          description: "Any other failure, with its own `status` and `code`",
          content: failed().content,
        },
      },
    },
  });
  const path = `/projects/${projectId}`;
  const experience = {
    name: "id",
    in: "path",
    required: true,
    description: "The experience",
    schema: definitions.experienceId(),
  };
  const { project, content, schema } = NOT_PUBLISHED;
  const config = definitions.projectConfig();
  const paths = {
    [path]: get("getProjectConfig", "The project config", config, [project]),
    [`${path}/experiences/{id}/content`]: get(
      "getExperienceContent",
      "The content of an experience",
      definitions.experienceContent(),
      [content],
      [experience],
    ),
    [`${path}/schema`]: get(
      "getSchema",
      "The JSON Schema of the workspace",
      { type: "object", additionalProperties: true },
      [schema],
    ),
  };
  return text({
    openapi: "3.1.0",
    info: { title: `Content of ${projectId}`, version: "1", license: LICENSE },
    servers: [{ url }],
    // Nothing needs a credential.
    security: [],
    paths,
    components: {
      parameters: { previewToken: PREVIEW_TOKEN },
      schemas: definitions.schemas,
    },
  });
}

/** Linters ask for one; a workspace states none. */
const LICENSE = { name: "None stated", identifier: "NOASSERTION" };

const PREVIEW_TOKEN = {
  name: "preview_token",
  in: "query",
  required: false,
  description: "Selects the preview surface: drafts instead of what is published",
  schema: { type: "string" },
};

/** H4. */
const PROBLEM = {
  type: "object",
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    code: { description: "Stable, for programs", type: "string" },
  },
  required: ["type", "title", "status", "detail", "code"],
};

function problemOf(code: RequestProblem): { detail: string } {
  return JSON.parse(problemDocument(code).text);
}

/** P13b: the document may be printed to a log. */
function text(document: JsonObject): string {
  return indentedCanonicalJson(document).toString().split("\n").map(inert).join("\n");
}

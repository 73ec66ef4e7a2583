import type { ReferenceField } from "../../fields/reference.ts";
import type { FieldDefinition } from "../../workspace/field.ts";
import type { DefinitionsView } from "../definitions-view.ts";
import { queryInWords } from "../query-words.ts";
import { NewEntry } from "./edit-new.tsx";
import { EntryTable } from "./entry-table.tsx";
import { type Children, EmptyState, Fold, Group, RowLink, ViewHead } from "./parts.tsx";
import { viewHref } from "./router.ts";
import { WindowedList } from "./windowed-list.tsx";
import { counted } from "./words.ts";

/** The models and blocks of a workspace. */
export function ModelsView({ definitions: { models, blocks } }: { definitions: DefinitionsView }) {
  return (
    <article>
      <ViewHead
        title="Models"
        below="What kinds of entries there are, and the fields that they have."
      />
      {models.length === 0 && <EmptyState title="There are no models yet" />}
      <WindowedList
        label="Models"
        items={models}
        row={({ id, name, entries, fields }) => (
          <RowLink
            href={viewHref(["models", id])}
            title={name}
            below={fieldNames(fields)}
            beside={counted(entries, "entry", "entries")}
          />
        )}
      />
      {blocks.length > 0 && (
        <Group name="blocks" title="Blocks" beside="Parts of entries, which authors arrange">
          <WindowedList
            label="Blocks"
            items={blocks}
            row={({ id, name, fields }) => (
              <RowLink href={viewHref(["blocks", id])} title={name} below={fieldNames(fields)} />
            )}
          />
        </Group>
      )}
    </article>
  );
}

function fieldNames(fields: readonly FieldDefinition[]) {
  return fields.map(({ key, name = key }) => name).join(", ") || "no fields";
}

type Definition = DefinitionsView["models"][number] | DefinitionsView["blocks"][number];

/** A model or block: its fields, and its entries as a table. */
export function DefinitionView({
  kind,
  definition: { id, key, name, fields },
  models,
}: {
  kind: "model" | "block";
  definition: Definition;
  models: DefinitionsView["models"];
}) {
  return (
    <article>
      <ViewHead
        title={name}
        above={
          <>
            <a href={viewHref(["models"])}>Models</a>
            {kind === "block" && " / Block"}
          </>
        }
        beside={
          <>
            <code>{key}</code>
            {kind === "model" && <NewEntry label={`New ${name}`} model={id} accepts={[id]} />}
          </>
        }
      />
      <Fold summary={counted(fields.length, "field")}>
        {() => (
          <dl class="definition">
            {fields.map((field) =>
              definitionRow(
                field,
                <>
                  {rules(field, models, fields).join(", ")}
                  {field.description && <p dir="auto">{field.description}</p>}
                </>,
              ),
            )}
          </dl>
        )}
      </Fold>
      <Group name="entries" title={kind === "model" ? "Entries" : "Entries with this block"}>
        <EntryTable key={id} fixed={kind === "model" ? { models: id } : { block: id }} />
      </Group>
    </article>
  );
}

function definitionRow({ key, name = key }: { key: string; name?: string }, what: Children) {
  return (
    <div key={key}>
      <dt dir="auto">{name}</dt>
      <dd>{what}</dd>
      <dd>
        <code>{key}</code>
      </dd>
    </div>
  );
}

const TYPES: Readonly<Record<string, string>> = {
  text: "text",
  "rich-text": "formatted text",
  select: "choice",
  boolean: "yes or no",
  integer: "whole number",
  "date-time": "date and time",
  "iso-date": "date, or date and time",
  url: "web address",
  asset: "file or picture",
  "html-asset": "HTML page",
  "content-block": "blocks",
  json: "data",
};

/** What a field holds, in words: "reference, to Product or Page, required". */
function rules(
  field: FieldDefinition,
  models: DefinitionsView["models"],
  beside: readonly FieldDefinition[],
): string[] {
  const { type, repeatable, required, unique, localized, title } = field;
  const {
    options,
    models: accepted,
    query,
  } = field as Partial<ReferenceField> & { options?: string[] };
  if (query) {
    const searched = models.filter(({ key }) => accepted?.includes(key) ?? true);
    return [`found by a query: ${queryInWords(query, searched, beside)}`];
  }
  const named = accepted?.map((key) => models.find((one) => one.key === key)?.name ?? key);
  return [
    TYPES[type] ?? type,
    repeatable ? "several" : "",
    named ? `to ${named.join(" or ")}` : "",
    options ? `one of ${options.join(", ")}` : "",
    required ? "required" : "",
    unique ? "no two the same" : "",
    localized ? "in each language" : "",
    title ? "the title" : "",
  ].filter((rule) => rule !== "");
}

/** The features of a workspace: which values the site may choose among. */
export function FeaturesView({ features }: { features: DefinitionsView["features"] }) {
  return (
    <article>
      <ViewHead
        title="Features"
        below="Switches of the site. It decides itself which value applies."
      />
      {features.length === 0 && <EmptyState title="There are no features yet" />}
      <dl class="definition">
        {features.map((feature) => {
          const names = feature.variants?.map((one) =>
            one.value === false ? `${one.name} (off)` : one.name,
          );
          return definitionRow(
            feature,
            feature.type === "boolean" ? "on or off" : names?.join(", "),
          );
        })}
      </dl>
    </article>
  );
}

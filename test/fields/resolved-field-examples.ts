import type { JsonValue } from "../../src/workspace/json.ts";
import type { Parts } from "../support/test-bed.ts";
import { heldAsset } from "../support/workspaces/small-workspace.ts";

/** One definition of a field type, and values for it. */
export interface FieldExamples {
  /** The options of the definition. */
  readonly options?: { readonly [option: string]: JsonValue };
  readonly served: readonly Example[];
  /** Values of a wrong shape: never served. Null is no value, except as an element. */
  readonly wrong: readonly JsonValue[];
  /** Values of the right shape that break a constraint. */
  readonly breaking?: readonly Example[];
  /** How broken constraints are reported, unless as `value-constraint`. */
  readonly code?: string;
}

export interface Example {
  readonly stored: JsonValue;
  readonly served: JsonValue;
}

const PHOTO = heldAsset("photo", "a b.png", "pixels");
const PAGE = heldAsset("page", "page.html", "<p>Hi</p>", "text/html");
const PHOTO_SERVED = {
  id: "photo",
  url: `/${PHOTO.path.replace(" ", "%20")}`,
  fileName: "a b.png",
  mimeType: "image/png",
  sizeBytes: 6,
  width: 1,
  height: 1,
};

/** What the examples name. */
export const EXAMPLE_SURROUNDINGS = {
  models: [
    { id: "m-shop", key: "shop", name: "Shop", fields: [] },
    { id: "m-tour", key: "tour", name: "Tour", fields: [] },
  ],
  entries: [
    { id: "shop-1", modelId: "m-shop", data: {} },
    { id: "tour-1", modelId: "m-tour", data: {} },
  ],
  blocks: [
    { id: "b-hero", key: "hero", name: "Hero", category: "top", fields: [] },
    { id: "b-quote", key: "quote", name: "Quote", fields: [{ key: "text", type: "text" }] },
  ],
  assets: [PHOTO.asset, { ...PAGE.asset, versions: [{ ...PAGE.asset, id: "v1" }] }],
  files: new Map([PHOTO.file, PAGE.file]),
} satisfies Parts;

const NO_OBJECTS: readonly JsonValue[] = ["photo", 1, true, [], [{}], {}];
const TO_SHOP = { contentEntryId: "shop-1", contentModelKey: "shop" };
const TO_TOUR = { contentEntryId: "tour-1", contentModelKey: "tour" };
const TO_A_SHOP = { contentEntryId: "shop-1" };
const QUOTELESS = { contentBlockId: "b-quote" };
const HERO = { contentBlockId: "b-hero", data: {} };
const QUOTE = { contentBlockId: "b-quote", data: { text: "Oh" } };
const HERO_SERVED = { ...HERO, contentBlockKey: "hero" };
const QUOTE_SERVED = { ...QUOTE, contentBlockKey: "quote" };

/** Examples of the types whose values name something of the workspace. */
export const RESOLVED_FIELD_EXAMPLES = {
  asset: [
    {
      served: [
        { stored: { assetId: "photo" }, served: PHOTO_SERVED },
        { stored: { assetId: "photo", more: 1 }, served: PHOTO_SERVED },
        { stored: { assetId: "gone" }, served: { id: "gone" } },
        { stored: { assetId: "page", versionId: "v2" }, served: { id: "page", versionId: "v2" } },
      ],
      wrong: [...NO_OBJECTS, { assetId: 1 }, { id: "photo" }, { assetId: "photo", versionId: 1 }],
    },
  ],
  "html-asset": [
    {
      served: [
        { stored: { assetId: "page" }, served: { id: "page", content: "<p>Hi</p>" } },
        {
          stored: { assetId: "page", versionId: "v1", more: 1 },
          served: { id: "page", content: "<p>Hi</p>" },
        },
        { stored: { assetId: "page", versionId: "v2" }, served: { id: "page", content: null } },
        { stored: { assetId: "gone" }, served: { id: "gone", content: null } },
      ],
      wrong: [...NO_OBJECTS, { assetId: null }, { assetId: "page", versionId: {} }],
    },
  ],
  "content-block": [
    {
      served: [
        { stored: HERO, served: HERO_SERVED },
        { stored: { ...QUOTE, more: 1 }, served: QUOTE_SERVED },
      ],
      wrong: [...NO_OBJECTS, { contentBlockId: "b-hero" }, { contentBlockId: 1, data: {} }],
    },
    {
      options: { category: "top" },
      served: [{ stored: HERO, served: HERO_SERVED }],
      wrong: [
        { contentBlockId: "b-hero", data: [] },
        { contentBlockId: "b-hero", data: null },
      ],
      breaking: [{ stored: QUOTE, served: QUOTE_SERVED }],
      code: "block-not-accepted",
    },
  ],
  reference: [
    {
      served: [
        { stored: { contentEntryId: "shop-1" }, served: TO_SHOP },
        { stored: { contentEntryId: "tour-1", data: {} }, served: TO_TOUR },
        { stored: { ...TO_TOUR, contentEntryId: "gone" }, served: { contentEntryId: "gone" } },
      ],
      wrong: [...NO_OBJECTS, { contentEntryId: 1 }, { contentEntryId: null }, { id: "shop-1" }],
    },
    {
      options: { models: ["shop", "museum"] },
      served: [
        { stored: { contentEntryId: "shop-1" }, served: TO_SHOP },
        { stored: { contentEntryId: "gone" }, served: { contentEntryId: "gone" } },
      ],
      wrong: ["shop-1"],
      breaking: [{ stored: { contentEntryId: "tour-1" }, served: TO_TOUR }],
      code: "reference-model-not-accepted",
    },
  ],
  "rich-text": [
    {
      served: [
        { stored: [], served: [] },
        {
          stored: { type: "doc", n: [null, 1, [true]] },
          served: { type: "doc", n: [null, 1, [true]] },
        },
        {
          stored: { nodeType: "document", content: [{ data: { target: TO_A_SHOP } }] },
          served: { nodeType: "document", content: [{ data: { target: TO_SHOP } }] },
        },
        {
          stored: [{ contentEntryId: "gone" }, { assetId: "photo" }, [HERO, QUOTE]],
          served: [{ contentEntryId: "gone" }, PHOTO_SERVED, [HERO_SERVED, QUOTE_SERVED]],
        },
      ],
      wrong: ["text", 1, true, TO_A_SHOP, { assetId: "photo" }, HERO],
    },
    {
      options: {
        models: ["shop"],
        blocks: ["hero"],
        nodeTypes: ["doc", "text"],
        marks: ["bold"],
      },
      served: [
        {
          stored: { type: "doc", content: [TO_A_SHOP, HERO, { type: "text", marks: ["bold"] }] },
          served: {
            type: "doc",
            content: [TO_SHOP, HERO_SERVED, { type: "text", marks: ["bold"] }],
          },
        },
        {
          stored: [{ _type: "doc" }, { nodeType: "text", x: QUOTELESS }],
          served: [{ _type: "doc" }, { nodeType: "text", x: QUOTELESS }],
        },
      ],
      wrong: ["text"],
    },
  ],
} satisfies Record<string, readonly FieldExamples[]>;

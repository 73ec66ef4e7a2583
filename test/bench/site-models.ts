// The models and blocks of the workspace that make-site.ts writes.

export interface SiteField {
  readonly key: string;
  readonly type: string;
  readonly repeatable?: boolean;
  readonly category?: string;
  readonly models?: readonly string[];
  /** The length of its texts in characters; absent for titles. Not part of the definition. */
  readonly length?: readonly [shortest: number, longest: number];
}

interface Block {
  readonly category: string;
  readonly fields: readonly SiteField[];
}

const text = (key: string, shortest?: number, longest?: number): SiteField =>
  shortest === undefined || longest === undefined
    ? { key, type: "text" }
    : { key, type: "text", length: [shortest, longest] };
const number = (key: string): SiteField => ({ key, type: "number" });
const boolean = (key: string): SiteField => ({ key, type: "boolean" });
const time = (key: string): SiteField => ({ key, type: "date-time" });
const asset = (key: string): SiteField => ({ key, type: "asset" });
const link = (key: string): SiteField => ({ key, type: "reference" });
const links = (key: string): SiteField => ({ ...link(key), repeatable: true });
const block = (key: string, category: string): SiteField => ({
  key,
  type: "content-block",
  category,
});
const person = (key: string): SiteField => ({ ...link(key), models: ["person"] });

export const MODELS = {
  page: [
    text("title"),
    text("slug"),
    text("intro", 200, 900),
    time("changedAt"),
    boolean("listed"),
    asset("picture"),
    { ...block("sections", "section"), repeatable: true },
    links("related"),
    person("owner"),
  ],
  lesson: [
    text("title"),
    text("lead", 300, 1000),
    boolean("optional"),
    number("order"),
    asset("picture"),
    links("next"),
    person("owner"),
  ],
  product: [
    text("name"),
    text("description", 200, 900),
    number("price"),
    number("stock"),
    boolean("sold"),
    time("since"),
    asset("picture"),
    block("badge", "badge"),
    links("related"),
    person("maker"),
  ],
  person: [
    text("name"),
    text("bio", 300, 900),
    asset("portrait"),
    time("joinedAt"),
    number("rank"),
    links("knows"),
  ],
  answer: [
    text("question"),
    text("answer", 400, 1300),
    text("topic"),
    number("votes"),
    boolean("pinned"),
    links("related"),
  ],
  offer: [
    text("headline"),
    text("conditions", 400, 1100),
    number("discount"),
    time("until"),
    block("badge", "badge"),
    links("products"),
  ],
  terms: [
    text("title"),
    text("summary", 200, 500),
    { key: "body", type: "html-asset" },
    number("edition"),
    time("since"),
    link("replaces"),
  ],
  teaser: [
    text("headline"),
    text("words", 60, 400),
    boolean("closable"),
    asset("picture"),
    { key: "blocks", type: "content-block", repeatable: true },
    links("targets"),
  ],
} satisfies Record<string, readonly SiteField[]>;

export type ModelKey = keyof typeof MODELS;

/** The models of entries per experience, and of entries shared by many. */
export const OWN_MODELS: readonly ModelKey[] = [
  "page",
  "lesson",
  "product",
  "answer",
  "offer",
  "teaser",
];
export const HUB_MODELS: readonly ModelKey[] = ["person", "person", "terms", "product"];

/** The block that was deleted, although entries still use it. */
export const DELETED_BLOCK = "classic";

export const BLOCKS: Readonly<Record<string, Block>> = {
  media: {
    category: "section",
    fields: [text("heading"), text("words", 60, 260), asset("picture")],
  },
  quote: { category: "section", fields: [text("words", 60, 200), text("by"), link("source")] },
  button: { category: "section", fields: [text("label"), text("url"), boolean("newTab")] },
  badge: { category: "badge", fields: [text("label"), text("colour")] },
  figure: { category: "section", fields: [number("value"), text("unit")] },
  [DELETED_BLOCK]: { category: "section", fields: [text("words", 60, 200)] },
};

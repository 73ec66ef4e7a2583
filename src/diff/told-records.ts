import { listed } from "../workspace/listed.ts";

/** A record that came, changed or went. */
export interface ToldRecord {
  readonly title: string;
  readonly change: "added" | "changed" | "removed";
  /** The names of those that changed. */
  readonly fields: readonly string[];
}

/** How many titles and names of fields are told. */
const [TITLES, FIELDS] = [3, 3];

/** D7b: "New: Ten days on the coast; changed: Home (Headline, Picture), About; removed: Old and 2 more; models". @param others what else changed */
export function toldRecords(records: readonly ToldRecord[], others: readonly string[]): string {
  const parts = (["added", "changed", "removed"] as const).map((change) => {
    const those = records.filter((one) => one.change === change);
    const titles = those.map(({ title, fields }) =>
      change === "changed" && fields.length > 0 ? `${title} (${listed(fields, FIELDS)})` : title,
    );
    return titles.length === 0 ? "" : `${WORDS[change]}: ${listed(titles, TITLES)}`;
  });
  const sentence = [...parts, others.join(", ")].filter((part) => part !== "").join("; ");
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

const WORDS = { added: "new", changed: "changed", removed: "removed" };

import type { Rendering } from "../documents/rendering.ts";
import type { Asset } from "../workspace/asset.ts";
import { byCodeUnit, type JsonValue } from "../workspace/json.ts";
import type { DraftState } from "./draft-state.ts";
import { type Excerpt, eachText, excerptOf, folded, type Marks, marksOf } from "./search-text.ts";
import { projectName } from "./spoken.ts";

/** What is found beside entries, in the order in which it is listed. */
const OTHER_KINDS = ["experience", "project", "asset", "model", "block", "feature"] as const;

export interface RecordHit {
  readonly id: string;
  /** Of an experience. */
  readonly project?: { readonly id: string; readonly name: string };
  readonly title: string;
  readonly titleMarks: Marks;
  /** Absent when the title has every word. */
  readonly found?: Excerpt;
}

export interface RecordHits {
  readonly kind: (typeof OTHER_KINDS)[number];
  readonly total: number;
  readonly hits: readonly RecordHit[];
}

interface Searched {
  readonly kind: RecordHits["kind"];
  readonly id: string;
  readonly project?: RecordHit["project"];
  readonly title: string;
  /** Key, id, description, file name. */
  readonly texts: readonly string[];
  /** Title and texts, folded, one a line. */
  readonly folded: string;
}

/** H38: the records beside entries that have every word, those with the words in their title first. */
export function otherHits(
  { rendering }: DraftState,
  words: readonly string[],
  most: number,
): RecordHits[] {
  const found = searchedOf(rendering).filter((one) =>
    words.every((word) => one.folded.includes(word)),
  );
  return OTHER_KINDS.flatMap((kind) => {
    const some = found.filter((one) => one.kind === kind);
    if (some.length === 0) return [];
    const isTitled = ({ title }: Searched) => words.every((word) => folded(title).includes(word));
    const [titled, others] = [some.filter(isTitled), some.filter((one) => !isTitled(one))];
    const hits = [...titled, ...others].slice(0, most);
    return [{ kind, total: some.length, hits: hits.map((one) => hitOf(one, words)) }];
  });
}

function hitOf({ id, project, title, texts }: Searched, words: readonly string[]): RecordHit {
  const name = folded(title);
  const missing = words.filter((word) => !name.includes(word));
  const text = texts.find((one) => missing.some((word) => folded(one).includes(word)));
  return {
    ...{ id, title, titleMarks: marksOf(title, words) },
    ...(project && { project }),
    ...(text !== undefined && { found: excerptOf(text, missing) }),
  };
}

const known = new WeakMap<Rendering, readonly Searched[]>();

function searchedOf(rendering: Rendering): readonly Searched[] {
  let all = known.get(rendering);
  if (all === undefined) {
    all = [...searchedRecords(rendering)];
    known.set(rendering, all);
  }
  return all;
}

function* searchedRecords({ projects, draft }: Rendering): Generator<Searched> {
  const { assets, ...lists } = draft;
  for (const project of projects) {
    const { id, experiences, fields = {} } = project;
    const name = projectName(project, draft.workspace);
    yield searched("project", id, name, fields);
    for (const one of experiences) {
      const of = { project: { id, name } };
      yield { ...searched("experience", one.id, one.name, one.key), ...of };
    }
  }
  for (const { id, title, description, fileName } of inOrder(assets.values())) {
    const [first] = textsOf(title ?? "");
    const rest = { title: title ?? "", description: description ?? "", fileName };
    yield searched("asset", id, first || fileName, rest);
  }
  for (const kind of ["model", "block", "feature"] as const) {
    for (const { id, key, name } of lists[`${kind}s`]) yield searched(kind, id, name, key);
  }
}

function inOrder(assets: Iterable<Asset>): Asset[] {
  return [...assets].sort((a, b) => byCodeUnit(a.fileName, b.fileName) || byCodeUnit(a.id, b.id));
}

function textsOf(value: JsonValue): string[] {
  const texts: string[] = [];
  eachText(value, (text) => texts.push(text));
  return texts;
}

function searched(kind: Searched["kind"], id: string, title: string, rest: JsonValue): Searched {
  const texts = [...textsOf(rest), id];
  return { kind, id, title, texts, folded: folded([title, ...texts].join("\n")) };
}

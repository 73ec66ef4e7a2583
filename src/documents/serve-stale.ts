import type { EntryNumber } from "./entry-lookup.ts";
import { MAXIMUM_DEPTH } from "./references.ts";
import type { Rendering } from "./rendering.ts";
import type { Chunk, ServedChunk } from "./serve-chunk.ts";

/** How many entries are served together. */
const CHUNK = 256;

/** Another thread that serves chunks. Chunks that it does not return are served here. */
export interface HelpingThread {
  post(chunk: Chunk): void;
  /** A served chunk, in any order; waits for up to `waitFor` milliseconds if given. */
  take(waitFor?: number): ServedChunk | undefined;
  end(): void;
}

/** Starts another thread; undefined when `total` entries are too few for one. */
export type StartThread = (rendering: Rendering, total: number) => HelpingThread | undefined;

export interface ServeOptions {
  readonly onProgress?: ((done: number, total: number, what: string) => void) | undefined;
  readonly startThread?: StartThread | undefined;
}

/**
 * Serves every stale entry, in the order in which documents show them, so that the texts of one
 * document are stored near each other.
 *
 * @param roots the entries of the steps of all experiences, in order of the documents.
 */
export function serveStale(
  rendering: Rendering,
  roots: () => Iterable<EntryNumber>,
  { onProgress = () => {}, startThread }: ServeOptions,
): void {
  rendering.forgetLoose();
  const { table } = rendering;
  const total = table.staleCount;
  if (total === 0) return;
  const helper = new Helper(() => startThread?.(rendering, total));
  const isFresh = (entry: EntryNumber) => table.fresh[entry] === 1 || !table.exists(entry);
  const serve = (entries: readonly EntryNumber[]) => {
    const stale = entries.filter((entry) => !isFresh(entry));
    const chunks = chunksOf(rendering, stale);
    serveChunks(rendering, chunks, helper, () =>
      onProgress(total - table.staleCount, total, "entries served"),
    );
  };
  try {
    // Fewer fit into one pack in any order.
    if (total > CHUNK) {
      const met = new Uint8Array(table.size);
      let level = nextLevel(roots(), met);
      // Entries further away are in no document of these roots.
      for (let depth = 0; depth <= MAXIMUM_DEPTH && level.length > 0; depth += 1) {
        serve(level);
        level = nextLevel(targetsOf(rendering, level), met);
      }
    }
    serve(Array.from({ length: table.size }, (_, entry) => entry));
  } finally {
    helper.end();
    rendering.texts?.forgetIndex();
  }
}

/** Entries with this many references are in many documents. */
const OFTEN = 3;
/** Marks an entry of an earlier level. */
const EARLIER = 255;

/**
 * The entries that are not in an earlier level, in order. Those of many documents come first, so that
 * their texts are stored near each other and not among those of one document.
 */
function nextLevel(entries: Iterable<EntryNumber>, met: Uint8Array): EntryNumber[] {
  const found: EntryNumber[] = [];
  for (const entry of entries) {
    const times = met[entry] as number;
    if (times === 0) found.push(entry);
    if (times < OFTEN) met[entry] = times + 1;
  }
  const isOften = (entry: EntryNumber) => met[entry] === OFTEN;
  const level = [...found.filter(isOften), ...found.filter((entry) => !isOften(entry))];
  for (const entry of level) met[entry] = EARLIER;
  return level;
}

function* targetsOf({ table }: Rendering, entries: readonly EntryNumber[]) {
  const { pointers, forms } = table;
  for (const entry of entries) {
    const found = pointers.get(entry);
    const language = forms.languageOf(entry);
    for (let at = 0; at < found.length; at += 2) {
      const target = found[at] as number;
      if (target >= 0) yield forms.in(language, target);
    }
  }
}

function chunksOf({ table }: Rendering, entries: readonly EntryNumber[]): Chunk[] {
  const chunks: Chunk[] = [];
  for (let start = 0; start < entries.length; start += CHUNK) {
    const part = entries.slice(start, start + CHUNK);
    chunks.push({
      entries: Int32Array.from(part),
      rows: Float64Array.from(part, (entry) => table.rows[entry] as number),
      languages: Uint16Array.from(part, (entry) => table.forms.languageOf(entry)),
    });
  }
  return chunks;
}

/** How many chunks the other thread has queued, so that it never waits. */
const AHEAD = 3;

/** How long to wait for a chunk, in milliseconds, before the thread is ended. */
const TIMEOUT = 10_000;

/** Another thread, ended at its first error: its chunks are then served here. */
class Helper {
  #thread: HelpingThread | undefined;

  constructor(start: () => HelpingThread | undefined) {
    this.#try(() => {
      this.#thread = start();
    });
  }

  get isRunning(): boolean {
    return this.#thread !== undefined;
  }

  post(chunk: Chunk): void {
    this.#try((thread) => thread?.post(chunk));
  }

  /** A served chunk; undefined when there is none yet, or the thread was ended. */
  take(waitFor?: number): ServedChunk | undefined {
    const served = this.#try((thread) => thread?.take(waitFor));
    if (served === undefined && waitFor !== undefined) this.end();
    return served;
  }

  end(): void {
    const thread = this.#thread;
    this.#thread = undefined;
    this.#try(() => thread?.end());
  }

  #try<T>(work: (thread: HelpingThread | undefined) => T): T | undefined {
    try {
      return work(this.#thread);
    } catch {
      this.#thread = undefined;
      return undefined;
    }
  }
}

function serveChunks(
  rendering: Rendering,
  chunks: readonly Chunk[],
  helper: Helper,
  onTaken: () => void,
): void {
  const given = new Set<Chunk>();
  let next = 0;
  const take = (served: ServedChunk | undefined) => {
    if (served === undefined) return false;
    const [first] = served.entries;
    for (const chunk of given) if (chunk.entries[0] === first) given.delete(chunk);
    rendering.take(served);
    onTaken();
    return true;
  };
  while (next < chunks.length) {
    while (helper.isRunning && given.size < AHEAD && next < chunks.length) {
      const chunk = chunks[next++] as Chunk;
      given.add(chunk);
      helper.post(chunk);
    }
    const own = chunks[next++];
    if (own !== undefined) take(rendering.serveChunk(own));
    while (take(helper.take()));
  }
  while (given.size > 0 && take(helper.take(TIMEOUT)));
  for (const chunk of given) take(rendering.serveChunk(chunk));
}

/** How many pieces of work one thread takes at a time. */
const BLOCK = 16;

/** States of a block. */
const [OPEN, DONE, FAILED] = [0, 1, 2];

/** How long a thread waits for another that does not get on, in milliseconds. */
const PATIENCE = 5000;

/** Memory that the threads share: what is taken, what is done, and what came of it. */
export interface SharedMemory {
  readonly next: Int32Array<SharedArrayBuffer>;
  readonly states: Int32Array<SharedArrayBuffer>;
}

export function shareBlocks(count: number): SharedMemory {
  const blocks = Math.ceil(count / BLOCK);
  return {
    next: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    states: new Int32Array(new SharedArrayBuffer(blocks * Int32Array.BYTES_PER_ELEMENT)),
  };
}

/**
 * Does the pieces 0 to `count` that no other thread has taken. A failure ends it, and leaves the
 * block to whoever looks for what is not done.
 */
export function workOnBlocks(
  { next, states }: SharedMemory,
  count: number,
  work: (piece: number) => void,
): void {
  for (;;) {
    const block = Atomics.add(next, 0, 1);
    if (block >= states.length) return;
    let state = FAILED;
    try {
      for (const piece of piecesOf(block, count)) {
        // Another thread has lost patience, and does it.
        if (Atomics.load(states, block) !== OPEN) return;
        work(piece);
      }
      state = DONE;
    } finally {
      Atomics.store(states, block, state);
      Atomics.notify(states, block);
    }
  }
}

/** Waits for the other threads. Returns the pieces that none has done, some of which may be begun. */
export function piecesLeft({ states }: SharedMemory, count: number): number[] {
  const left: number[] = [];
  for (let block = 0; block < states.length; block += 1) {
    if (Atomics.load(states, block) === OPEN) Atomics.wait(states, block, OPEN, PATIENCE);
    Atomics.compareExchange(states, block, OPEN, FAILED);
    if (Atomics.load(states, block) !== DONE) left.push(...piecesOf(block, count));
  }
  return left;
}

function piecesOf(block: number, count: number): number[] {
  const start = block * BLOCK;
  return Array.from({ length: Math.min(BLOCK, count - start) }, (_, index) => start + index);
}

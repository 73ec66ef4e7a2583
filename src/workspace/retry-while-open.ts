/** What Windows answers while another process has the file open. */
const CODES = ["EBUSY", "EPERM", "EACCES"];

/** In milliseconds; each pause is twice as long as the one before, 630 ms together. */
const FIRST_PAUSE = 10;
const LAST_PAUSE = 320;

/** F8: replaces or removes a file, and repeats that while another process has the file open. */
export function retryWhileOpen<T>(work: () => T): T {
  for (let pause = FIRST_PAUSE; ; pause *= 2) {
    try {
      return work();
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (pause > LAST_PAUSE || !CODES.includes(code)) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
  }
}

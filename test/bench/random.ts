/**
 * Random numbers (sfc32) from a seed and a purpose. So every part of a workspace can be generated
 * independently and repeatedly.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number, purpose: string, index: number) {
    this.#a = seed | 0;
    this.#b = hash(purpose);
    this.#c = index | 0;
    for (let turn = 0; turn < 12; turn += 1) this.bits();
  }

  /** 32 random bits. */
  bits(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** In [0, 1). */
  share(): number {
    return this.bits() / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.share() < probability;
  }

  /** Both bounds are inclusive. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.share() * (high - low + 1));
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.share() * list.length)] as T;
  }

  hex(digits: number): string {
    let text = "";
    while (text.length < digits) text += this.bits().toString(16).padStart(8, "0");
    return text.slice(0, digits);
  }

  uuid(): string {
    const digits = this.hex(30);
    const variant = this.pick(["8", "9", "a", "b"]);
    const last = `${variant}${digits.slice(15, 18)}-${digits.slice(18)}`;
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(12, 15)}-${last}`;
  }
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value;
}

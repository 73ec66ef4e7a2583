/** Separates an id from the number of a language in the names of forms; no id has it (I1). */
const SEPARATOR = " ";

/** The name of the form of an entry in a language other than the first. */
export function formName(id: string, language: number): string {
  return `${id}${SEPARATOR}${language}`;
}

/** The id of the entry with this name. */
export function idOfName(name: string): string {
  const end = name.indexOf(SEPARATOR);
  return end < 0 ? name : name.slice(0, end);
}

/** Whether a text that is looked up is the name of a form, and so no id. */
export function isFormName(text: string): boolean {
  return text.includes(SEPARATOR);
}

/**
 * An entry that differs by language is served in each language: in the first under its own number,
 * in each further one under the number of a form. All other entries are served once.
 */
export class EntryForms {
  /** Of each number that is a form, its entry's number plus one; 0 or absent: it is no form. */
  #entries: Int32Array;
  /** Of each form, the number of its language. */
  #languages: Uint16Array;
  /** Of each language but the first, the form of each entry; 0 or absent: there is none. */
  readonly #forms: Int32Array[] = [];

  constructor(entries = new Int32Array(0), languages = new Uint16Array(0)) {
    this.#entries = entries;
    this.#languages = languages;
    for (let number = 0; number < entries.length; number += 1) {
      const entry = (entries[number] as number) - 1;
      if (entry >= 0) this.#put(entry, languages[number] as number, number);
    }
  }

  /** Whether there is none, as in a workspace with one language. */
  get isEmpty(): boolean {
    return this.#forms.length === 0;
  }

  isForm(number: number): boolean {
    return (this.#entries[number] ?? 0) !== 0;
  }

  /** The entry of which this is a form, or itself. */
  entryOf(number: number): number {
    return (this.#entries[number] || number + 1) - 1;
  }

  languageOf(number: number): number {
    return this.isForm(number) ? (this.#languages[number] as number) : 0;
  }

  /** What an entry is served as in a language. */
  in(language: number, entry: number): number {
    return this.#forms[language - 1]?.[entry] || entry;
  }

  /** The forms of an entry, without itself. */
  *of(entry: number): Generator<number> {
    for (const forms of this.#forms) if (forms[entry]) yield forms[entry];
  }

  add(entry: number, language: number, form: number): void {
    if (form >= this.#entries.length) {
      const room = Math.max(ROOM, 2 * form);
      this.#entries = longer(this.#entries, new Int32Array(room));
      this.#languages = longer(this.#languages, new Uint16Array(room));
    }
    this.#entries[form] = entry + 1;
    this.#languages[form] = language;
    this.#put(entry, language, form);
  }

  remove(form: number): void {
    const forms = this.#forms[this.languageOf(form) - 1];
    if (forms !== undefined) forms[this.entryOf(form)] = 0;
    this.#entries[form] = 0;
  }

  #put(entry: number, language: number, form: number): void {
    while (this.#forms.length < language) this.#forms.push(new Int32Array(0));
    const forms = this.#forms[language - 1] as Int32Array;
    if (entry < forms.length) forms[entry] = form;
    else {
      const room = longer(forms, new Int32Array(Math.max(ROOM, 2 * entry)));
      room[entry] = form;
      this.#forms[language - 1] = room;
    }
  }
}

const ROOM = 1024;

/** The column with more room. */
export function longer<C extends Float64Array | Int32Array | Uint16Array | Uint8Array>(
  column: C,
  room: C,
): C {
  room.set(column);
  return room;
}

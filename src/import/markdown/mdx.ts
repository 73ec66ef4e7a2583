import type { Notes } from "../formats/notes.ts";
import { paragraphs, STATEMENT, withoutSpans } from "./links.ts";

/** X23d: counts what is no text for readers, in the texts of a folder. */
export class MdxCount {
  readonly #texts: string[] = [];
  #statements = 0;
  #components = 0;

  add(path: string, body: string): void {
    const before = this.#statements;
    let components = 0;
    for (const { text } of paragraphs(body)) {
      const plain = withoutSpans(text);
      if (STATEMENT.test(plain)) this.#statements += plain.match(/^(?:im|ex)port\s/gm)?.length ?? 0;
      else components += plain.match(COMPONENT)?.length ?? 0;
    }
    const hasStatements = this.#statements > before;
    // Elsewhere a name between angles may be anything.
    if (!hasStatements && !(components > 0 && /\.(?:mdx|svx)$/i.test(path))) return;
    this.#components += components;
    this.#texts.push(path);
  }

  report(notes: Notes): void {
    const what = [
      ...counted(this.#statements, "import or export statement"),
      ...counted(this.#components, "component"),
    ].join(", ");
    for (const path of this.#texts) {
      notes.warnAt(path, ["text has", "texts have"], `MDX that is no text for readers (${what})`);
    }
  }
}

const COMPONENT = /(?<!\w)<[A-Z][A-Z0-9.]*[a-z][\w.]*(?=[\s/>])/g;

function counted(count: number, noun: string): string[] {
  return count === 0 ? [] : [`${count} ${noun}${count === 1 ? "" : "s"}`];
}

// As much XML as the responses of S3 and CloudFront have: elements without attributes that matter, no
// comments, no CDATA, and no element within another one of its name.

/** What is in each element of this name, in order. */
export function elementsOf(xml: string, name: string): string[] {
  const found: string[] = [];
  const start = new RegExp(`<${name}(?:\\s[^<>]*)?>`, "g");
  for (let match = start.exec(xml); match !== null; match = start.exec(xml)) {
    const end = xml.indexOf(`</${name}>`, start.lastIndex);
    if (end < 0) break;
    found.push(xml.slice(start.lastIndex, end));
    start.lastIndex = end;
  }
  return found;
}

/** The text of the first element of this name; empty where there is none. */
export function textOf(xml: string, name: string): string {
  return (elementsOf(xml, name)[0] ?? "").replaceAll(
    /&(?:#(\d+)|#x([0-9a-f]+)|(amp|lt|gt|quot|apos));/gi,
    (whole, decimal?: string, hex?: string, named?: string) => {
      if (named !== undefined) return NAMED[named.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** An element; its content is text, or elements. */
export function element(name: string, content: string | readonly string[]): string {
  const inner = typeof content === "string" ? escaped(content) : content.join("");
  return `<${name}>${inner}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll(
    /[&<>\r\n\t]/g,
    (character) => ESCAPES[character] ?? `&#${character.charCodeAt(0)};`,
  );
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

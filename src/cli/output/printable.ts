/**
 * Text from a workspace, a path or a host, safe to print on one line: control characters and
 * invisible ones are escaped as in JSON.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => {
    const escaped = JSON.stringify(character).slice(1, -1);
    return escaped === character ? character.split("").map(escapedUnit).join("") : escaped;
  });
}

function escapedUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

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

/**
 * P13b: without what GitHub's log takes for a command, `##[…]` and `::…::`, which `[::1]` is not. In JSON and
 * code it is the same text.
 */
export function withoutCommands(text: string, isCommand = /::.*::/.test(text)): string {
  const shown = text.replaceAll(/#(?=#\[)/g, "\\u0023");
  if (!isCommand) return shown;
  return shown.replaceAll(/\[[\da-f:.]+\]|:(?=:)/gi, (found) =>
    found === ":" ? "\\u003a" : found,
  );
}

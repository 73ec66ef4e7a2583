import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Coloured if the stream is a terminal and `NO_COLOR` is not set. */
export function styled(style: Style, text: string, stream: NodeJS.WriteStream): string {
  return styleText(style, text, { stream });
}

import { problemDocument } from "../../../http/problem-document.ts";
import { COMMON_HEADERS, type Headers, PROBLEM_HEADERS } from "../../../http/published-headers.ts";

/** A block of a configuration, its body indented by two spaces. */
export function block(head: string, body: string): string {
  return `${head} {\n${body.replace(/^(?=.)/gm, "  ")}\n}`;
}

/** A text as a quoted parameter. Variables in it are still expanded. */
export function quoted(text: string): string {
  const escaped = text.replace(/"|\\(?=["'\\trn]|$)/g, "\\$&").replaceAll("\n", "\\n");
  return `"${escaped}"`;
}

/** Headers of every response of a location: `add_header` in a block disables inherited ones. */
export function addHeaders(headers: Headers): string {
  return Object.entries(headers)
    .map(([name, value]) => `add_header ${name} ${quoted(String(value))} always;`)
    .join("\n");
}

/** H4: content type and headers of a location's problem documents. */
export function problemsAt(headers: Headers = {}): string {
  const { "Content-Type": type, ...others } = PROBLEM_HEADERS;
  return [
    "types { }",
    `default_type ${type};`,
    addHeaders({ ...COMMON_HEADERS, ...others, ...headers }),
  ].join("\n");
}

/** H4: sends the problem document. */
export function problemReturn(...problem: Parameters<typeof problemDocument>): string {
  const { status, text } = problemDocument(...problem);
  return `return ${status} ${quoted(text)};`;
}

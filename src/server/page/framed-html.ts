/**
 * An html asset as it is framed: without `<link>`, by which a browser would connect to other hosts
 * (`preconnect`, `dns-prefetch`), which no content policy forbids. Undefined when it is not UTF-8, since
 * a browser would read it as something else.
 */
export function framedHtml(bytes: Uint8Array): string | undefined {
  try {
    const html = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return html.replaceAll(/<link(?=[\s/>])/gi, "<removed-link");
  } catch {
    return undefined;
  }
}

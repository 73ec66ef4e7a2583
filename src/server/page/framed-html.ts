/**
 * An html asset as shown in a frame: without `<link>` elements, as no content security policy
 * prevents `preconnect` and `dns-prefetch` to other hosts. Undefined when it is not UTF-8.
 */
export function framedHtml(bytes: Uint8Array): string | undefined {
  try {
    const html = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return html.replaceAll(/<link(?=[\s/>])/gi, "<removed-link");
  } catch {
    return undefined;
  }
}

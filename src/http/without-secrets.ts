/** An address for messages: without user and password, and without the query, which may have a token. */
export function withoutSecrets(address: string): string {
  return address.replace(/[?#].*$/s, "").replace(/\/\/[^/]*@/, "//");
}

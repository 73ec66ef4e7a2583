/** Runs a request at most once. */
export function once<T>(request: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= request();
    return result;
  };
}

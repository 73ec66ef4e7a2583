/** The name of a field or a block: without one of its own, its key as words ("Short url"). */
export function spoken(name: string, key: string) {
  if (name !== key) return name;
  const words = key
    .replace(/[_-]+/g, " ")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .trim()
    .toLowerCase();
  return words === "" ? key : words[0]?.toUpperCase() + words.slice(1);
}

/**
 * What was made of objects, for as long as all of them are there. All states of a draft have the same object
 * for what does not change, so it is made again only of what has changed.
 */
export class Memory<V extends object> {
  readonly #first = new WeakMap<object, object>();

  of(keys: readonly object[], make: () => V): V {
    let known = this.#first;
    for (const key of keys.slice(0, -1)) known = memberOf(known, key, () => new WeakMap());
    return memberOf(known as WeakMap<object, V>, keys.at(-1) as object, make);
  }
}

function memberOf<V extends object>(known: WeakMap<object, object>, key: object, make: () => V): V {
  const member = (known.get(key) as V | undefined) ?? make();
  known.set(key, member);
  return member;
}

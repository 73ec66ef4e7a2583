import { useEvents } from "./listening.ts";

const CHANGED = "svc-choice";

/** What a reader chose, kept in this browser, for each workspace. */
export function chosen(name: string): string {
  return localStorage.getItem(`svc ${name}`) ?? "";
}

export function choose(name: string, value: string) {
  localStorage.setItem(`svc ${name}`, value);
  dispatchEvent(new Event(CHANGED));
}

/** The same in a component, which is rendered again when it changes. */
export function useChoice(name: string): string {
  useEvents(CHANGED);
  return chosen(name);
}

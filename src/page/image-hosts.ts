import { SvcError } from "../workspace/errors.ts";
import type { Action } from "./actions.ts";

/** H26: the hosts whose pictures and films the page may load. */
export interface ImageHosts {
  readonly allowed: readonly string[];
  /** Keeps them for the next start too. */
  allow(hosts: readonly string[]): void;
}

/** H26: a host name or address with or without a port: nothing that could be another word of a policy. */
export const IMAGE_HOST = /^[a-z0-9_][a-z0-9_.-]{0,252}(?::[0-9]{1,5})?$/;

/** How many are kept at most, as they are in a header. */
const MOST = 100;

/**
 * @param kept those that were kept at an earlier start, and those of options
 * @param keep writes down all of them
 */
export function keptImageHosts(
  kept: readonly string[],
  keep: (hosts: readonly string[]) => void = () => {},
): ImageHosts {
  const valid = (hosts: readonly string[]) => hosts.filter((one) => IMAGE_HOST.test(one));
  let allowed = [...new Set(valid(kept))];
  return {
    get allowed() {
      return allowed;
    },
    allow(hosts) {
      allowed = [...new Set([...allowed, ...valid(hosts)])].slice(-MOST);
      keep(allowed);
    },
  };
}

/** H26: the button of the page: its body names the hosts. */
export function allowImages(images: ImageHosts): Action {
  return {
    isLoopbackOnly: false,
    run(_workspaceId, { hosts }) {
      const all = Array.isArray(hosts) ? hosts : [];
      const refused = all.find((one) => typeof one !== "string" || !IMAGE_HOST.test(one));
      if (all.length === 0 || all.length > MOST || refused !== undefined) {
        throw new SvcError("edit-refused", "a host of pictures is a name, with or without a port");
      }
      images.allow(all);
      return { hosts: images.allowed };
    },
  };
}

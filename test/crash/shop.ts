import { PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import type { Files } from "../support/workspaces/workspace-folder.ts";

export const VARIANTS = 5;

const EXPERIENCES = 90;
const PHOTOS = 9;

/** Both workspaces have it. */
const SHARED_PHOTO = 0;

/**
 * The workspace `shop` in one of its states. They differ in projects, experiences, assets, titles,
 * and in the bytes of one photo.
 */
export function shop(variant: number): Files {
  const projects = ["alpha", "beta", "gamma"].filter((_, at) => at === 0 || (variant + at) % 3 > 0);
  const shown = (at: number) => (at * 7 + variant * 3) % 5 > 0;
  const indexes = Array.from({ length: EXPERIENCES }, (_, at) => at).filter(shown);
  const pages = indexes.map((at) => {
    const isNews = at % 3 === variant % 3;
    const picture = { assetId: `photo-${at % PHOTOS}` };
    return page(`page-${at}`, `Page ${at} ${isNews ? `of state ${variant}` : ""}`, {
      ...(at % 4 === 0 && { picture }),
      ...(at % 2 === 0 && { next: { contentEntryId: `page-${at + 1}` } }),
    });
  });
  const inProject = (id: string) =>
    pages.filter((_, at) => projects[at % projects.length] === id).map((one) => one.id);
  const photos = Array.from({ length: PHOTOS }, (_, at) => at).filter(
    (at) => at === SHARED_PHOTO || (at + variant) % 3 > 0,
  );
  return {
    "workspace.json": { id: "shop", name: `Shop ${variant}` },
    "models.json": [PAGE_MODEL],
    "projects.json": projects.map((id) => projectOf(id, ...inProject(id))),
    "entries.ndjson": pages.map((one) => `${JSON.stringify(one)}\n`).join(""),
    "assets.json": photos.map((at) => ({
      id: `photo-${at}`,
      fileName: photoName(at),
      mimeType: "image/jpeg",
      file: `files/${photoName(at)}`,
    })),
    ...Object.fromEntries(
      photos.map((at) => [`files/${photoName(at)}`, photoBytes(at, at === 1 ? variant : 0)]),
    ),
  };
}

/** Another workspace in one of its states, published to the same folder. */
export function neighbour(state: number): Files {
  const entries = Array.from({ length: 12 }, (_, at) =>
    page(`n-${at}`, `Neighbour ${at} ${state}`, { picture: { assetId: "photo" } }),
  );
  const file = `files/${photoName(SHARED_PHOTO)}`;
  return {
    "workspace.json": { id: "neighbour", name: "Neighbour" },
    "models.json": [PAGE_MODEL],
    "projects.json": [projectOf("other", ...entries.map(({ id }) => id))],
    "entries.json": entries,
    "assets.json": [{ id: "photo", fileName: photoName(SHARED_PHOTO), file }],
    [file]: photoBytes(SHARED_PHOTO, 0),
  };
}

function photoName(at: number): string {
  return `photo-${at}.jpg`;
}

function photoBytes(at: number, state: number): Buffer {
  return Buffer.alloc(20_000 + at, `photo ${at} in state ${state}; `);
}

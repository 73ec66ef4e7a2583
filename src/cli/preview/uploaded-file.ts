import { isUtf8 } from "node:buffer";
import { measureImage } from "../../folder/asset-records.ts";
import { refused } from "../../folder/edit/entry-texts.ts";
import { MOST_BYTES, MOST_PIXELS, SMALLER, TAKEN } from "../../page/uploads.ts";
import { portableName } from "../../workspace/asset.ts";
import type { SvcError } from "../../workspace/errors.ts";

/** The endings that the name of a file may have, by what its bytes are; it is given the first one. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  png: ["png"],
  jpg: ["jpg", "jpeg"],
  gif: ["gif"],
  webp: ["webp"],
  avif: ["avif"],
  svg: ["svg"],
  pdf: ["pdf"],
  mp4: ["mp4", "m4v"],
  webm: ["webm"],
  mp3: ["mp3"],
};

/** Those that have a size in pixels. */
const PIXELS: ReadonlySet<string> = new Set(["png", "jpg", "gif", "webp", "avif"]);

/** By how they begin, in Latin-1: what is no picture, and pictures that are measured as none or as others. */
const BEGINNINGS: readonly (readonly [kind: string, RegExp])[] = [
  ["avif", /^.{4}ftyp.{0,40}avi[fs]/s],
  ["heic", /^.{4}ftyp(?:hei|hev|mif1|msf1)/s],
  ["pdf", /^%PDF-/],
  ["mp4", /^.{4}ftyp(?:isom|iso\d|mp4\d|avc1|M4V |dash)/s],
  ["webm", /^.Eß£.{0,60}webm/s],
  ["mp3", /^(?:ID3|ÿ[ûóò])/],
];

/** The most bytes of a name: with its folder it stays far below what file systems take. */
const LONGEST_NAME = 100;

/**
 * H60a, H60c: the name that a file gets, whose ending its bytes decide.
 *
 * @throws SvcError `edit-refused` when it is none that the page takes, with what to do.
 */
export function uploadedName(name: string, bytes: Uint8Array): string {
  const shown = JSON.stringify(plainName(name) || "file");
  if (bytes.length === 0) throw refused(`${shown} is empty`, "choose another file");
  if (bytes.length > MOST_BYTES) throw tooLarge(shown);
  const begin = Buffer.from(bytes.subarray(0, 64)).toString("latin1");
  const measured = measureImage(bytes);
  const begun = BEGINNINGS.find(([, pattern]) => pattern.test(begin))?.[0];
  // By the bytes alone: the name may say anything.
  const kind = begun ?? (isSvg(bytes) ? "svg" : pictureOf(measured?.type));
  if (kind === "heic" || kind === "heif") {
    throw refused(
      `${shown} is a HEIC picture, as phones take them, which browsers do not show`,
      "save it as JPEG first: on a Mac export it in Preview, on an iPhone choose Settings, Camera, Formats, Most Compatible",
    );
  }
  const pixels = PIXELS.has(kind) ? (measured?.width ?? 0) * (measured?.height ?? 0) : 1;
  const endings = ENDINGS[kind];
  if (endings === undefined || !(pixels > 0)) {
    const hint = `save a picture as PNG or JPEG again; ${TAKEN} are taken here`;
    throw refused(`${shown} is damaged, or of a kind that is not taken`, hint);
  }
  if (pixels > MOST_PIXELS) throw tooLarge(shown);
  return safeName(name, endings);
}

function tooLarge(shown: string): SvcError {
  return refused(`${shown} has more than 20 MB or 100 million pixels`, SMALLER);
}

/** A text with a drawing in it need not be one. */
const pictureOf = (type = "") => (type === "svg" ? "" : type);

/** How much of a text is looked at for its root element, in bytes. */
const LOOKED_AT = 64 * 1024;

/** What may be before the root element of XML. */
const BEFORE_ROOT: readonly (readonly [open: string, close: string])[] = [
  ["<!--", "-->"],
  ["<?", "?>"],
  ["<!DOCTYPE", ">"],
];

/** Not any text that has a drawing in it, as HTML. */
function isSvg(bytes: Uint8Array): boolean {
  if (!isUtf8(bytes)) return false;
  const text = Buffer.from(bytes.subarray(0, LOOKED_AT))
    .toString("utf8")
    .replace(/^\ufeff/, "");
  for (let at = 0; ; ) {
    at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
    const [open, close] = BEFORE_ROOT.find((one) => text.startsWith(one[0], at)) ?? [];
    if (open === undefined || close === undefined) return /^<svg[\s>]/.test(text.slice(at, at + 5));
    // The subset of a document type has elements of its own.
    const subset = open === "<!DOCTYPE" && /^[^>[]*\[/.test(text.slice(at));
    const end = text.indexOf(subset ? "]>" : close, at);
    if (end < 0) return false;
    at = end + (subset ? 2 : close.length);
  }
}

/** What a person sees of a name: no path, and nothing that is not shown or turns the rest around. */
function plainName(name: string): string {
  const [last = ""] = name.toWellFormed().normalize().split(/[/\\]/).slice(-1);
  return last.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "").replace(/\s+/g, " ");
}

/** H60c: the name with one dot, before an ending of its kind. */
function safeName(name: string, endings: readonly string[]): string {
  const plain = plainName(name);
  const [, had = ""] = /\.(\w{1,5})$/.exec(plain) ?? [];
  const ending = endings.find((one) => one === had.toLowerCase()) ?? endings[0];
  let stem = plain.slice(0, had === "" ? undefined : -had.length - 1).replaceAll(".", "-");
  while (Buffer.byteLength(stem) > LONGEST_NAME) stem = [...stem].slice(0, -1).join("");
  return portableName(`${stem.replace(/^[\s-]+|[\s-]+$/g, "") || "file"}.${ending}`);
}

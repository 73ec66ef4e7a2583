/** H60: the most bytes and pixels of a file that the page takes. */
export const MOST_BYTES = 20_000_000;
export const MOST_PIXELS = 100_000_000;

/** What to do about a larger one. */
export const SMALLER =
  "make it smaller first: a picture of 2,500 pixels, saved as JPEG or WebP, is sharp on any screen and has less than 2 MB";

export const TAKEN = "PNG, JPEG, GIF, WebP, AVIF and SVG pictures, PDF, MP4 and WebM films, MP3";

import { type ComponentChildren, h } from "preact";
import type { FileView } from "../file-view.ts";
import { act } from "./access.ts";
import { Button } from "./parts.tsx";
import { useShowsFields } from "./reading.ts";
import { number, size } from "./words.ts";

/** H26: the hosts that the policy of this document allows. */
const ALLOWED = new Set(
  document.querySelector<HTMLMetaElement>('meta[name="images"]')?.content.split(" "),
);

/**
 * H9: a link of content to another site; text alone where its address could do anything else.
 *
 * @param isFile whether it is the address of a file, which may be one of this server
 */
export function SafeLink({
  href,
  isFile = false,
  children,
}: {
  href: string;
  isFile?: boolean;
  children: ComponentChildren;
}) {
  const url = URL.parse(href, isFile ? location.href : undefined);
  const isSafe = url !== null && ["http:", "https:", "mailto:", "tel:"].includes(url.protocol);
  if (!isSafe) {
    return (
      <span class="no-link" title={href}>
        {children}
      </span>
    );
  }
  return (
    <a href={isFile ? href : url.href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** H26: where the page may load a file from; undefined: its host is not allowed yet. */
export function loaded(src: string): string | undefined {
  if (/^\/assets\//.test(src)) return src;
  const url = webAddress(src);
  return url && ALLOWED.has(url.host) ? url.href : undefined;
}

function webAddress(src: string): URL | undefined {
  const url = URL.parse(src);
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** A picture beside a title; nothing while its host is not allowed. */
export function Thumb({ file }: { file: FileView | undefined }) {
  const src = file && loaded(file.src);
  return src ? <img class="thumb" src={src} alt="" loading="lazy" decoding="async" /> : null;
}

/** A picture or film of an address; until its host is allowed, a button that allows it. */
export function Media({
  src,
  kind = "image",
  alt,
  width,
  height,
}: {
  src: string;
  kind?: string;
  alt: string;
  width?: number | null;
  height?: number | null;
}) {
  const from = loaded(src);
  if (from !== undefined) {
    const playing = { controls: true, preload: "metadata", src: from, title: alt };
    if (kind === "video" || kind === "audio") return h(kind, playing);
    const measures = width && height ? { width, height } : {};
    return <img src={from} alt={alt} loading="lazy" decoding="async" {...measures} />;
  }
  const host = webAddress(src)?.host;
  if (host === undefined) return <span class="elsewhere">{`${alt}: it cannot be loaded`}</span>;
  return (
    <span class="elsewhere" title={alt}>
      <AllowHost host={host} />
    </span>
  );
}

function AllowHost({ host }: { host: string }) {
  const allow = async () => {
    await act("images", { hosts: [host] });
    location.reload();
  };
  return <Button onClick={allow}>{`Show pictures from ${host}`}</Button>;
}

/** H26: what allows the hosts of pictures that are shown small, without a button of their own. */
export function AllowHosts({ files }: { files: readonly (FileView | undefined)[] }) {
  const hosts = files.flatMap((file) => {
    if (!file?.mimeType.startsWith("image/") || loaded(file.src) !== undefined) return [];
    return webAddress(file.src)?.host ?? [];
  });
  if (hosts.length === 0) return null;
  return (
    <p class="elsewhere">
      {[...new Set(hosts)].map((host) => (
        <AllowHost key={host} host={host} />
      ))}
    </p>
  );
}

/** An asset as a reader meets it: a picture, a player, or a link to the file. */
export function FileFigure({ file }: { file: FileView }) {
  const { src, fileName, mimeType, sizeBytes, width, height, title, description } = file;
  const showsFields = useShowsFields();
  const [kind = ""] = mimeType.split("/");
  const isMedia = ["image", "video", "audio"].includes(kind);
  const alt = description || title || fileName;
  const measures = width && height && `${number(width)} × ${number(height)}`;
  const name = title || fileName;
  return (
    <figure class="asset">
      {isMedia && <Media src={src} kind={kind} alt={alt} width={width} height={height} />}
      <figcaption>
        {isMedia && <strong dir="auto">{name}</strong>}
        {!isMedia && (
          <SafeLink href={src} isFile>
            {name}
          </SafeLink>
        )}
        {description && <span dir="auto">{` ${description}`}</span>}
        {(showsFields || !isMedia) && (
          <span class="measures">
            {` ${[title && fileName, mimeType, measures, size(sizeBytes)].filter(Boolean).join(", ")}`}
          </span>
        )}
      </figcaption>
    </figure>
  );
}

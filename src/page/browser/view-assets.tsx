import { useEffect, useRef, useState } from "preact/hooks";
import type { AssetLine, AssetView as View } from "../asset-views.ts";
import type { FileView } from "../file-view.ts";
import type { Uses } from "../where-used.ts";
import { Chips } from "./entry-table.tsx";
import { AllowHosts, FileFigure, Thumb } from "./files.tsx";
import { useChosen, useKnown, usePagedRows } from "./paged-rows.ts";
import { CopyButton, EmptyState, Group, ViewHead } from "./parts.tsx";
import { viewHref } from "./router.ts";
import { usesText, WhereUsed } from "./where-used.tsx";
import { WindowedList } from "./windowed-list.tsx";
import { counted, number, size } from "./words.ts";

const KINDS = {
  "": "All",
  images: "Pictures",
  files: "Other files",
  unused: "On no page",
  missing: "Missing",
} as const;

/** The least width and the height of a card in pixels, with the space around it. */
const [WIDTH, HEIGHT] = [176, 264];

/** H36: the assets of a workspace as a grid, of which only the rows in the window are drawn. */
export function AssetsView() {
  const [{ filter = "", only = "" }, change] = useChosen();
  const rows = usePagedRows("assets", { q: filter, only });
  const uses = useKnown("uses", rows.ids, "assets");
  const grid = useRef<HTMLDivElement>(null);
  const columns = useColumns(grid);
  const total = rows.answer?.total ?? 0;
  const onShown = (first: number, last: number) => rows.onShown(first * columns, last * columns);
  return (
    <article>
      <ViewHead title="Assets" />
      <div class="table-tools">
        <input
          type="search"
          placeholder="Filter by title or file"
          aria-label="Filter by title, file or id"
          value={filter}
          onInput={({ currentTarget }) => change({ filter: currentTarget.value })}
        />
        <Chips options={KINDS} value={only} onChoose={(kind) => change({ only: kind })} />
      </div>
      <p class="soft table-count" role="status">
        {rows.error ? rows.error.message : rows.answer ? counted(total, "asset") : "Reading…"}
      </p>
      <AllowHosts files={rows.answer?.rows.map(({ file }) => file) ?? []} />
      {total === 0 && rows.isCurrent && (
        <EmptyState title={filter + only === "" ? "There are no assets yet" : "No such assets"} />
      )}
      <div ref={grid} class="asset-grid" style={{ "--cards": columns }}>
        <WindowedList
          label="Assets"
          items={{
            length: Math.ceil(total / columns),
            at: (row) => Array.from({ length: columns }, (_, n) => rows.at(row * columns + n)),
          }}
          height={HEIGHT}
          onShown={onShown}
          row={(cards) => (
            <div class="asset-row">
              {cards.map(
                (asset) => asset && <Card key={asset.id} asset={asset} uses={uses(asset.id)} />,
              )}
            </div>
          )}
        />
      </div>
    </article>
  );
}

function Card({ asset: { id, title, file }, uses }: { asset: AssetLine; uses: Uses | undefined }) {
  const isImage = file?.mimeType.startsWith("image/");
  return (
    <a class="asset-card" href={viewHref(["assets", id])}>
      <span class="asset-picture">
        {isImage && <Thumb file={file} />}
        <span class="asset-kind">{kindOf(file)}</span>
      </span>
      <span class="row-title" dir="auto">
        {title}
      </span>
      <span class="row-below">{file ? size(file.sizeBytes) : "it is named, but not there"}</span>
      <span class="row-below">{usesText(uses)}</span>
    </a>
  );
}

/** What stands behind a picture, and in place of one: "PDF". */
function kindOf(file: FileView | undefined) {
  if (file === undefined) return "missing";
  return /\.(\w{1,5})$/.exec(file.fileName)?.[1]?.toUpperCase() ?? file.mimeType;
}

function useColumns(grid: { current: HTMLElement | null }) {
  const [columns, setColumns] = useState(4);
  useEffect(() => {
    const measure = () => {
      const { clientWidth = 0 } = grid.current ?? {};
      setColumns(Math.max(2, Math.floor(clientWidth / WIDTH)));
    };
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  return columns;
}

/** One asset, as large as there is room, with where it is used. */
export function AssetPage({ asset }: { asset: View }) {
  const { id, title, file, versions } = asset;
  const { fileName, mimeType, sizeBytes, width, height } = file;
  const measures = width && height ? `${number(width)} × ${number(height)} pixels` : "";
  return (
    <article>
      <ViewHead
        title={title}
        above={<a href={viewHref(["assets"])}>Assets</a>}
        below={[title !== fileName && fileName, mimeType, measures, size(sizeBytes)]
          .filter(Boolean)
          .join(", ")}
      />
      <WhereUsed kind="assets" id={id} />
      <div class="asset-large">
        <FileFigure file={file} />
      </div>
      {versions.length > 0 && (
        <Group name="versions" title="Versions" beside={counted(versions.length, "version")}>
          {versions.map((version) => (
            <FileFigure key={version.id} file={version.file} />
          ))}
        </Group>
      )}
      <p class="details-line">
        {"Id "}
        <code>{id}</code> <CopyButton text={id} what="the id" />
      </p>
    </article>
  );
}

/** An asset that is named, but that the workspace does not have. */
export function MissingAsset({ id }: { id: string }) {
  return (
    <article>
      <ViewHead
        title={id}
        above={<a href={viewHref(["assets"])}>Assets</a>}
        beside={<span class="tag is-bad">missing</span>}
        below="Content names this asset, but the workspace does not have it."
      />
      <WhereUsed kind="assets" id={id} />
    </article>
  );
}

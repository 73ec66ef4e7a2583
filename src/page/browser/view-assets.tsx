import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { FileView } from "../file-view.ts";
import type { Answers } from "../queries.ts";
import type { Uses } from "../where-used.ts";
import { AddAssets, AssetActions } from "./edit-asset.tsx";
import { AllowHosts, FileFigure, Thumb } from "./files.tsx";
import { ListTools, useChosen, useKnown, usePagedRows } from "./list-tools.tsx";
import { useEvents } from "./listening.ts";
import { CopyButton, Group, ViewHead } from "./parts.tsx";
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
  const [chosen, change] = useChosen();
  const { filter: q = "", only = "" } = chosen;
  const rows = usePagedRows("assets", { q, only });
  const uses = useKnown("uses", rows.ids, "assets");
  const grid = useRef<HTMLDivElement>(null);
  const columns = useColumns(grid);
  const { total = 0, rows: shown = [] } = rows.answer ?? {};
  return (
    <article>
      <ViewHead title="Assets" />
      <AddAssets />
      <ListTools
        noun={["asset", "assets"]}
        filtered="title, file or id"
        states={KINDS}
        {...{ chosen, change, rows }}
        isAll
      />
      <AllowHosts files={shown.map(({ file }) => file)} />
      <div ref={grid} class="asset-grid" style={{ "--cards": columns }}>
        <WindowedList
          label="Assets"
          items={{
            length: Math.ceil(total / columns),
            at: (row) => Array.from({ length: columns }, (_, n) => rows.at(row * columns + n)),
          }}
          height={HEIGHT}
          onShown={(first, last) => rows.onShown(first * columns, last * columns)}
          row={(cards) => (
            <div class="asset-row">
              {cards.map((asset) => asset && card(asset, uses(asset.id)))}
            </div>
          )}
        />
      </div>
    </article>
  );
}

function card({ id, title, file }: Answers["assets"]["rows"][number], uses: Uses | undefined) {
  const isImage = file?.mimeType.startsWith("image/");
  return (
    <a key={id} class="asset-card" href={viewHref(["assets", id])}>
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
  const times = useEvents("resize");
  useLayoutEffect(() => {
    const { clientWidth = 0 } = grid.current ?? {};
    setColumns(Math.max(2, Math.floor(clientWidth / WIDTH)));
  }, [times]);
  return columns;
}

/** One asset, as large as there is room, with where it is used; or one that is named, but that is not there. */
export function AssetPage({ asset }: { asset: Answers["asset"] }) {
  const { id, title, file, versions } = asset;
  const { fileName, mimeType, sizeBytes, width, height } = file ?? {};
  const measures = width && height ? `${number(width)} × ${number(height)} pixels` : "";
  const facts = [title !== fileName && fileName, mimeType, measures, size(sizeBytes ?? null)];
  return (
    <article>
      <ViewHead
        title={title}
        above={<a href={viewHref(["assets"])}>Assets</a>}
        beside={!file && <span class="tag is-bad">missing</span>}
        below={
          file
            ? facts.filter(Boolean).join(", ")
            : "Content names this asset, but the workspace does not have it."
        }
      />
      <AssetActions key={`edit ${id}`} asset={asset} />
      <WhereUsed kind="assets" id={id} />
      {file && (
        <div class="asset-large">
          <FileFigure file={file} />
        </div>
      )}
      {versions.length > 0 && (
        <Group name="versions" title="Versions" beside={counted(versions.length, "version")}>
          {versions.map((version) => (
            <FileFigure key={version.id} file={version.file} />
          ))}
        </Group>
      )}
      {file && (
        <p class="details-line">
          {"Id "}
          <code>{id}</code> <CopyButton text={id} what="the id" />
        </p>
      )}
    </article>
  );
}

import { useState } from "preact/hooks";
import type { ComparedVersions, EntryHistory as History } from "../team.ts";
import { useActed } from "./answers.ts";
import { ComparedValues } from "./compared-values.tsx";
import { changeAtOnce, useCanEdit } from "./edit-state.tsx";
import { Choice } from "./list-tools.tsx";
import { Awaited, Button, ChangeTag, Fold } from "./parts.tsx";
import { moment } from "./words.ts";

type Version = History["versions"][number];

/** How many versions are asked for first, and how many more each time. */
const SHOWN = 20;

/** H76: what became of an entry, as Git knows it. */
export function EntryHistory({ id }: { id: string }) {
  if (!useCanEdit()) return null;
  return (
    <section class="entry-history">
      <Fold summary="History">{() => <Versions id={id} />}</Fold>
    </section>
  );
}

function Versions({ id }: { id: string }) {
  const [most, setMost] = useState(SHOWN);
  const { answer, error } = useActed<History>("git-history", { id, most });
  if (answer === undefined) return <Awaited error={error} text="Reading…" />;
  const { versions, hasMore, unsaved } = answer;
  if (versions.length === 0) return <p>It was never saved for the team.</p>;
  return (
    <>
      {unsaved.length > 0 && (
        <p dir="auto">{`Not saved for the team yet: ${unsaved.join(", ")}`}</p>
      )}
      <Fold summary="Compare two versions">
        {() => <TwoVersions id={id} versions={versions} />}
      </Fold>
      <ol class="changes">
        {versions.map((version, at) => (
          <VersionItem
            key={version.commit}
            id={id}
            version={version}
            before={versions[at + 1]}
            isNow={at === 0 && unsaved.length === 0}
          />
        ))}
      </ol>
      {hasMore && (
        <p>
          <button type="button" onClick={() => setMost(most + SHOWN)}>
            Show older ones
          </button>
        </p>
      )}
    </>
  );
}

function VersionItem({
  id,
  version,
  before,
  isNow,
}: {
  id: string;
  version: Version;
  before: Version | undefined;
  isNow: boolean;
}) {
  const { by, at, message, change: what, fields } = version;
  const bringBack = () =>
    changeAtOnce("git-restore", { id, version }, `It is as on ${moment(at)} again.`);
  return (
    <li class="change">
      <p class="change-head">
        <strong>{moment(at)}</strong> <bdi>{by}</bdi>{" "}
        {what !== "changed" && <ChangeTag change={what} />}{" "}
        {what === "changed" && <span dir="auto">{fields.join(", ")}</span>}{" "}
        {isNow && <span class="tag is-good">as it is now</span>}
      </p>
      <p class="soft" dir="auto">
        {message}
      </p>
      {what === "changed" && before && (
        <Fold summary="What it changed">
          {() => <Comparison id={id} from={before} to={version} heads={["Before", "After"]} />}
        </Fold>
      )}
      {!isNow && what !== "removed" && (
        <p>
          <Button onClick={bringBack}>
            Bring this back<span class="unseen"> of {moment(at)}</span>
          </Button>
        </p>
      )}
    </li>
  );
}

function TwoVersions({ id, versions }: { id: string; versions: readonly Version[] }) {
  const [from, setFrom] = useState(versions[0]?.commit ?? "");
  const [to, setTo] = useState("");
  const there = versions.filter((one) => one.change !== "removed");
  const options = [
    ["", "As it is now"] as const,
    ...there.map(({ commit, at, by }) => [commit, `${moment(at)}, ${by}`] as const),
  ];
  const version = (commit: string) => there.find((one) => one.commit === commit) ?? null;
  return (
    <>
      <div class="table-tools">
        <Choice label="One version" value={from} options={options} onChoose={setFrom} />
        <Choice label="Another version" value={to} options={options} onChoose={setTo} />
      </div>
      <Comparison id={id} from={version(from)} to={version(to)} heads={["One", "Another"]} />
    </>
  );
}

function Comparison({
  heads,
  ...query
}: {
  id: string;
  /** Null: as it is now. */
  from: Version | null;
  to: Version | null;
  heads: readonly [string, string];
}) {
  const { answer, error } = useActed<ComparedVersions>("git-compare", query);
  if (answer === undefined) return <Awaited error={error} text="Comparing…" />;
  if (answer.values.length === 0) return <p class="soft">They are the same.</p>;
  return <ComparedValues values={answer.values} heads={heads} />;
}

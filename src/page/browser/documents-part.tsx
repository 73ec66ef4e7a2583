import { useContext, useState } from "preact/hooks";
import type { Answers } from "../queries.ts";
import { act } from "./access.ts";
import { Shown, useAnswer } from "./answers.ts";
import { Awaited, announce, CopyButton, Fold, Group } from "./parts.tsx";
import { Json } from "./plain-values.tsx";
import { moment, size } from "./words.ts";

const NAMES = { project: "Project config", content: "Experience content", schema: "Schema" };

/** The tokens created by this page, by workspace. They are stored nowhere else. */
const tokens = new Map<string, { token: string; expiresAt: string }>();

type Where = { project: string; experience: string };

export function DocumentsPart({ where, documents }: { where: Where; documents: readonly Line[] }) {
  const { workspaceId, source } = useContext(Shown);
  const [made, setMade] = useState(tokens.get(workspaceId));
  const make = async () => {
    tokens.set(workspaceId, await act("token"));
    announce("A preview token was created. The addresses now contain it.");
    setMade(tokens.get(workspaceId));
  };
  return (
    <>
      <div class="panel token">
        {made ? (
          <p>
            The addresses below have a preview token that is valid until {moment(made.expiresAt)}.
            Anyone who has it can read this draft.{" "}
            {source === "folder" ? (
              "It ends with this preview."
            ) : (
              <>
                <code>svc token list</code> lists it, <code>svc token revoke</code> revokes it.
              </>
            )}
          </p>
        ) : (
          <>
            <p>
              Other programs read the draft with a preview token. Without one they get published
              content.
            </p>
            <p>
              <button type="button" onClick={make}>
                Create a token for 8 hours
              </button>
            </p>
          </>
        )}
      </div>
      {documents.map((line) => documentItem(where, line, made?.token))}
    </>
  );
}

type Line = Answers["documents"]["documents"][number];

function documentItem(where: Where, { kind, path, size: bytes }: Line, token: string | undefined) {
  const name = NAMES[kind];
  const published = location.origin + path;
  const draft = `${published}?preview_token=${token === undefined ? "$TOKEN" : encodeURIComponent(token)}`;
  const lines = [
    ["Published", published],
    ["Draft", draft],
    ["curl", `curl "${draft}"`],
  ] as const;
  return (
    <Group
      key={kind}
      name={kind}
      title={name}
      beside={<span data-flash="">{bytes === null ? "none" : size(bytes)}</span>}
    >
      {bytes === null ? (
        <p class="soft">The experience has no content, so this address returns 404.</p>
      ) : (
        <>
          <dl class="addresses">
            {lines.map(([label, text]) => (
              <div>
                <dt>{label}</dt>
                <dd>
                  <code>{text}</code>
                  <CopyButton text={text} what={`${label} of ${name}`} />
                </dd>
              </div>
            ))}
          </dl>
          <Fold summary="JSON of the draft">
            {() => <DocumentJson query={{ ...where, kind }} />}
          </Fold>
        </>
      )}
    </Group>
  );
}

function DocumentJson({ query }: { query: Where & { kind: string } }) {
  const { answer, error } = useAnswer("document", query);
  if (answer === undefined) return <Awaited error={error} text="…" />;
  return <Json value={answer} />;
}

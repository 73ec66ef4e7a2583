import type { LinkedPlace } from "../problem-list.ts";
import { useAnswer } from "./answers.ts";

/** H40: a place in a file, which opens it in the author's editor. */
export function FileLink({ place: { file, line, column, href } }: { place: LinkedPlace }) {
  const name = [file, line, column].filter((part) => part !== undefined).join(":");
  const isSafe = href !== undefined && !/^(?:javascript|data|vbscript|blob|file):/i.test(href);
  return (
    <span class="file-link">
      {isSafe ? (
        <a href={href} title="Open in your editor">
          {name}
        </a>
      ) : (
        <code>{name}</code>
      )}
    </span>
  );
}

/** The file of an entry; nothing of a store. */
export function EditorLink({ id }: { id: string }) {
  const { answer } = useAnswer("file-place", { id });
  return answer?.place ? <FileLink place={answer.place} /> : null;
}

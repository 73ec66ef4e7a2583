import {
  AT,
  anyText,
  type CommandRow,
  DRAFT,
  FORMAT,
  listOf,
  notEmpty,
  oneOf,
  PREVIEW,
  toCode,
  toCount,
  toDuration,
  toEditor,
  toFieldTypes,
  toNames,
  WORKSPACE,
} from "./options.ts";

/** The commands with which content is written, by their words. */
export const WRITE_COMMANDS = {
  init: {
    job: "write",
    summary: "Create a small example workspace folder, or a site with its content.",
    examples: ["svc init shop", "svc init journal --template magazine"],
    "<folder>":
      "a folder that is empty, does not exist yet, or has only hidden files, a readme and a licence, as a new repository does",
    "--template <name>": [
      "a site in two languages with its workspace, instead of a workspace alone: `blog`, `magazine` or `shop`",
      oneOf("blog", "magazine", "shop"),
    ],
  },
  dev: {
    job: "write",
    summary:
      "Follow a workspace folder: show it on a page in the browser, list its problems, write its types.",
    examples: ["svc dev content", "svc dev content --open --types src/content.ts"],
    folders: ["folder"],
    isOfFolder: true,
    isStrict: true,
    "[folder]": "the workspace folder; needed if the config file names none",
    ...PREVIEW,
    "--open":
      "open the page in the browser, by `open`, `xdg-open` or `rundll32` and a file that only you can read, since other users of the machine see the list of processes; a browser that may not read it (as a snap) needs the printed link",
    "--env <file>":
      "write the address and a token by which your site reads the draft (`SVC_URL`, `SVC_PREVIEW_TOKEN`) to this file, as `.env.local`; with `--site` alone they are printed (H48)",
    "--edit":
      "change values on the page, which writes them to the files of the folder; only for a loopback `--host` (H42)",
    "--editor <name>": [
      "the editor that links to files open: vscode (the default), cursor, windsurf, zed, idea, webstorm, none, or a template such as `mine://open?file={path}&line={line}` (H40)",
      toEditor,
    ],
    "--types <file>": "write the types of `svc types` to this file, whenever they differ",
    "--project <id>": "with `--types`: which project; default: one file for all (T11)",
    "--const": "with `--types`: also constants, the lists of keys",
    "--experience-ids": "with `--types`: also the ids of the project's experiences (T8)",
  },
  import: {
    job: "write",
    summary: "Import a workspace folder into the store, replacing the workspace's draft.",
    examples: ["svc import shop", "svc import --from contentful export.json --write blog"],
    unless: "from",
    "<folder...>": [
      "the [workspace folder](workspace-folder.md); with `--from`, the files of one export (X5); of Sanity and Storyblok also its folder, of Markdown the folder",
      listOf(notEmpty),
    ],
    "--from <format>":
      "read the export of another system: `contentful`, `markdown`, `sanity`, `storyblok`",
    "--locale <code>":
      "with `--from`: take this locale alone, now and in the next import; `*`: all again, as by default (X3c)",
    "--roots <types>": [
      "with `--from`: entries of these types (`a,b`) become experiences; the next import takes the same (X1)",
      toNames,
    ],
    "--workspace <id>": "with `--from`: the id of the workspace to make",
    "--drafts":
      "with `--from`: import drafts as published; otherwise they come with `draft: true` (X3, X12, X17, X19)",
    "--private":
      "with `--from sanity`: import the documents that Sanity shows to nobody without a token, those with a dot in their `_id` (X26)",
    "--strict":
      "with `--from`: refuse published records with edits that were never published (X21)",
    "--write <folder>":
      "with `--from`: write a workspace folder instead of importing into the store; one that was written before is updated (G3)",
    "--dry-run": "with `--from`: change nothing, and print what would be lost",
    "--report <file>":
      "with `--from`: write what became of each type, field and record (X9), to a `.json` or `.md` file",
    "--collections":
      "with `--from`: collections in place of the steps and experiences of a type, where they give the same pages; the next import takes the same (Q23)",
    "--remove-experiences":
      "with `--from`: remove experiences that have no root in the export any more (X2)",
    "--schema <file>":
      "with `--from sanity`: the file of `sanity schema extract` (X15); with `--from markdown`: the file of the models, which is written where there is none (X20)",
    "--types <fields>": [
      "with `--from markdown`, `sanity` or `storyblok`: the types of fields (`cover=asset,posts.date=text,tags=text[]`), `[]` of lists; the next import takes the same, until `*`; default: those of most values (X24)",
      toFieldTypes,
    ],
    "--assets <folder>":
      "with `--from`: the folder with the files of assets, whose bytes the workspace gets (X7)",
    "--locales <codes>": [
      "with `--from markdown`: the languages of texts (`en,de`), the main one first; the next import takes the same, until `*`; default: those that are found (X3)",
      toNames,
    ],
    "--dates <meaning>": [
      "with `--from markdown`: a `date` (also in a file's name) is when a text is published, `publish`, or says nothing of that, `keep` (X22e); default: as the site's generator has it",
      oneOf("publish", "keep"),
    ],
    "--only-translated":
      "with `--from`: hide an entry in languages that it is not translated into, now and in the next import; otherwise they have it by fallback (X23g)",
    "--links <form>": [
      "with `--from markdown`: what links between texts become, `text` or `references` (X19); default `text`",
      oneOf("text", "references"),
    ],
    "--part": "with `--from`: take an export that seems to be a part of one (X5)",
  },
  export: {
    job: "write",
    summary: "Export the draft as a workspace folder.",
    examples: ["svc export copy-of-shop"],
    "<folder>": "a folder that is empty, does not exist yet, or was exported before",
    "--ndjson": "write one file for each kind of record",
    ...WORKSPACE,
  },
  migrate: {
    job: "write",
    summary: "Change the models of a workspace folder, and its content with them.",
    examples: [
      "svc migrate shop rename-field page title headline",
      "svc migrate shop rename-entry home-page home --write",
      "svc migrate shop relax --write",
    ],
    "<folder>": "the workspace folder",
    "<migration>":
      "`rename-field`, `rename-model`, `rename-option`, `move-field-into-block`, `localize-field`, `delocalize-field`, `remove-field`, `rename-entry`, `collect`, `relax` or `script`",
    "[args...]": ["its arguments", listOf(anyText)],
    "--write": "change the files",
    "--force": "with `--write`: also if the folder has changes that are not committed to Git (M4)",
  },
  check: {
    job: "write",
    summary: "List the draft's problems.",
    fails: "if there are errors",
    examples: ["svc check content", "svc check --code reference-deleted"],
    isStrict: true,
    ...DRAFT,
    ...WORKSPACE,
    "--strict": "exit with 1 for warnings too",
    "--no-strict": "exit with 0 for warnings, whatever the config file says",
    ...AT,
    "--all": "list every place, not only the first of each code",
    "--code <code>": ["list every problem of this code, and no other (repeatable)", listOf(toCode)],
    "--entry <id>": "list every problem of this entry, and no other",
    ...FORMAT,
  },
  stats: {
    job: "write",
    summary: "Show documents and their sizes, the entries most pointed at, and what is unused.",
    examples: ["svc stats content", "svc stats --due --json"],
    ...DRAFT,
    ...WORKSPACE,
    ...AT,
    "--due": "print instead what falls due after the version that is published (A6)",
  },
  preview: {
    job: "write",
    summary:
      "Preview the drafts of a store on a page in the browser, at the link that it prints. Also serves the published files, and drafts to requests with a preview token.",
    examples: [
      "svc preview",
      'curl "http://127.0.0.1:4400/api/v1/projects/site?preview_token=$TOKEN"',
    ],
    refusesExcess: true,
    isStrict: true,
    ...PREVIEW,
  },
  schema: {
    job: "write",
    summary: "Write JSON Schemas of a workspace folder's files, for editors.",
    examples: ["svc schema folder content"],
    isGroup: true,
  },
  "schema folder": {
    summary: "Write JSON Schemas of a workspace folder's files, by which editors complete them.",
    examples: ["svc schema folder content", "svc schema folder content --vscode ."],
    "[folder]": ["the workspace folder", notEmpty, "."],
    "--vscode <folder>":
      "also add them to `.vscode/settings.json` in this folder, which is the one that VS Code opens (G8)",
  },
  "merge-driver": {
    job: "write",
    summary: "Let Git merge the files of a workspace folder by field.",
    examples: ["svc merge-driver install content"],
    isGroup: true,
  },
  "merge-driver install": {
    summary: "Let Git merge the files of a workspace folder by field, in this clone.",
    examples: ["svc merge-driver install content"],
    "[folder]": ["the workspace folder, in a Git work tree", notEmpty, "."],
  },
  "merge-driver run": {
    summary: "Merge two sides of a file into ours, as Git runs it.",
    fails: "if they conflict",
    examples: ["svc merge-driver run base.json ours.json theirs.json"],
    "<base>": "the file of the common ancestor; empty if there is none",
    "<ours>": "the file of this side, which gets the result",
    "<theirs>": "the file of the other side",
    "[path]": ["the path of the file in the repository, for messages", anyText],
    "--marker-size <n>": ["how long conflict markers are", toCount, "7"],
  },
  token: {
    job: "write",
    summary: "Create, list and revoke preview tokens.",
    examples: ["svc token create --name alice"],
    isGroup: true,
  },
  "token create": {
    summary: "Create a preview token for a workspace. It is printed only once.",
    examples: ["TOKEN=$(svc token create --quiet --name alice --expires 30d)"],
    ...WORKSPACE,
    "--name <name>": ["whom or what it is for", anyText, "token"],
    "--expires <time>": [
      "how long it is valid: `90m`, `12h`, `7d`, `4w`, or `never`",
      toDuration,
      "7d",
    ],
  },
  "token list": {
    summary: "List the preview tokens of a workspace: their ids, not the tokens.",
    examples: ["svc token list"],
    ...WORKSPACE,
  },
  "token revoke": {
    summary: "Revoke a preview token, effective immediately.",
    examples: ["svc token revoke tok_0123456789ab"],
    "<id>": ["the token's id, as `svc token list` shows it", anyText],
    ...WORKSPACE,
  },
} as const satisfies Record<string, CommandRow>;

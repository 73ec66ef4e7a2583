import type { FolderRecords } from "../folder/folder-draft.ts";
import { FolderReader } from "../folder/folder-reader.ts";
import { type FolderFault, SvcError } from "../workspace/errors.ts";
import { postedError } from "../workspace/posted-error.ts";
import { WatchedFolder } from "./watched-folder.ts";

/** After a failure, how long to wait for further changes: a file may be half written. In milliseconds. */
const SETTLE = 20;
/** How long to wait before retrying after errors other than faults of the folder, in milliseconds. */
const RETRY = 1000;

interface FollowTask {
  readonly folder: string;
  /** Paths whose changes are ignored, such as the published files. */
  readonly except: readonly string[];
}

interface FollowReporter {
  /** Other records than before; before everything else. */
  readonly changed: (records: FolderRecords) => void;
  /**
   * The faults of each reading (H10a: there may be records too). If it returns false, it has reported that the
   * draft cannot be used, and the failure is not reported again.
   */
  readonly read: (faults: readonly FolderFault[]) => boolean;
  /** After changes, and after a failure is over. */
  readonly updated: (records: FolderRecords) => void;
  /** A failure, once until it is another one. */
  readonly failed: (error: Error) => void;
}

/** H10: a workspace folder that is read now and after every change. */
export class FollowedFolder {
  readonly #reader: FolderReader;
  readonly #watched: WatchedFolder;
  readonly #reporter: FollowReporter;
  /** What was reported to have changed last. */
  #records: FolderRecords | undefined;
  /** The failures, as texts: of the last reading, of the one before that was told, and the one that was printed. */
  #failed = "";
  #told = "";
  #reported = "";
  #isRetried = false;
  #isClosed = false;

  private constructor({ folder, except }: FollowTask, reporter: FollowReporter) {
    this.#reader = new FolderReader(folder);
    this.#watched = new WatchedFolder(folder, except);
    this.#reporter = reporter;
  }

  /**
   * Reads the folder for the first time. If its files have faults, it is followed all the same.
   *
   * @throws SvcError or a system error for any other failure, such as a missing folder.
   */
  static async start(task: FollowTask, reporter: FollowReporter): Promise<FollowedFolder> {
    const followed = new FollowedFolder(task, reporter);
    const failure = await followed.#settled();
    if (failure !== undefined && !isOfFiles(failure)) {
      followed.close();
      throw failure;
    }
    followed.#report(failure);
    void followed.#follow();
    return followed;
  }

  /** H42: reads files that were just changed, relative to the folder. */
  read(paths: readonly string[]): void {
    this.#watched.note(paths);
    this.#report(this.#readChanges());
  }

  close(): void {
    this.#isClosed = true;
    this.#watched.close();
  }

  async #follow(): Promise<void> {
    for (;;) {
      await this.#watched.changed(this.#isRetried ? RETRY : undefined);
      if (this.#isClosed) return;
      this.#report(await this.#settled());
    }
  }

  /** Reads until a new failure is no longer followed by changes. */
  async #settled(): Promise<Error | undefined> {
    for (;;) {
      const failure = this.#readChanges();
      if (failure === undefined || this.#failed === this.#told) return failure;
      if (!(await this.#watched.changed(SETTLE))) return failure;
    }
  }

  #readChanges(): Error | undefined {
    let failure: Error | undefined;
    try {
      const paths = this.#watched.take();
      if (paths === undefined || this.#reader.readChanged(paths) === undefined) {
        this.#watched.renew();
        this.#reader.read();
      }
      failure = this.#reader.faults;
    } catch (error) {
      failure = error as Error;
    }
    this.#failed = failure === undefined ? "" : JSON.stringify(postedError(failure));
    return failure;
  }

  #report(failure: Error | undefined): void {
    const { records } = this.#reader;
    this.#told = this.#failed;
    this.#isRetried = failure !== undefined && !isOfFiles(failure);
    const isChanged = records !== undefined && !isSame(this.#records, records);
    if (isChanged) this.#reporter.changed(records);
    this.#records = records;
    const isUsable = this.#reporter.read(failure === undefined ? [] : faultsOf(failure));
    const isOver = failure === undefined && this.#reported !== "";
    if (records !== undefined && (isChanged || isOver)) this.#reporter.updated(records);
    const failed = this.#failed;
    if (failure !== undefined && isUsable && failed !== this.#reported) {
      this.#reporter.failed(shownError(failure, records !== undefined));
    }
    if (failure === undefined || isUsable) this.#reported = failed;
  }
}

/** Whether the files have faults, which does not change by itself. */
function isOfFiles(failure: Error): failure is SvcError {
  return failure instanceof SvcError && failure.code === "folder-invalid";
}

/** What has not changed is the same object. */
function isSame(before: FolderRecords | undefined, after: FolderRecords): boolean {
  const names = Object.keys(after) as (keyof FolderRecords)[];
  return before !== undefined && names.every((name) => before[name] === after[name]);
}

function faultsOf(failure: Error): readonly FolderFault[] {
  const { code = "system", message, problems } = postedError(failure);
  if (problems?.kind === "folder") return problems.list;
  return [{ code, file: "", message, subject: "folder" }];
}

function shownError(failure: Error, hasDraft: boolean): Error {
  if (!isOfFiles(failure)) return failure;
  const { code, message, problems } = failure;
  const until = hasDraft
    ? "until then all else is shown as it is, these records as they were"
    : "until then there is no draft to show";
  return new SvcError(code, message, { hint: `fix them; ${until}`, ...(problems && { problems }) });
}

import { isSha256 } from "../documents/version-id.ts";
import { fieldListFaults, idFaults, RecordRules } from "../records/record-rules.ts";
import { type ShapeFault, shapeFaults } from "../records/record-shapes.ts";
import { fileNameFault } from "../workspace/asset.ts";
import { isId } from "../workspace/ids.ts";
import { isJsonObject, type JsonObject, type JsonValue, nestsTooDeep } from "../workspace/json.ts";
import { type Kind, type Publishing, singular } from "../workspace/records.ts";
import { damaged } from "./store-error.ts";

/**
 * R9b: checks that the rows of a draft hold records as svc writes them. Anyone may have made a store,
 * with sums that are right: ids and file names become paths, and renderers rely on shapes.
 */
export class StoredRecords {
  readonly #rules = new RecordRules();

  /** @throws SvcError `store-damaged`. */
  record<T>(kind: Exclude<Kind, "entries"> | "workspace", id: string, record: JsonValue): T {
    if (!isJsonObject(record) || record.id !== id) throw wrong(kind, id, "it is not of its row");
    if (nestsTooDeep(record)) throw wrong(kind, id, "it is nested too deeply");
    const [fault] = this.#faults(kind, record);
    if (fault !== undefined) throw wrong(kind, id, fault.message);
    return record as T;
  }

  #faults(kind: Kind | "workspace", record: JsonObject): readonly ShapeFault[] {
    if (kind === "workspace") {
      const rules = () => [
        ...idFaults(record.id, ["id"]),
        ...fieldListFaults(record.fields, "workspace"),
      ];
      return [...shapeFaults(kind, record), ...rules()];
    }
    const shape = kind === "assets" ? assetFaults(record) : shapeFaults(kind, record);
    return [...shape, ...this.#rules.faults(kind, record)];
  }

  /**
   * What an entry says about whether it is published.
   *
   * @param says undefined: nothing.
   * @throws SvcError `store-damaged`.
   */
  publishing(id: string, modelId: string, says: JsonValue | undefined): Publishing | undefined {
    if (!isId(id)) throw wrong("entries", id, "it has no id");
    if (says === undefined) return undefined;
    if (!isJsonObject(says)) throw wrong("entries", id, "it is no object");
    const record = { ...says, id, modelId, data: {} };
    // An entry may be read again with the same draft; that ids differ is left to the table's index.
    const rules = new RecordRules();
    const [fault] = [...shapeFaults("entries", record), ...rules.faults("entries", record)];
    if (fault !== undefined) throw wrong("entries", id, fault.message);
    return says;
  }
}

/** The values of an entry. @throws SvcError `store-damaged`. */
export function checkedData(id: string, data: JsonValue): JsonObject {
  if (isJsonObject(data) && !nestsTooDeep(data)) return data;
  throw wrong("entries", id, "its data are no object, or nested too deeply");
}

/** Unlike an authored asset, a stored one has what was measured. */
function assetFaults(asset: JsonObject): ShapeFault[] {
  const versions = asset.versions ?? [];
  const isOne = Array.isArray(versions) && [asset, ...versions].every(isFile);
  return isOne ? [] : [{ path: [], message: "a file of it is none" }];
}

function isFile(file: JsonValue): boolean {
  if (!isJsonObject(file)) return false;
  const { id, fileName, mimeType, title = "", description = "", url = "", sha256 } = file;
  // V4d.
  const inLocales = [title, description].flatMap((one) =>
    isJsonObject(one) ? Object.values(one) : one,
  );
  const texts = [id, fileName, mimeType, ...inLocales, url];
  const counts = [file.sizeBytes, file.width, file.height];
  return (
    texts.every((text) => typeof text === "string") &&
    counts.every((count) => count === null || (typeof count === "number" && count >= 0)) &&
    fileNameFault(fileName as string) === undefined &&
    /^(?:https?:\/\/.*)?$/is.test(url as string) &&
    (sha256 === undefined || isSha256(sha256))
  );
}

function wrong(kind: Kind | "workspace", id: string, fault: string) {
  const what = kind === "workspace" ? kind : singular(kind);
  return damaged(`the ${what} ${JSON.stringify(id)} is not as svc writes it: ${fault}`);
}

// node bare-publish.ts <store> <out>: the bare loop of `svc publish`. One process renders the documents
// of a store (bare-site.ts) and writes those of experiences and projects to a new folder.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BareSite } from "./bare-site.ts";

const [store = "", out = ""] = process.argv.slice(2);
const site = new BareSite(store);
for (const project of site.projects) {
  const folder = join(out, "api/v1/projects", project.id);
  mkdirSync(join(folder, "experiences"), { recursive: true });
  for (const { id, document } of site.contents(project)) {
    mkdirSync(join(folder, "experiences", id));
    writeFileSync(join(folder, "experiences", id, "content.json"), document);
  }
  writeFileSync(join(folder, "index.json"), site.config(project));
}

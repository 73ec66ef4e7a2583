// The data of the site: the documents of the store in SVC_BENCH_STORE, rendered like the bare loop.
const { BareSite } = await import(new URL("../bare-site.ts", import.meta.url).href);
const site = new BareSite(process.env.SVC_BENCH_STORE);

/** The documents by URL path; each path is a page of the site. */
export const contents = new Map();
export const configs = new Map();
for (const project of site.projects) {
  const folder = `api/v1/projects/${project.id}`;
  for (const { id, document } of site.contents(project)) {
    contents.set(`${folder}/experiences/${id}/content.json`, document);
  }
  configs.set(`${folder}/index.json`, site.config(project));
}

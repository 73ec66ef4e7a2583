// The data of the site: what the store that SVC_BENCH_STORE names serves, made as the bare loop makes it.
const { BareSite } = await import(new URL("../bare-site.ts", import.meta.url).href);
const site = new BareSite(process.env.SVC_BENCH_STORE);

/** The documents, each by its address; the pages of the site are the addresses. */
export const contents = new Map();
export const configs = new Map();
for (const project of site.projects) {
  const folder = `api/v1/projects/${project.id}`;
  for (const { id, document } of site.contents(project)) {
    contents.set(`${folder}/experiences/${id}/content.json`, document);
  }
  configs.set(`${folder}/index.json`, site.config(project));
}

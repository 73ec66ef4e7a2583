import { describe, expect, it } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { apiOf, errorOf, recorded } from "../support/server/client-bed.ts";
import { answer, host } from "../support/server/hosts.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const TOKEN = "token-0123456789abcdef";
const NOT_FOUND = { status: 404, code: "experience-not-found" };

/** Experiences with the key `<id>-key`; `empty` has no content. */
function keyedBed(...ids: readonly string[]): TestBed {
  const bed = new TestBed();
  publishKeyed(bed, ids);
  return bed;
}

function publishKeyed(bed: TestBed, ids: readonly string[]): void {
  const project = projectOf("site", ...ids);
  const experiences = [
    ...project.experiences.map((one) => ({ ...one, key: `${one.id}-key` })),
    { id: "empty", key: "empty-key", name: "Empty", stepIds: [] },
  ];
  const entries = ids.map((id) => page(id, id));
  const projects = [{ ...project, experiences }];
  bed.import(smallWorkspace({ previewToken: TOKEN, projects, entries }));
  bed.publish();
}

/** The paths of a client's requests below the project. */
function bedClient(baseUrl: string, token?: string) {
  const { client, recorder } = recorded(baseUrl, "site", token);
  const asked = () =>
    recorder.exchanges.splice(0).map(({ url }) => url.replace(/^.*\/site|\?.*/g, "") || "config");
  return { client, asked };
}

const content = (id: string) => `/experiences/${id}/content`;

describe("K11: content({ key })", () => {
  it("K11: takes the key for an id first, and asks for no config", async () => {
    const { client, asked } = bedClient(await apiOf(keyedBed("home")));
    expect((await client.content({ key: "home" })).experienceId).toBe("home");
    expect(asked()).toEqual([content("home")]);
  });

  it("K11: finds the id in the config, which is read once for all keys of a release, and for its layouts", async () => {
    const { client, asked } = bedClient(await apiOf(keyedBed("home", "news")));
    const home = await client.content({ key: "home-key" });
    expect(home.experienceId).toBe("home");
    expect((await home.layout("step-home"))?.id).toBe("home");
    expect((await client.content({ key: "news-key" })).experienceId).toBe("news");
    expect(asked()).toEqual([content("home-key"), "config", content("home"), content("news")]);
  });

  it("K11: the config of a draft is revalidated for each", async () => {
    const { client, asked } = bedClient(await apiOf(keyedBed("home")), TOKEN);
    const each = [content("home-key"), "config", content("home")];
    const home = await client.content({ key: "home-key" });
    await home.layout("step-home");
    await client.content({ key: "home-key" });
    expect(asked()).toEqual([...each, ...each]);
  });

  it("K11: a key that the config does not have is an error, after a config that was read now", async () => {
    const bed = keyedBed("home");
    const { client, asked } = bedClient(await apiOf(bed));
    const error = await errorOf(client.content({ key: "constructor" }));
    expect(error).toMatchObject(NOT_FOUND);
    expect(error.detail).toContain('"constructor"');
    expect(asked()).toEqual([content("constructor"), "config"]);
    publishKeyed(bed, ["home", "later"]);
    expect((await client.content({ key: "later-key" })).experienceId).toBe("later");
    expect(asked()).toEqual(["config", content("later")]);
  });
});

it("K6: layout() asks for nothing where the key of the only step is the id, and for the config elsewhere", async () => {
  const collection = { model: "page", id: "page-{id}", layoutName: "page" };
  const projects = [{ ...projectOf("site", "home"), collections: [collection] }];
  const bed = new TestBed(smallWorkspace({ projects, entries: [page("home", "Home")] }));
  bed.publish();
  const { client, asked } = bedClient(await apiOf(bed));
  const found = await client.content({ key: "page-home" });
  expect((await found.layout("page-home"))?.id).toBe("home");
  expect(asked()).toEqual([content("page-home")]);
  expect(await found.layout("none")).toBeUndefined();
  expect(asked()).toEqual(["config"]);
});

it("K17: alternates() leads from an entry to the experience that shows it in each language", async () => {
  const list = { id: "all-{page}", size: 2 };
  const collection = (id: string) => ({ model: "page", id, layoutName: "page", list });
  const steps = [
    { id: "header", key: "header", name: "", layoutName: "", layoutContentId: "news" },
  ];
  const around = { ...collection("seite-{title}"), steps: ["header", "{step}"] };
  const site = (id: string, all: readonly object[]) => {
    return { id, name: "", steps, experiences: [], collections: all };
  };
  const projects = [
    site("en", [collection("page-{id}")]),
    site("de.at", [{ ...around, where: { title: "Heim" } }]),
    site("fr", []),
  ] as never;
  const entries = [page("home", "Heim"), page("news", "News")];
  const bed = new TestBed(smallWorkspace({ projects, entries }));
  bed.publish();
  const client = createClient({ baseUrl: await apiOf(bed), projectId: "en" });
  const languages = { en: "en", "de-AT": "de.at", fr: "fr" };
  const found = await client.alternates({ id: "home" }, languages);
  expect(Object.entries(found).map(([language, { id }]) => [language, id])).toEqual([
    ["en", "page-home"],
    ["de-AT", "seite-Heim"],
  ]);
  expect(await client.alternates({ id: "none" }, languages)).toEqual({});
});

describe("K11: an experience that the project does not have is told from one without content", () => {
  it("K11: by the server", async () => {
    const { client, asked } = bedClient(await apiOf(keyedBed("home")));
    expect(await errorOf(client.content("none"))).toMatchObject(NOT_FOUND);
    expect(asked()).toEqual([content("none")]);
    const empty = { status: 404, code: "experience-content-not-published" };
    expect(await errorOf(client.content("empty"))).toMatchObject(empty);
    expect(await errorOf(client.content({ key: "empty-key" }))).toMatchObject(empty);
  });

  it.each([
    ["answers as if it were not published", '{"code":"experience-content-not-published"}'],
    ["answers a problem document for all it does not have", '{"code":"not-found"}'],
    ["answers a page", "<h1>404</h1>"],
    ["may not say what it has", "<Code>AccessDenied</Code>", 403],
  ])("K11: by the config, where a host of files %s", async (_how, body, status = 404) => {
    const config = { versionId: "v1", steps: [], experiences: [{ id: "empty", key: "k" }] };
    const url = await host((request, response) => {
      if (request.url === "/projects/p") answer(200, JSON.stringify(config))(response);
      else answer(status, body)(response);
    });
    const client = createClient({ baseUrl: url, projectId: "p" });
    expect(await errorOf(client.content("none"))).toMatchObject(NOT_FOUND);
    expect((await errorOf(client.content("empty"))).code).not.toBe(NOT_FOUND.code);
    expect((await errorOf(client.content({ key: "k" }))).code).not.toBe(NOT_FOUND.code);
  });

  it("K11: a project that is missing is named, not the experience", async () => {
    const client = createClient({ baseUrl: await apiOf(keyedBed("home")), projectId: "none" });
    for (const experience of ["home", { key: "home-key" }]) {
      expect((await errorOf(client.content(experience))).code).toBe("project-not-found");
    }
  });
});

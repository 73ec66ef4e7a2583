import { describe, expect, it } from "vitest";
import { ENDPOINTS, refusal, serve } from "../support/server/serving.ts";
import { SURFACES, TestBed } from "../support/test-bed.ts";
import { heldAsset, page, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const PICTURE = heldAsset("pic", "Blåbær & co.png", "no real picture");
const SITE = smallWorkspace({
  previewToken: "t0ken",
  entries: [page("home", "Home", { picture: { assetId: "pic" } })],
  assets: [PICTURE.asset],
  files: new Map([PICTURE.file]),
});
const PICTURE_URL = `/${PICTURE.path.split("/").map(encodeURIComponent).join("/")}`;

async function serveSite() {
  const bed = new TestBed(SITE);
  bed.publish();
  return serve(bed);
}

describe.each(SURFACES)("addresses on the %s surface", (surface) => {
  const query = surface === "preview" ? "?preview_token=t0ken" : "";

  it("H1: the three endpoints respond to GET with a JSON document", async () => {
    const server = await serveSite();
    const [project, schema, content] = await Promise.all(
      ENDPOINTS.map((path) => server.request(path + query)),
    );
    for (const answer of [project, schema, content]) {
      expect(answer?.status).toBe(200);
      expect(answer?.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    }
    expect(JSON.parse(project?.text ?? "")).toMatchObject({ id: "site" });
    expect(JSON.parse(schema?.text ?? "")).toMatchObject({ $id: "svc:project/site/schema" });
    expect(JSON.parse(content?.text ?? "")).toMatchObject({ experienceId: "home" });
  });

  it("H1: HEAD has the headers of GET and no body", async () => {
    const server = await serveSite();
    for (const path of [...ENDPOINTS, PICTURE_URL]) {
      const get = await server.request(path + query);
      const head = await server.request(path + query, { method: "HEAD" });
      expect([head.status, head.text]).toEqual([200, ""]);
      expect(withoutDate(head.headers), path).toEqual(withoutDate(get.headers));
      expect(head.headers.get("Content-Length")).toBe(String(Buffer.byteLength(get.text)));
    }
  });

  it("H1: any other method gets 405 with Allow", async () => {
    const server = await serveSite();
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"]) {
      for (const path of [...ENDPOINTS, PICTURE_URL, "/nowhere"]) {
        const answer = await server.target(path + query, { method });
        expect(refusal(answer), method).toBe("405 method-not-allowed");
        expect(answer.headers.get("Allow"), method).toBe("GET, HEAD, OPTIONS");
      }
    }
  });

  it("H1: other query parameters are ignored", async () => {
    const server = await serveSite();
    const [path] = ENDPOINTS;
    const more = `${query || "?"}&draft=1&token=t0ken&Preview_Token=x&previewToken=x`;
    expect((await server.request(path + more)).text).toBe(
      (await server.request(path + query)).text,
    );
  });
});

describe("addresses", () => {
  it("H1: CORS preflights of any origin get 204 at every path", async () => {
    const server = await serveSite();
    for (const path of [...ENDPOINTS, PICTURE_URL, "/nowhere", "/%ZZ"]) {
      const asked = { Origin: "https://shop.example", "Access-Control-Request-Method": "GET" };
      const { status, headers, text } = await server.request(path, {
        method: "OPTIONS",
        headers: { ...asked, "Access-Control-Request-Headers": "if-none-match" },
      });
      expect([status, text]).toEqual([204, ""]);
      expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(headers.get("Access-Control-Allow-Methods")).toContain("GET");
      expect(headers.get("Access-Control-Allow-Headers")).toBe("*");
    }
  });

  it("H1: every response allows any origin, errors included", async () => {
    const server = await serveSite();
    const [project] = ENDPOINTS;
    const answers = [
      await server.request(project),
      await server.request(project, { headers: { "If-None-Match": "*" } }),
      await server.request(`${project}?preview_token=t0ken`),
      await server.request(PICTURE_URL),
      await server.request("/%ZZ"),
      await server.request(`${project}?preview_token=wrong`),
      await server.request("/nowhere"),
      await server.request(project, { method: "POST", body: "{}" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 304, 200, 200, 400, 401, 404, 405]);
    for (const { headers } of answers) expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
  });

  it("V4b: an asset is served at the url in the content, with its own bytes", async () => {
    const server = await serveSite();
    const { content } = JSON.parse((await server.request(ENDPOINTS[2])).text);
    expect(content[0].data.picture.url).toBe(PICTURE_URL);
    const answer = await server.request(content[0].data.picture.url);
    expect([answer.status, answer.text]).toEqual([200, "no real picture"]);
    expect(answer.headers.get("Content-Type")).toBe("image/png");
  });

  it("H1: a percent-encoded letter equals the letter", async () => {
    const server = await serveSite();
    expect((await server.request("/api/v1/projects/s%69te")).text).toBe(
      (await server.request(ENDPOINTS[0])).text,
    );
  });

  it.each(["CONNECT", "BREW"])(
    "H1: %s, which Node does not pass on, is 405 too",
    async (method) => {
      const server = await serveSite();
      const answer = await server.target(ENDPOINTS[0], { method });
      expect(refusal(answer)).toBe("405 method-not-allowed");
      expect(answer.headers.get("Allow")).toBe("GET, HEAD, OPTIONS");
    },
  );

  it("H1: any other path is 404, names of files included", async () => {
    const server = await serveSite();
    const others = [
      ...["/", "/api", "/api/v1", "/api/v1/projects", "/api/v1/projects/"],
      ...["/api/v1/projects/site/", "/api/v1/projects/site/schema/", "/api/v1/projects/site/other"],
      ...["/api/v1/projects/site/experiences", "/api/v1/projects/site/experiences/home"],
      ...["/api/v1/projects/site/experiences/home/content/", "/api/v1/projects/site/schema/x"],
      ...["/api/v2/projects/site", "/API/v1/projects/site", "/projects/site", "/x/api/v1/projects"],
      ...["/api/v1/projects/site/index.json", "/api/v1/projects/site/schema.json"],
      ...["/manifest.json", "/404.json", "/assets", "/assets/", `${PICTURE_URL}/x`],
    ];
    for (const path of others)
      expect(refusal(await server.request(path)), path).toBe("404 not-found");
  });
});

function withoutDate(headers: Headers) {
  return [...headers].filter(([name]) => name !== "date");
}

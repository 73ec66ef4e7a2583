// node serve-handler-alone.ts <folder>: serves the folder with plain serve-handler; prints its URL.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import serveHandler from "serve-handler";

const [folder = ""] = process.argv.slice(2);
const server = createServer((request, response) => {
  void serveHandler(request, response, { public: folder });
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});

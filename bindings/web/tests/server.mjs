// Servers of files for the page: one of our own that can do everything wrong, and real ones where they are installed.

import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { pageFolder, scratch } from "./harness.mjs";

const TYPES = { html: "text/html; charset=utf-8", js: "text/javascript", css: "text/css" };

/**
 * A server of the page's folder and of `files`, by name. What it does with them is in its fields, and may change:
 * `ranges`, whether it serves them; `headers`, more of them, by function of the request; `fault`, a function of
 * request, response and range that answers itself and then returns true. `log` has each request for one of the files:
 * { name, method, range, bytes }.
 */
export class Server {
  files = new Map();
  ranges = true;
  headers = () => ({});
  fault = () => false;
  log = [];

  static async start() {
    const server = new Server();
    server.http = createServer((request, response) => server.#answer(request, response));
    await new Promise((resume) => server.http.listen(0, "127.0.0.1", resume));
    server.origin = `http://127.0.0.1:${server.http.address().port}`;
    return server;
  }

  stop() {
    this.http.closeAllConnections();
    return new Promise((resume) => this.http.close(resume));
  }

  /** Bytes of files of this name that were sent. */
  sent(name) {
    return this.log.filter((entry) => entry.name === name).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #answer(request, response) {
    const name = decodeURIComponent(new URL(request.url, this.origin).pathname.slice(1));
    const isFile = this.files.has(name);
    const path = join(pageFolder, name || "index.html");
    if (!isFile && !(existsSync(path) && statSync(path).isFile())) {
      if (name !== "favicon.ico") this.log.push({ name, method: request.method, bytes: 0 });
      response.writeHead(404, this.headers(request)).end("none");
      return;
    }
    const bytes = isFile ? this.files.get(name) : readFileSync(path);
    const type = TYPES[name.split(".").pop()] ?? (name ? "application/octet-stream" : TYPES.html);
    const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
    const headers = { "content-type": type, etag: `"${hash}"` };
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const begin = first === undefined ? 0 : Number(first);
    const end = first === undefined ? bytes.length : Math.min(bytes.length, Number(last) + 1);
    // A browser that keeps other ranges asks for more of the same version, or else for all (RFC 9110, 13.1.5).
    const condition = request.headers["if-range"] ?? headers.etag;
    const isRange = first !== undefined && this.ranges && isFile && condition === headers.etag;
    const entry = { name, method: request.method, range: isRange ? [begin, end] : null, bytes: 0 };
    if (isFile) this.log.push(entry);
    if (isFile && this.fault(request, response, [begin, end])) return;
    if (isRange && begin >= bytes.length) {
      const range = { "content-range": `bytes */${bytes.length}` };
      response.writeHead(416, { ...headers, ...range, ...this.headers(request) }).end();
      return;
    }
    const body = isRange ? bytes.subarray(begin, end) : bytes;
    headers["content-length"] = body.length;
    if (isRange) headers["content-range"] = `bytes ${begin}-${end - 1}/${bytes.length}`;
    if (isFile) Object.assign(headers, this.headers(request));
    response.writeHead(isRange ? 206 : 200, headers);
    if (request.method === "HEAD") response.end();
    else response.end(body);
    if (request.method !== "HEAD") entry.bytes = body.length;
  }
}

/** Whether a program is installed. */
export function isInstalled(program) {
  try {
    execFileSync("which", [program], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A port that nobody has. */
function freePort() {
  return new Promise((resume) => {
    const server = createTcpServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resume(port));
    });
  });
}

/** Runs a program that serves files on a port until `stop`. */
async function serving(program, words, port) {
  const child = spawn(program, words, { stdio: "ignore" });
  for (let attempt = 0; ; attempt++) {
    const isOpen = await new Promise((resume) => {
      const socket = connect(port, "127.0.0.1", () => resume(true)).on("error", () => resume(false));
      socket.on("connect", () => socket.end());
    });
    if (isOpen) break;
    if (attempt > 100) throw new Error(`${program} does not serve`);
    await new Promise((resume) => setTimeout(resume, 50));
  }
  return { origin: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

/** nginx, as Debian has it, with a folder and its usual settings; it serves ranges. */
export async function nginx(folder) {
  const port = await freePort();
  const home = join(scratch, `nginx-${port}`);
  mkdirSync(home);
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const paths = kinds.map((name) => `${name}_temp_path ${home}/${name};`);
  writeFileSync(join(home, "nginx.conf"), `
    daemon off; master_process off; pid ${home}/pid; error_log ${home}/error.log;
    events {}
    http {
      ${paths.join(" ")}
      access_log ${home}/access.log;
      types { text/html html; text/css css; application/javascript js; }
      charset utf-8;
      server { listen 127.0.0.1:${port}; root ${folder}; }
    }`);
  const server = await serving("nginx", ["-c", join(home, "nginx.conf"), "-p", home], port);
  // The last number of a line is the bytes of the body: "GET /games.plz HTTP/1.1" 206 8192
  const lines = () => readFileSync(join(home, "access.log"), "utf8").trim().split("\n");
  const sent = (name) => lines()
    .map((line) => /"GET \/(\S*) HTTP[^"]*" (\d+) (\d+)/.exec(line))
    .filter((found) => found?.[1] === name)
    .reduce((sum, found) => sum + Number(found[3]), 0);
  return { ...server, sent };
}

/** The server of Python, which serves no ranges. */
export async function python(folder) {
  const port = await freePort();
  return serving("python3", ["-m", "http.server", "--bind", "127.0.0.1", "--directory", folder, String(port)], port);
}

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestProject } from "vitest/node";
import { freePort } from "../support/server/free-port.ts";

/** The user of the store, with all permissions. */
export const S3_USER = { accessKeyId: "test", secretAccessKey: "testtest" } as const;

declare module "vitest" {
  export interface ProvidedContext {
    /** The endpoint of the suite's S3 server. */
    s3: string;
  }
}

/** One S3 server for the suite. */
export default async function setup(project: TestProject) {
  const { endpoint, stop } = await startCeph();
  project.provide("s3", endpoint);
  return stop;
}

/** A running S3 server. */
export interface S3Server {
  /** With 127.0.0.1 as host, no final slash. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

/**
 * Starts a Ceph cluster in memory on the loopback: a monitor, an OSD and the S3 gateway. The daemons
 * die with the process that started them, however it ends.
 */
export async function startCeph(): Promise<S3Server> {
  assertPrograms();
  for (let attempt = 1; ; attempt += 1) {
    const cluster = new Cluster(mkdtempSync(join(tmpdir(), PREFIX)));
    try {
      return await cluster.start();
    } catch (error) {
      await cluster.stop();
      // Another process may have bound a port that was free.
      if (attempt === START_ATTEMPTS) throw error;
    }
  }
}

const PREFIX = "svc-ceph-";
const START_ATTEMPTS = 3;

const PROGRAMS = ["ceph-mon", "ceph-osd", "radosgw", "radosgw-admin", "ceph", "monmaptool"];

function assertPrograms(): void {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const missing = [...PROGRAMS, "setpriv"].filter(
    (program) => !folders.some((folder) => existsSync(join(folder, program))),
  );
  if (missing.length === 0) return;
  throw new Error(
    `these tests need a real S3 server, and ${missing.join(", ")} cannot be found: ` +
      "on Debian, apt-get install --no-install-recommends radosgw ceph-mon ceph-osd",
  );
}

class Cluster {
  readonly #folder: string;
  readonly #daemons: { readonly name: string; readonly process: ChildProcess }[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  async start(): Promise<S3Server> {
    const fsid = crypto.randomUUID();
    const [monitorPort, gatewayPort] = await Promise.all([freePort(), freePort()]);
    for (const name of ["mon", "osd", "rgw", "run", "log", "crash"]) {
      mkdirSync(join(this.#folder, name));
    }
    const place = { folder: this.#folder, fsid, monitorPort, gatewayPort };
    writeFileSync(join(this.#folder, "ceph.conf"), cephConfiguration(place));
    const monitor = `[v2:127.0.0.1:${monitorPort}]`;
    this.#run("monmaptool", "--create", "--fsid", fsid, "--addv", "a", monitor, "monmap");
    this.#run("ceph-mon", "-i", "a", "--mkfs", "--monmap", "monmap");
    this.#spawn("ceph-mon", "-i", "a", "-f");
    const uuid = crypto.randomUUID();
    const id = this.#run("ceph", "osd", "new", uuid).trim();
    this.#run("ceph-osd", "-i", id, "--mkfs", "--osd-uuid", uuid);
    this.#spawn("ceph-osd", "-i", id, "-f");
    const keys = ["--access-key", S3_USER.accessKeyId, "--secret", S3_USER.secretAccessKey];
    this.#run("radosgw-admin", "user", "create", "--uid=svc", "--display-name=svc", ...keys);
    this.#spawn("radosgw", "-n", "client.rgw.a", "-f");
    const endpoint = `http://127.0.0.1:${gatewayPort}`;
    await this.#waitUntilReady(endpoint);
    return { endpoint, stop: () => this.stop() };
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.#daemons.map(({ process: daemon }) => {
        const ended = new Promise((resolve) => daemon.once("exit", resolve));
        return daemon.kill("SIGKILL") ? ended : undefined;
      }),
    );
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Waits for the first successful response of the gateway. */
  async #waitUntilReady(endpoint: string): Promise<void> {
    for (const deadline = Date.now() + START_TIME; Date.now() < deadline; await sleep(50)) {
      const ended = this.#daemons.find(({ process: { exitCode } }) => exitCode !== null);
      if (ended !== undefined) throw new Error(`${ended.name} exited: ${this.#logOf(ended)}`);
      const response = await fetch(`${endpoint}/`).catch(() => undefined);
      if (response?.ok) return;
    }
    throw new Error(
      `Ceph's gateway does not respond: ${this.#daemons.map(this.#logOf).join("\n")}`,
    );
  }

  #logOf = ({ name }: { name: string }) => readFileSync(this.#output(name), "utf8");

  #output(name: string): string {
    return join(this.#folder, "log", `${name}.out`);
  }

  #run(program: string, ...args: readonly string[]): string {
    const { status, stdout, stderr, error } = spawnSync(
      "setpriv",
      [...KILL_WITH_PARENT, program, ...args],
      {
        ...this.#options(),
        encoding: "utf8",
        timeout: START_TIME,
      },
    );
    if (status === 0) return stdout;
    throw new Error(`${program} ${args[0]} failed: ${error?.message ?? ""} ${stderr}`);
  }

  #spawn(name: string, ...args: readonly string[]): void {
    const log = openSync(this.#output(name), "a");
    const daemon = spawn("setpriv", [...KILL_WITH_PARENT, name, ...args], {
      ...this.#options(),
      stdio: ["ignore", log, log],
      // Ctrl-C must not reach the daemons: the tests stop them.
      detached: true,
    });
    this.#daemons.push({ name, process: daemon });
  }

  #options() {
    const conf = join(this.#folder, "ceph.conf");
    return {
      cwd: this.#folder,
      env: { ...process.env, CEPH_CONF: conf, CEPH_ARGS: `-c ${conf}` },
    };
  }
}

/** Time limit of each step of the start, in milliseconds. */
const START_TIME = 60_000;

/** Arguments of `setpriv`: the kernel kills the program when this process ends. */
const KILL_WITH_PARENT = ["--pdeathsig", "KILL"];

/** Where a cluster keeps its files, and its ports. */
interface CephPlace {
  readonly folder: string;
  readonly fsid: string;
  readonly monitorPort: number;
  readonly gatewayPort: number;
}

/** The file `ceph.conf` of one monitor, one store and one gateway, all on the loopback. */
function cephConfiguration({ folder, fsid, monitorPort, gatewayPort }: CephPlace): string {
  const place = (name: string) => join(folder, name);
  return `[global]
fsid = ${fsid}
mon_host = v2:127.0.0.1:${monitorPort}
mon_initial_members = a
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
ms_bind_ipv6 = false
ms_bind_msgr1 = false
ms_mon_client_mode = crc
run_dir = ${place("run")}
# Unused; the path of a temporary folder may be too long for a socket.
admin_socket =
log_file = ${place("log/$name.log")}
crash_dir = ${place("crash")}
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_max_pg_per_osd = 2000
[mon]
mon_data = ${place("mon")}
mon_allow_pool_size_one = true
# A disk that is nearly full stops a monitor.
mon_data_avail_warn = 1
mon_data_avail_crit = 0
mon_osd_min_up_ratio = 0
mon_mgr_beacon_grace = 86400
paxos_propose_interval = 0.05
paxos_min_wait = 0.02
[osd]
osd_data = ${place("osd")}
osd_objectstore = memstore
memstore_device_bytes = 2147483648
osd_crush_initial_weight = 1
osd_max_object_name_len = 460
osd_max_object_namespace_len = 64
osd_class_load_list = *
osd_class_default_list = *
[client]
rgw_data = ${place("rgw")}
rgw_frontends = beast endpoint=127.0.0.1:${gatewayPort} tcp_nodelay=1
rgw_thread_pool_size = 64
rgw_enable_usage_log = false
rgw_enable_ops_log = false
rgw_run_sync_thread = false
rgw_dynamic_resharding = false
rgw_override_bucket_index_max_shards = 1
rgw_rados_pool_pg_num_min = 4
`;
}

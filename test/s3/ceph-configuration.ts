import { join } from "node:path";

/** Where a cluster keeps its files, and its ports. */
export interface CephPlace {
  readonly folder: string;
  readonly fsid: string;
  readonly monitorPort: number;
  readonly gatewayPort: number;
}

/** The file `ceph.conf` of one monitor, one store and one gateway, all on the loopback. */
export function cephConfiguration({ folder, fsid, monitorPort, gatewayPort }: CephPlace): string {
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

# The rows of ioledger's tables: one per job and direction, with every column that stands in a report (no hash, no id, no
# check, nothing computed), and one per percentile.
. as $doc | .jobs[] as $job | ("read", "write") as $direction | $job[$direction] | select(.total_ios > 0)
| ([input_filename, $doc["fio version"], $doc.timestamp_ms, $job.jobname, $job.groupid, $job.job_start, $job.total_err,
    $direction,
    (($doc["global options"] + $job["job options"])
     | .rw, .rwmixread, .bs, .iodepth, .numjobs, .ioengine, .direct, tojson),
    .runtime, .total_ios, .io_bytes, .iops, .bw_bytes, .bw, .iops_min, .iops_max, .iops_mean, .iops_stddev, .bw_min,
    .bw_max, .bw_mean, .bw_dev, .bw_samples,
    ((.lat_ns, .clat_ns, .slat_ns) | .mean, .min, .max, .stddev), .lat_ns.N, $job.usr_cpu, $job.sys_cpu] | @csv),
  (("lat_ns", "clat_ns", "slat_ns") as $kind | .[$kind].percentile // {} | to_entries[]
   | [input_filename, $job.jobname, $direction, $kind, (.key | tonumber), .value] | @csv)

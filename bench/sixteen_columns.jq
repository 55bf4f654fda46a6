# One row per job and direction: sixteen columns, no percentiles but four. Less than what ioledger reads.
. as $doc | .jobs[] as $job | ("read", "write") as $direction | $job[$direction] | select(.total_ios > 0)
| [input_filename, $job.jobname, $direction, $doc["global options"].bs, $job["job options"].iodepth, .iops, .bw_bytes,
   .io_bytes, .total_ios, .runtime, .lat_ns.mean, .clat_ns.mean, .clat_ns.percentile["50.000000"],
   .clat_ns.percentile["99.000000"], .clat_ns.percentile["99.900000"], .clat_ns.percentile["99.990000"]] | @csv

// Three lines for each format that run where the file lies (a test runs them): the highest IOPS of single drives.
const of = `metric = 'operations_per_second' and load_profile = '4 KiB random read' and drive_count = 1`;

export const examples = [
  {form: "duckdb", file: "download/ioledger.duckdb", code: `import duckdb
tables = duckdb.connect("ioledger.duckdb", read_only=True)
one = "${of}"
print(tables.sql(f"select device, peak_value from peaks where {one} order by peak_value desc limit 5"))`},
  {form: "parquet", file: "download/marts/peaks.parquet", code: `import duckdb
peaks = duckdb.read_parquet("peaks.parquet")
one = "${of}"
print(peaks.filter(one).order("peak_value desc").project("device, peak_value").limit(5))`},
  {form: "arrow", file: "download/marts/peaks.arrow", code: `import pyarrow.compute as pc, pyarrow.ipc
peaks = pyarrow.ipc.open_file("peaks.arrow").read_all()
one = (pc.field("metric") == "operations_per_second") & (pc.field("load_profile") == "4 KiB random read") & (pc.field("drive_count") == 1)
print(*peaks.filter(one).sort_by([("peak_value", "descending")]).select(["device", "peak_value"])[:5].to_pylist(), sep="\\n")`},
  {form: "csv", file: "download/marts/peaks.csv.gz", code: `import csv, gzip
peaks = csv.DictReader(gzip.open("peaks.csv.gz", "rt", encoding="utf-8", newline=""))
one = [each for each in peaks if (each["metric"], each["load_profile"], each["drive_count"]) == ("operations_per_second", "4 KiB random read", "1")]
print(*sorted(((float(each["peak_value"]), each["device"]) for each in one), reverse=True)[:5], sep="\\n")`}
];

// How each form of the tables is used, in three lines that run as they stand where the file lies; a test runs them.
export const examples = [
  {form: "duckdb", file: "download/ioledger.duckdb", code: `import duckdb
tables = duckdb.connect("ioledger.duckdb", read_only=True)
print(tables.sql("select device, load_profile, peak_value from peaks order by peak_value desc limit 5"))`},
  {form: "parquet", file: "download/marts/peaks.parquet", code: `import duckdb
peaks = duckdb.read_parquet("peaks.parquet")
print(peaks.order("peak_value desc").project("device, load_profile, peak_value").limit(5))`},
  {form: "arrow", file: "download/marts/peaks.arrow", code: `import pyarrow.ipc
peaks = pyarrow.ipc.open_file("peaks.arrow").read_all()
print(*peaks.select(["device", "load_profile", "peak_value"]).sort_by([("peak_value", "descending")])[:5].to_pylist(), sep="\\n")`},
  {form: "csv", file: "download/marts/peaks.csv.gz", code: `import csv, gzip
peaks = list(csv.DictReader(gzip.open("peaks.csv.gz", "rt", encoding="utf-8", newline="")))
print(*sorted((float(peak["peak_value"]), peak["device"], peak["load_profile"]) for peak in peaks)[-5:], sep="\\n")`}
];

// What four commands print of ten reports of fio; written by tools/own_results.py, and held by a test.
export const tried = [
  {
    "id": "parse",
    "command": "ioledger parse before --format table --quiet",
    "output": "below before/:\nfile                   test   operation  block  depth    IOPS   MB/s  mean µs  p99 µs\nrandom-read-4k.1.json  qd001  read       4 KiB      1     323  1.323    3,093  13,828\nrandom-read-4k.1.json  qd004  read       4 KiB      4   2,250  9.216    1,777  11,993\nrandom-read-4k.1.json  qd016  read       4 KiB     16   4,282  17.54    3,735  20,316\nrandom-read-4k.2.json  qd001  read       4 KiB      1   310.3  1.271    3,220  13,304\nrandom-read-4k.2.json  qd004  read       4 KiB      4   2,905   11.9    1,376   8,978\nrandom-read-4k.2.json  qd016  read       4 KiB     16  10,393  42.57    1,539  10,289\nrandom-read-4k.3.json  qd001  read       4 KiB      1   319.8   1.31    3,125  15,139\nrandom-read-4k.3.json  qd004  read       4 KiB      4   1,604  6.568    2,493  11,993\nrandom-read-4k.3.json  qd016  read       4 KiB     16   5,946  24.35    2,690  12,386\nrandom-read-4k.4.json  qd001  read       4 KiB      1   2,105  8.621    474.3   6,914\nrandom-read-4k.4.json  qd004  read       4 KiB      4   4,356  17.84    917.7   8,028\nrandom-read-4k.4.json  qd016  read       4 KiB     16   5,349  21.91    2,990  17,695\nrandom-read-4k.5.json  qd001  read       4 KiB      1   1,307  5.353    764.2   8,028\nrandom-read-4k.5.json  qd004  read       4 KiB      4   1,520  6.228    2,629  11,993\nrandom-read-4k.5.json  qd016  read       4 KiB     16   7,508  30.75    2,130  10,813\nMB/s: 10⁶ bytes a second. KiB, MiB: 2¹⁰, 2²⁰ bytes. IOPS: operations a second. Depth: I/Os outstanding. Mean, p99: latency in 10⁻⁶ s; p99 is of completion where the whole latency has none. Empty: not stated.",
    "code": 0
  },
  {
    "id": "gate",
    "command": "ioledger gate before after",
    "output": "Worse: random read, 4 KiB, depth 16 -81.5 %\npoint                          metric   before   after   change    95 % interval         verdict\n───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────\nrandom read, 4 KiB, depth 1    IOPS     615.3    689.3   +12.0 %   -64.8 % to +256.7 %   undecided: the interval holds 1 and goes beyond the margin\nrandom read, 4 KiB, depth 4    IOPS     2,335    1,740   -25.5 %   -51.7 % to +14.8 %    undecided: the interval holds 1 and goes beyond the margin\nrandom read, 4 KiB, depth 16   IOPS     6,387    1,183   -81.5 %   -87.5 % to -72.5 %    worse\nwhole sweep                    IOPS                      -46.3 %   -71.3 % to +0.3 %     undecided: the interval holds 1 and goes beyond the margin\n3 compared; 5 and 5 runs; the sides took turns: neighbours are compared as pairs.",
    "code": 1
  },
  {
    "id": "plan",
    "command": "ioledger plan random-read-4k --tool fio --target test.dat --depths 1,4,16 --seconds 60 --gate --spread-from before --show 60% --before \"echo 128 >/sys/block/loop0/queue/nr_requests\" --after \"echo 4 >/sys/block/loop0/queue/nr_requests\"",
    "output": "plan/preparation.fio\nplan/random-read-4k.fio\nplan/run.sh\nplan/steps.txt\nMeasuring takes 1 h 31 min 00 s. Before it 32 GiB is written once, about 69 s at 500 MB/s. Together about 1 h 32 min 09 s.\n13 runs a side, taking turns: a loss of 60 % at one point is found in 82 of 100 cases, as the runs in before spread, by 62 %, the widest by 92 %.\nFor a point to be shown equal within 1.05 in 80 of 100 cases: 2769 runs a side.",
    "code": 0
  },
  {
    "id": "report",
    "command": "ioledger report before after -o change.html",
    "output": "change.html",
    "code": 0
  }
];

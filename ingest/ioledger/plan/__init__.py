"""Job files for named load profiles: what ``ioledger plan`` writes, for fio, Iometer and ORION."""

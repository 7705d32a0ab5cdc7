"""The core: money, editions, lock and table service; knows no pins and no Flask."""

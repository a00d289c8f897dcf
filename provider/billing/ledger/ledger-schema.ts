/**
 * Tables of a `Ledger`, one migration per array item. `entries`, `postings` and `images` are append-only, but account
 * deletion erases personal data in `images`. An image is the content of a journaled record after an entry, so these
 * records can be rebuilt from all images.
 */
export const LEDGER_SCHEMA = [
  `CREATE TABLE entries (
     entry_id INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL
   ) STRICT;
   CREATE TABLE postings (
     posting_id INTEGER PRIMARY KEY, entry_id INTEGER NOT NULL REFERENCES entries (entry_id),
     account TEXT NOT NULL, cents INTEGER NOT NULL, currency TEXT NOT NULL
   ) STRICT;
   CREATE INDEX postings_account ON postings (account, cents);
   CREATE TABLE images (
     image_id INTEGER PRIMARY KEY, entry_id INTEGER NOT NULL REFERENCES entries (entry_id),
     kind TEXT NOT NULL, id TEXT NOT NULL, body TEXT
   ) STRICT;
   CREATE TABLE records (
     kind TEXT NOT NULL, id TEXT NOT NULL, due INTEGER, body TEXT NOT NULL, PRIMARY KEY (kind, id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX records_due ON records (due) WHERE due IS NOT NULL;
   CREATE TABLE outbox (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
   CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE self (account TEXT NOT NULL) STRICT;`,
] as const

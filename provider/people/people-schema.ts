/**
 * Schema migration step that creates the tables for people. Events store person tokens instead of names
 * (person-token.ts).
 */
export const PEOPLE_SCHEMA_STEP = `
  CREATE TABLE recognition (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    is_on INTEGER NOT NULL,
    guests INTEGER NOT NULL,
    takes_names INTEGER NOT NULL,
    salt TEXT NOT NULL,
    last_person INTEGER NOT NULL DEFAULT 0
  );
  /* merged_into: the person whose name these clips show; merged_at in ms UTC. */
  CREATE TABLE people (
    person INTEGER PRIMARY KEY,
    name TEXT,
    hidden INTEGER NOT NULL DEFAULT 0,
    added_at INTEGER NOT NULL,
    merged_into INTEGER,
    merged_at INTEGER
  );
  /* face: keyed hash of what a recognizer calls this face. */
  CREATE TABLE people_faces (face TEXT PRIMARY KEY, person INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX people_faces_person ON people_faces (person);
`

/** Schema migration step that creates the table of people whom the owner has marked as different. */
export const DIFFERENT_PEOPLE_SCHEMA_STEP = `
  /* person < other; marked_at in ms UTC. */
  CREATE TABLE different_people (
    person INTEGER NOT NULL,
    other INTEGER NOT NULL,
    marked_at INTEGER NOT NULL,
    PRIMARY KEY (person, other)
  ) WITHOUT ROWID;
`

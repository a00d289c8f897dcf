import type { SqlStorage } from '@cloudflare/workers-types'

type ObjectColumn = 'clip_object' | 'thumb_object'

const NAME_AFFIXES = {
  clip_object: ['/clip/', '.mp4'],
  thumb_object: ['/thumb/', '.jpg'],
} as const

/**
 * SQL condition: the object does not have the name of its event. Bridges name objects after events, so only demo events
 * and events of other bridges meet this condition. Index entries of other events would only cost written rows.
 */
const createOtherNameSql = (column: ObjectColumn) => {
  const [prefix, suffix] = NAME_AFFIXES[column]
  const name = `substr(${column}, -${prefix.length + suffix.length} - length(event_id))`
  return `(${column} NOT GLOB 'h/*' OR ${name} <> '${prefix}' || event_id || '${suffix}')`
}

/** Returns SQL for the name in an object's key. */
function createNameSql(column: ObjectColumn, object: string): string {
  const [prefix, suffix] = NAME_AFFIXES[column]
  const start = `instr(${object}, '${prefix}') + ${prefix.length}`
  return `substr(${object}, ${start}, length(${object}) - (${start}) - ${suffix.length - 1})`
}

/** Objects per row of `doomed_batches`, and about the number that one retention step deletes. */
export const MAX_OBJECTS_PER_BATCH = 400

/**
 * Schema step that writes fewer rows per event: indexes without the objects that have the name of their event, one row
 * for all objects that a retention step deletes, and no index entry for tombstones by their time.
 */
export const MEDIA_OBJECTS_SCHEMA_STEP = `
  DROP INDEX events_clip;
  DROP INDEX events_thumb;
  CREATE INDEX events_other_clip ON events (clip_object) WHERE ${createOtherNameSql('clip_object')};
  CREATE INDEX events_other_thumb ON events (thumb_object) WHERE ${createOtherNameSql('thumb_object')};
  DROP INDEX events_gone;
  CREATE INDEX events_deleted ON events (gone, gone_at) WHERE gone = 'deleted';
  /* objects: JSON list of keys to delete if no event uses them. */
  CREATE TABLE doomed_batches (batch INTEGER PRIMARY KEY, objects TEXT NOT NULL);
  INSERT INTO doomed_batches (objects) SELECT json_group_array(object) FROM (
    SELECT object, (row_number() OVER (ORDER BY object) - 1) / ${MAX_OBJECTS_PER_BATCH} AS part FROM doomed_objects
  ) GROUP BY part;
  DROP TABLE doomed_objects;
`

/** Returns SQL that selects the ids of the events with an object. `object`: SQL for its key. */
export const selectEventsByObject = (column: ObjectColumn, object: string) =>
  `SELECT event_id FROM events WHERE event_id = ${createNameSql(column, object)} AND ${column} = ${object}
   UNION ALL SELECT event_id FROM events WHERE ${column} = ${object} AND ${createOtherNameSql(column)}`

/** Returns the objects that no event uses, among `objects`. */
export function listUnusedObjects(sql: SqlStorage, objects: readonly string[]): string[] {
  if (objects.length === 0) return []
  return sql
    .exec<{ object: string }>(
      `SELECT value AS object FROM json_each(?) AS listed
       WHERE NOT EXISTS (${selectEventsByObject('clip_object', 'listed.value')})
         AND NOT EXISTS (${selectEventsByObject('thumb_object', 'listed.value')})`,
      JSON.stringify(objects),
    )
    .toArray()
    .map(({ object }) => object)
}

/** Queues objects for deletion. The retention step deletes those that no event uses. */
export function queueObjectDeletion(sql: SqlStorage, objects: readonly string[]): void {
  for (let at = 0; at < objects.length; at += MAX_OBJECTS_PER_BATCH)
    sql.exec(
      'INSERT INTO doomed_batches (objects) VALUES (?)',
      JSON.stringify(objects.slice(at, at + MAX_OBJECTS_PER_BATCH)),
    )
}

export interface QueuedObjects {
  /** Objects to delete from storage. Shared demo objects stay in storage. */
  readonly unused: readonly string[]
  /** Last row of `doomed_batches` that was read, null for none. */
  readonly lastBatch: number | null
  /** True if further rows remain. */
  readonly hasMore: boolean
}

/** Returns the next objects to delete: the oldest batches, with at least `MAX_OBJECTS_PER_BATCH` objects if queued. */
export function readQueuedObjects(sql: SqlStorage): QueuedObjects {
  const batches = sql
    .exec<{ batch: number; objects: string }>('SELECT batch, objects FROM doomed_batches ORDER BY batch LIMIT 100')
    .toArray()
  const objects = new Set<string>()
  let count = 0
  for (const batch of batches) {
    if (objects.size >= MAX_OBJECTS_PER_BATCH) break
    for (const object of JSON.parse(batch.objects) as string[]) objects.add(object)
    count += 1
  }
  return {
    unused: listUnusedObjects(sql, [...objects]).filter((object) => object.startsWith('h/')),
    lastBatch: batches[count - 1]?.batch ?? null,
    hasMore: count < batches.length || batches.length === 100,
  }
}

/** Removes the batches up to `lastBatch` from the queue, after their objects were deleted. */
export function deleteQueuedBatches(sql: SqlStorage, lastBatch: number): void {
  sql.exec('DELETE FROM doomed_batches WHERE batch <= ?', lastBatch)
}

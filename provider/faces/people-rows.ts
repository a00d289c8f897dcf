import { createHash } from 'node:crypto'
import type { SqlStorage } from '@cloudflare/workers-types'
import { EVENT_TAGS, TAG_OF_WORD } from '../../contract/event-tags.ts'

/** A person that cameras know by name. */
export interface Person {
  readonly person_id: string
  readonly name: string
  readonly events: number
  readonly last_seen: number
}

/** Values that name what is seen or heard; the others are names of people (OPEN-64). */
const WORDS = JSON.stringify(
  [...Object.keys(TAG_OF_WORD), ...EVENT_TAGS.map(({ name }) => name)].map((word) => word.toLowerCase()),
)

/** Who these cameras have seen since then, the most seen first; `free`: only in events that every plan shows. */
export function listPeople(sql: SqlStorage, devices: readonly string[], since: number, free: boolean): Person[] {
  const rows = sql.exec<Omit<Person, 'person_id'>>(
    `SELECT min(value) AS name, count(DISTINCT event_id) AS events, max(event_ts) AS last_seen
     FROM events, json_each(labels)
     WHERE gone IS NULL AND event_ts >= ?1 AND +device_id IN (SELECT value FROM json_each(?2)) AND free >= ?3
       AND label_index <> '' AND lower(value) NOT IN (SELECT value FROM json_each(?4))
     GROUP BY lower(value) ORDER BY events DESC, last_seen DESC, name`,
    since,
    JSON.stringify(devices),
    free ? 1 : 0,
    WORDS,
  )
  return rows.toArray().map((row) => ({ person_id: personId(row.name), ...row }))
}

/** A person goes by its name: the same in every answer, whatever it is spelt with. */
function personId(name: string): string {
  return `person_${createHash('sha256').update(name.toLowerCase()).digest('hex').slice(0, 24)}`
}

import { createHash } from 'node:crypto'
import type { SqlStorage } from '@cloudflare/workers-types'
import { EVENT_TAGS, TAG_OF_WORD } from '../../contract/event-tags.ts'
import { shownSql, type View, viewJson } from '../plans/view.ts'

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

/** Who was seen since then in events that the view shows, the most seen first. */
export function listPeople(sql: SqlStorage, view: View, since: number): Person[] {
  const rows = sql.exec<Omit<Person, 'person_id'>>(
    `SELECT min(people.value) AS name, count(DISTINCT event_id) AS events, max(event_ts) AS last_seen
     FROM events, json_each(labels) AS people
     WHERE gone IS NULL AND event_ts >= ?1 AND ${shownSql(view, '?2')}
       AND label_index <> '' AND lower(people.value) NOT IN (SELECT value FROM json_each(?3))
     GROUP BY lower(people.value) ORDER BY events DESC, last_seen DESC, name`,
    since,
    viewJson(view),
    WORDS,
  )
  return rows.toArray().map((row) => ({ person_id: personId(row.name), ...row }))
}

/** A person goes by its name: the same in every answer, whatever it is spelt with. */
function personId(name: string): string {
  return `person_${createHash('sha256').update(name.toLowerCase()).digest('hex').slice(0, 24)}`
}

import { createHash } from 'node:crypto'
import type { SqlStorage } from '@cloudflare/workers-types'
import { EVENT_TAGS, TAG_OF_WORD } from '../../contract/event-tags.ts'
import { breathe } from '../base/breathe.ts'
import { boundary, rangeOf, type Doc } from '../events/doc-rows.ts'
import { shownSql, viewBegins, type View, viewJson } from '../plans/view.ts'

/** People are read off so many of the newest events, some of them a step. */
const READ = 100_000
const STEP = 5000

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

type PersonRow = Omit<Person, 'person_id'>

/** Who was seen in the events of a range of the index, from `from` to before `before`, that the view shows. */
export function peopleIn(sql: SqlStorage, view: View, { from, before }: { from: Doc; before: Doc }): PersonRow[] {
  return sql
    .exec<PersonRow>(
      `SELECT min(people.value) AS name, count(DISTINCT event_id) AS events, max(event_ts) AS last_seen
       FROM events, json_each(labels) AS people
       WHERE doc >= CAST(?1 AS INTEGER) AND doc < CAST(?2 AS INTEGER) AND gone IS NULL AND ${shownSql(view, '?3')}
         AND label_index <> '' AND lower(people.value) NOT IN (SELECT value FROM json_each(?4))
       GROUP BY lower(people.value)`,
      from,
      before,
      viewJson(view),
      WORDS,
    )
    .toArray()
}

/** Who was seen in the newest events that the view shows, `READ` at most, the most seen first. Others are let in between the steps. */
export async function listPeople(sql: SqlStorage, view: View, now: number): Promise<Person[]> {
  if (view.length === 0) return []
  const people = new Map<string, PersonRow>()
  let { from, before } = rangeOf(sql, { start: viewBegins(view), end: now })
  const first = from
  for (let read = 0; read < READ; read += STEP) {
    const edge = boundary(sql, { from: first, before }, STEP)
    from = edge?.doc ?? first
    for (const row of peopleIn(sql, view, { from, before })) {
      const key = row.name.toLowerCase()
      const { name, events, last_seen } = people.get(key) ?? { ...row, events: 0 }
      const least = name < row.name ? name : row.name
      people.set(key, { name: least, events: events + row.events, last_seen: Math.max(last_seen, row.last_seen) })
    }
    if (edge === null) break
    before = edge.doc
    await breathe()
  }
  const order = (a: PersonRow, b: PersonRow) =>
    b.events - a.events || b.last_seen - a.last_seen || (a.name < b.name ? -1 : 1)
  return [...people.values()].sort(order).map((row) => ({ person_id: personId(row.name), ...row }))
}

/** A person goes by its name: the same in every answer, whatever it is spelt with. */
function personId(name: string): string {
  return `person_${createHash('sha256').update(name.toLowerCase()).digest('hex').slice(0, 24)}`
}

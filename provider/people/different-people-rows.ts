import type { SqlStorage } from '@cloudflare/workers-types'

/** Maximum pairs of different people per home. Storing another pair deletes the oldest one. */
export const MAX_DIFFERENT_PAIRS = 2000

/** Stores that two people are different. `now`: ms UTC. */
export function storeDifferentPair(sql: SqlStorage, a: number, b: number, now: number): void {
  sql.exec(
    'INSERT OR REPLACE INTO different_people (person, other, marked_at) VALUES (?, ?, ?)',
    Math.min(a, b),
    Math.max(a, b),
    now,
  )
  sql.exec(
    `DELETE FROM different_people WHERE (person, other) IN
       (SELECT person, other FROM different_people ORDER BY marked_at DESC, person, other LIMIT -1 OFFSET ?)`,
    MAX_DIFFERENT_PAIRS,
  )
}

export function deleteDifferentPair(sql: SqlStorage, a: number, b: number): void {
  sql.exec('DELETE FROM different_people WHERE person = ? AND other = ?', Math.min(a, b), Math.max(a, b))
}

export const listDifferentPairs = (sql: SqlStorage): { person: number; other: number }[] =>
  sql.exec<{ person: number; other: number }>('SELECT person, other FROM different_people').toArray()

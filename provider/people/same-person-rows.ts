import type { SqlStorage } from '@cloudflare/workers-types'
import { buildVisibleEventsSql, type EventVisibility, serializeVisibility } from '../billing/plans/event-visibility.ts'
import { buildLabelQuery } from './people-rows.ts'

/** Clip that shows people. `begin` and `end`: ms UTC. `labels`: values of the event, JSON. */
export type PeopleClipRow = { device_id: string; begin: number; end: number; labels: string }

/**
 * Returns the visible clips with any of these person tokens, oldest first. Reads only the newest `limit` clips with
 * these tokens.
 */
export function listPeopleClips(
  sql: SqlStorage,
  visibility: EventVisibility,
  tokens: readonly string[],
  limit: number,
): PeopleClipRow[] {
  const rows = sql.exec<PeopleClipRow>(
    `SELECT device_id, event_ts AS begin, max(event_ts, coalesce(clip_end, event_ts)) AS end, labels FROM events
     WHERE doc IN (SELECT rowid FROM search_index WHERE search_index MATCH ?1 ORDER BY rowid DESC LIMIT ?3)
       AND gone IS NULL AND ${buildVisibleEventsSql(visibility, '?2')}
     ORDER BY event_ts, doc`,
    buildLabelQuery(tokens),
    serializeVisibility(visibility),
    limit,
  )
  return rows.toArray()
}

/** Returns true if any clip of the home has a token of both people, even if no plan shows the clip. */
export function hasClipOfBoth(sql: SqlStorage, tokens: readonly string[], otherTokens: readonly string[]): boolean {
  const query = `(${buildLabelQuery(tokens)}) AND (${buildLabelQuery(otherTokens)})`
  return sql.exec('SELECT 1 FROM search_index WHERE search_index MATCH ? LIMIT 1', query).toArray().length > 0
}

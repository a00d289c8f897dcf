import type { SqlStorage } from '@cloudflare/workers-types'
import * as v from 'valibot'
import { clipDetections, type DetectionTrack } from '../../../contract/events/detections.ts'
import { parseJsonAs } from '../../../contract/wire/lenient-parse.ts'
import { listVisibleCameras, type EventVisibility } from '../../billing/plans/event-visibility.ts'
import { type Concept, toMatchQuery } from '../query/concept.ts'
import { documentIdSql, type DocumentOffset, documentOffsetSql, type OffsetRange } from './document-offsets.ts'

/**
 * Events to search: visible events between `start` and `end` (ms UTC) with at least one of the tags. An empty list of
 * tags means any event.
 */
export interface SearchScope {
  readonly view: EventVisibility
  /** True if the home has, or had, cameras outside the view. The search must then filter by camera. */
  readonly narrow: boolean
  readonly tags: readonly string[]
  readonly start: number
  readonly end: number
}

/** Returns true if any event of the home matches the concept, even one that the account may not see. */
export function hasMatchingEvent(sql: SqlStorage, concept: Concept): boolean {
  const rows = sql.exec('SELECT 1 AS one FROM search_index WHERE search_index MATCH ? LIMIT 1', toMatchQuery(concept))
  return rows.toArray().length > 0
}

export function toScope(sql: SqlStorage, visibility: EventVisibility): Pick<SearchScope, 'view' | 'narrow'> {
  const { n } = sql.exec<{ n: number }>('SELECT count(*) AS n FROM devices').one()
  return { view: visibility, narrow: n > listVisibleCameras(visibility).length }
}

/** Maximum number of indexed words with the same initial that the spelling correction compares. */
const VOCABULARY_MAX = 3000

/**
 * Returns at most `VOCABULARY_MAX` indexed stems that start with `initial`, in alphabetical order. Seeks from stem to
 * stem, so that SQLite does not read every occurrence.
 */
export function listIndexedStems(sql: SqlStorage, initial: string): string[] {
  return sql
    .exec<{ term: string }>(
      `WITH RECURSIVE known (term) AS (
         SELECT (SELECT term FROM search_words WHERE term >= ?1 LIMIT 1)
         UNION ALL SELECT (SELECT term FROM search_words WHERE term >= known.term || char(1) LIMIT 1) FROM known
           WHERE known.term < ?1 || char(0x10ffff) LIMIT ${VOCABULARY_MAX})
       SELECT term FROM known WHERE term < ?1 || char(0x10ffff)`,
      initial,
    )
    .toArray()
    .map(({ term }) => term)
}

const sentencesSchema = v.array(v.string())
const secondsSchema = v.array(v.number())
type MomentRow = { event_id: string; moments: string; times: string }

/**
 * Returns by event id the moments of the events that have a description. A moment is a sentence and its second in the
 * clip.
 */
export function listEventMoments(
  sql: SqlStorage,
  eventIds: readonly string[],
): Map<string, { text: string; at_s: number }[]> {
  const rows = sql.exec<MomentRow>(
    `SELECT event_id, moments, moment_times AS times FROM events
     WHERE moments IS NOT NULL AND event_id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(eventIds),
  )
  return new Map(
    rows.toArray().map(({ event_id, moments, times }) => {
      const seconds = parseJsonAs(secondsSchema, times) ?? []
      return [
        event_id,
        (parseJsonAs(sentencesSchema, moments) ?? []).map((text, i) => ({ text, at_s: seconds[i] ?? 0 })),
      ]
    }),
  )
}

/** Detections of a clip. `thumb_at_s`: position of the thumbnail's frame in the clip, seconds. */
export interface ThumbnailDetections {
  readonly thumb_at_s: number
  readonly tracks: readonly DetectionTrack[]
}

/** Returns by event id the detections of the events whose thumbnail has a position in the clip. */
export function listThumbnailDetections(
  sql: SqlStorage,
  eventIds: readonly string[],
): Map<string, ThumbnailDetections> {
  if (eventIds.length === 0) return new Map()
  const rows = sql.exec<{ event_id: string; thumb_at: number; tracks: string }>(
    `SELECT event_id, thumb_at, found_tracks AS tracks FROM events
     WHERE thumb_at IS NOT NULL AND found_tracks IS NOT NULL AND event_id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(eventIds),
  )
  return new Map(
    rows
      .toArray()
      .map(({ event_id, thumb_at, tracks }) => [
        event_id,
        { thumb_at_s: thumb_at, tracks: parseJsonAs(clipDetections, tracks) ?? [] },
      ]),
  )
}

/**
 * Returns the sum of votes per event of the range in searches with the same words. A positive sum is positive feedback.
 */
export function sumVotes(
  sql: SqlStorage,
  words: string,
  { baseMs, from, before }: OffsetRange,
): Map<DocumentOffset, number> {
  const rows = sql.exec<{ doc: DocumentOffset; vote: number }>(
    `SELECT ${documentOffsetSql('?2', 'doc')} AS doc, vote FROM (
       SELECT event_id AS voted, sum(vote) AS vote FROM search_votes WHERE words = ?1 GROUP BY event_id
     ) CROSS JOIN events ON event_id = voted
     WHERE doc >= ${documentIdSql('?2', '?3')} AND doc < ${documentIdSql('?2', '?4')}`,
    words,
    baseMs,
    from,
    before,
  )
  return new Map(rows.toArray().map(({ doc, vote }) => [doc, vote]))
}

/** Stores a vote on the events that still exist. */
export function storeVotes(
  sql: SqlStorage,
  feedback: { feedbackId: string; words: string; vote: 1 | -1 },
  eventIds: readonly string[],
): void {
  sql.exec(
    `INSERT OR REPLACE INTO search_votes (words, event_id, feedback_id, vote)
     SELECT ?1, event_id, ?2, ?3 FROM events WHERE event_id IN (SELECT value FROM json_each(?4)) AND gone IS NULL`,
    feedback.words,
    feedback.feedbackId,
    feedback.vote,
    JSON.stringify(eventIds),
  )
}

export function deleteVotes(sql: SqlStorage, feedbackId: string): void {
  sql.exec('DELETE FROM search_votes WHERE feedback_id = ?', feedbackId)
}

import type { SqlStorage } from '@cloudflare/workers-types'
import type { PostMomentsRequest } from '../../contract/bridge/event-descriptions.ts'
import { joinIndexEntries } from '../platform/tokenize.ts'
import { hasFreeTag } from './free-plan-events.ts'
import { toMomentColumns } from './index-columns.ts'

/**
 * Replaces the description of an event, even of a deleted event. Returns false if the stored description is not older
 * or the event is permanently deleted. Returns null for an unknown event.
 */
export function describeEvent(sql: SqlStorage, description: PostMomentsRequest): boolean | null {
  const { event_id, device_id, tags, values, title, by } = description
  const existing = sql.exec('SELECT 1 FROM events WHERE event_id = ? AND device_id = ?', event_id, device_id)
  if (existing.toArray().length === 0) return null
  const changed = sql.exec(
    `UPDATE events SET moments = ?2, moment_times = ?3, tags = ?4, tag_index = ?5, labels = ?6, label_index = ?7, free = ?8,
       own_title = coalesce(own_title, title), title = coalesce(?9, own_title, title), described_at = ?10, described_by = ?11
     WHERE event_id = ?1 AND coalesce(described_at, -1) < ?10 AND coalesce(gone, 'deleted') = 'deleted' RETURNING event_id`,
    event_id,
    ...toMomentColumns(description),
    JSON.stringify(tags),
    joinIndexEntries(tags),
    JSON.stringify(values),
    joinIndexEntries(values),
    hasFreeTag(tags) ? 1 : 0,
    title ?? null,
    by.at,
    JSON.stringify({ kind: by.kind, model: by.model }),
  )
  return changed.toArray().length > 0
}

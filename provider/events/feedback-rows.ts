import type { SqlStorage } from '@cloudflare/workers-types'
import type { Verdict } from '../../contract/events/feedback.ts'

/** Stores an account's verdict on an event. The verdict `none` deletes the stored one. */
export function putVerdict(sql: SqlStorage, eventId: string, userId: string, verdict: Verdict, now: number): void {
  sql.exec('DELETE FROM feedback WHERE event_id = ? AND user_id = ?', eventId, userId)
  if (verdict === 'none') return
  sql.exec('INSERT INTO feedback (event_id, user_id, verdict, at) VALUES (?, ?, ?, ?)', eventId, userId, verdict, now)
}

export interface SubmittedVideo {
  event_id: string
  user_id: string
  begin_ts: number
  end_ts: number
  data: string
}

/**
 * Stores a feedback report on a clip. With this report, the account permits the makers of the portal to view the clip.
 * A repeated report of the account replaces the earlier one.
 */
export function submitVideo(sql: SqlStorage, report: SubmittedVideo, now: number): void {
  sql.exec(
    `INSERT OR REPLACE INTO feedback_videos (event_id, user_id, at, begin_ts, end_ts, data) VALUES (?, ?, ?, ?, ?, ?)`,
    report.event_id,
    report.user_id,
    now,
    report.begin_ts,
    report.end_ts,
    report.data,
  )
}

export function withdrawVideo(sql: SqlStorage, eventId: string, userId: string): void {
  sql.exec('DELETE FROM feedback_videos WHERE event_id = ? AND user_id = ?', eventId, userId)
}

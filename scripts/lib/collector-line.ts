import type { CollectorList, CollectorSession } from '../../contract/telemetry/device-collector.ts'

function formatSession({ session, previous, begun_at, left_at, facts }: CollectorSession): string {
  const time = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ')
  const factTexts = Object.entries(facts ?? {}).map(([name, value]) => `${name} ${String(value)}`)
  return [
    time(begun_at),
    session,
    previous === '' ? 'first session in this browser' : `follows ${previous}`,
    left_at === null ? 'no page exit' : `last page exit ${time(left_at)}`,
    factTexts.length > 0 ? factTexts.join(', ') : 'no data sent',
  ].join('  ')
}

/**
 * Formats the sessions of a response. `sessionId`: id of the only session that the request asked for; the text for an
 * empty response names this id.
 */
export function formatSessions({ sessions, total }: CollectorList['data'], sessionId?: string): string[] {
  if (sessions.length === 0 && sessionId !== undefined) return [`No session ${sessionId} in the last 24 hours.`]
  if (sessions.length === 0) return ['There were no browser sessions in the last 24 hours.']
  const lines = sessions.map(formatSession)
  return total > sessions.length ? [...lines, `Showing the newest ${sessions.length} of ${total} sessions.`] : lines
}

import type { CollectorList, CollectorSession } from '../../contract/telemetry/device-collector.ts'

function formatSession({ session, previous, begun_at, left_at, facts }: CollectorSession): string {
  const time = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ')
  const factTexts = Object.entries(facts ?? {}).map(([name, value]) => `${name} ${String(value)}`)
  return [
    time(begun_at),
    session,
    previous === '' ? 'first of its browser' : `follows ${previous}`,
    left_at === null ? 'no page left' : `a page left ${time(left_at)}`,
    factTexts.length > 0 ? factTexts.join(', ') : 'nothing told',
  ].join('  ')
}

/**
 * Formats the sessions of a response. `sessionId`: id of the only session that the request asked for; the text for an
 * empty response names this id.
 */
export function formatSessions({ sessions, total }: CollectorList['data'], sessionId?: string): string[] {
  if (sessions.length === 0 && sessionId !== undefined) return [`Nothing is kept of a session ${sessionId}.`]
  if (sessions.length === 0) return ['No browser was heard of within the last 24 hours.']
  const lines = sessions.map(formatSession)
  return total > sessions.length ? [...lines, `The last ${sessions.length} of ${total}.`] : lines
}

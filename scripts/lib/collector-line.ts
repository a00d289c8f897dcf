import type { CollectorSession } from '../../contract/fraud.ts'

/** A session in one line; times in UTC. */
export function lineOf({ session, previous, begun_at, ended_at, facts }: CollectorSession): string {
  const time = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ')
  const told = Object.entries(facts ?? {}).map(([name, value]) => `${name} ${String(value)}`)
  return [
    time(begun_at),
    session,
    previous === '' ? 'first of its browser' : `follows ${previous}`,
    ended_at === null ? 'not left' : `left ${time(ended_at)}`,
    told.length > 0 ? told.join(', ') : 'nothing told',
  ].join('  ')
}

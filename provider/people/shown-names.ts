import { OWNER } from '../../contract/auth/roles.ts'
import type { HomeContext } from '../homes/feed/home-context.ts'
import { resolveEntitlements } from '../billing/plans/entitlements.ts'
import type { HomeRequester } from '../billing/plans/event-visibility.ts'
import { allPeople, buildNameMap, type PersonRow, shownName } from './people-rows.ts'
import { type Names, NO_NAMES, toToken } from './person-token.ts'
import { readRecognition } from './recognition.ts'

export interface NamedPerson {
  readonly name: string
  /** Tokens of the person and of everyone merged into this person. */
  readonly tokens: readonly string[]
}

export interface ShownNames {
  /** Cameras whose plan includes people, so that their events show names. */
  readonly cameras: readonly string[]
  readonly people: readonly NamedPerson[]
  at(deviceId: string): Names
}

export const NOTHING_SHOWN: ShownNames = { cameras: [], people: [], at: () => NO_NAMES }

/**
 * Returns the names that the account may see: only for cameras whose plan includes people, and for accounts other than
 * the owner only if the owner allows it.
 */
export function shownNames({ sql, access }: Pick<HomeContext, 'sql' | 'access'>, asker: HomeRequester): ShownNames {
  if (access.findRole(asker.userId) !== OWNER && readRecognition(sql).guests === 0) return NOTHING_SHOWN
  const entitlements = resolveEntitlements(asker.plans, access.visibleTo(asker.userId) ?? [], asker.now)
  const cameras = [...entitlements].flatMap(([device, { people }]) => (people ? [device] : []))
  if (cameras.length === 0) return NOTHING_SHOWN
  const rows = allPeople(sql)
  const names = buildNameMap(rows)
  return {
    cameras,
    people: namedPeople(rows),
    at: (deviceId) => (entitlements.get(deviceId)?.people === true ? names : NO_NAMES),
  }
}

export const namedPeople = (rows: readonly PersonRow[]): NamedPerson[] =>
  rows.flatMap((row) => {
    const name = shownName(row)
    return name === null ? [] : [{ name, tokens: row.members.map(toToken) }]
  })

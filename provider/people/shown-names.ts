import { OWNER_ROLE } from '../../contract/auth/roles.ts'
import type { HomeContext } from '../homes/feed/home-context.ts'
import { resolveEntitlements } from '../billing/plans/entitlements.ts'
import type { HomeRequester } from '../billing/plans/event-visibility.ts'
import { listPeople, buildNameMap, type PersonRow, getShownName } from './people-rows.ts'
import { type PersonNames, NO_NAMES, toPersonToken } from './person-token.ts'
import { readRecognition } from './recognition.ts'

export interface NamedPerson {
  readonly name: string
  /** Tokens of this person and of all people that were merged into it. */
  readonly tokens: readonly string[]
}

export interface ShownNames {
  /** Cameras whose plan includes recognition of people. Only their events show names. */
  readonly cameras: readonly string[]
  readonly people: readonly NamedPerson[]
  getCameraNames(deviceId: string): PersonNames
}

export const NO_SHOWN_NAMES: ShownNames = { cameras: [], people: [], getCameraNames: () => NO_NAMES }

/**
 * Returns the names that the account may see, on cameras whose plan includes recognition of people. Returns no names to
 * accounts other than the owner unless the owner shows them names (`guests` in `RecognitionSettings`).
 */
export function getShownNames(
  { sql, access }: Pick<HomeContext, 'sql' | 'access'>,
  requester: HomeRequester,
): ShownNames {
  if (access.findRole(requester.userId) !== OWNER_ROLE && readRecognition(sql).guests === 0) return NO_SHOWN_NAMES
  const entitlements = resolveEntitlements(
    requester.plans,
    access.findVisibleCameras(requester.userId) ?? [],
    requester.now,
  )
  const cameras = [...entitlements].flatMap(([device, { people }]) => (people ? [device] : []))
  if (cameras.length === 0) return NO_SHOWN_NAMES
  const rows = listPeople(sql)
  const names = buildNameMap(rows)
  return {
    cameras,
    people: toNamedPeople(rows),
    getCameraNames: (deviceId) => (entitlements.get(deviceId)?.people === true ? names : NO_NAMES),
  }
}

export const toNamedPeople = (rows: readonly PersonRow[]): NamedPerson[] =>
  rows.flatMap((row) => {
    const name = getShownName(row)
    return name === null ? [] : [{ name, tokens: row.members.map(toPersonToken) }]
  })

import type { InferOutput } from 'valibot'
import {
  ACTIVITY_GROUPS,
  ACTIVITY_PAGE_SIZE,
  type ActivityEntry,
  type getActivity,
} from '../../../contract/account/activity.ts'
import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import { listEmails } from '../account-rows.ts'
import type { AccountAccess } from '../../homes/members/account-access.ts'
import { homeStub } from '../../homes/members/home-stub.ts'
import { listHomes } from '../../homes/members/memberships.ts'
import type { Env } from '../../env.ts'
import type { ActivityLogEntry } from './entry.ts'
import { getHomeLogName, getUserLogName } from './logs.ts'
import { getObject } from '../../platform/objects.ts'

type ActivityPage = InferOutput<typeof getActivity.response>['data']

/**
 * Returns a page of activity entries, newest first, from the account's own log and the logs of homes that the account
 * owns now. `now`: ms UTC.
 */
export async function readActivity(
  env: Env,
  access: AccountAccess,
  { group, before }: InferOutput<typeof getActivity.request>,
  now: number,
): Promise<ActivityPage> {
  const { userId } = access
  const homes = listHomes(access)
    .filter(({ role }) => role === OWNER_ROLE)
    .map(({ home_id }) => home_id)
  const logs = [getUserLogName(userId), ...homes.map(getHomeLogName)]
  const query = { kinds: group ? ACTIVITY_GROUPS[group] : null, before: before ?? null, limit: ACTIVITY_PAGE_SIZE + 1 }
  const lists = await Promise.all(logs.map((log) => getObject(env, 'ACTIVITY', log).list(query, now)))
  const sortedEntries = lists.flat().sort((a, b) => (a.id < b.id ? 1 : -1))
  const pageEntries = sortedEntries.slice(0, ACTIVITY_PAGE_SIZE)
  const [emails, cameraNames] = await Promise.all([
    listEmails(
      env.DB,
      pageEntries.flatMap(({ who: actor, whom: target }) => [actor, target]).filter((id) => id !== null),
    ),
    readCameraNames(env, pageEntries.some(({ camera }) => camera !== null) ? homes : []),
  ])
  return {
    entries: pageEntries.map((entry) => toWireEntry(entry, userId, emails, cameraNames)),
    next: sortedEntries.length > pageEntries.length ? (pageEntries.at(-1)?.id ?? null) : null,
  }
}

/** Returns the names of all current and former cameras of these homes, by id. */
async function readCameraNames(env: Env, homes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const lists = await Promise.all(homes.map((home) => homeStub(env, home).cameraNames()))
  return new Map(lists.flat().map(({ device_id, nickname }) => [device_id, nickname]))
}

function toWireEntry(
  { who: actor, whom: target, camera, ...entry }: ActivityLogEntry,
  userId: string,
  emails: ReadonlyMap<string, string>,
  cameraNames: ReadonlyMap<string, string>,
): ActivityEntry {
  return {
    ...entry,
    who: actor === null ? null : (emails.get(actor) ?? null),
    own: actor === userId,
    whom: target === null ? null : (emails.get(target) ?? (target.includes('@') ? target : null)),
    camera: camera === null ? '' : (cameraNames.get(camera) ?? ''),
  }
}

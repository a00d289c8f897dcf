import type { InferOutput } from 'valibot'
import {
  ACTIVITY_GROUPS,
  ACTIVITY_PAGE,
  type ActivityEntry,
  type getActivity,
} from '../../../contract/account/activity.ts'
import { OWNER } from '../../../contract/auth/roles.ts'
import { listEmails } from '../account-rows.ts'
import { homeStub } from '../../homes/members/home-stub.ts'
import { listHomes } from '../../homes/members/memberships.ts'
import type { Env } from '../../env.ts'
import type { Entry } from './entry.ts'
import { homeLog, userLog } from './logs.ts'

type Page = InferOutput<typeof getActivity.response>['data']

/**
 * Returns a page of what the account may read at `now` (ms UTC): its own log, and those of the homes that it owns now.
 */
export async function readActivity(
  env: Env,
  userId: string,
  { group, before }: InferOutput<typeof getActivity.request>,
  now: number,
): Promise<Page> {
  const homes = (await listHomes(env, userId)).filter(({ role }) => role === OWNER).map(({ home_id }) => home_id)
  const logs = [userLog(userId), ...homes.map(homeLog)]
  const query = { kinds: group ? ACTIVITY_GROUPS[group] : null, before: before ?? null, limit: ACTIVITY_PAGE + 1 }
  const lists = await Promise.all(logs.map((log) => env.ACTIVITY.getByName(log).list(query, now)))
  const found = lists.flat().sort((a, b) => (a.id < b.id ? 1 : -1))
  const pageEntries = found.slice(0, ACTIVITY_PAGE)
  const [emails, names] = await Promise.all([
    listEmails(
      env.DB,
      pageEntries.flatMap(({ who: actor, whom: target }) => [actor, target]).filter((id) => id !== null),
    ),
    cameraNames(env, pageEntries.some(({ camera }) => camera !== null) ? homes : []),
  ])
  return {
    entries: pageEntries.map((entry) => wireEntry(entry, userId, emails, names)),
    next: found.length > pageEntries.length ? (pageEntries.at(-1)?.id ?? null) : null,
  }
}

/** Returns the names of all current and former cameras of these homes, by id. */
async function cameraNames(env: Env, homes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const lists = await Promise.all(homes.map((home) => homeStub(env, home).cameraNames()))
  return new Map(lists.flat().map(({ device_id, nickname }) => [device_id, nickname]))
}

function wireEntry(
  { who: actor, whom: target, camera, ...entry }: Entry,
  userId: string,
  emails: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, string>,
): ActivityEntry {
  return {
    ...entry,
    who: actor === null ? null : (emails.get(actor) ?? null),
    own: actor === userId,
    whom: target === null ? null : (emails.get(target) ?? (target.includes('@') ? target : null)),
    camera: camera === null ? '' : (names.get(camera) ?? ''),
  }
}

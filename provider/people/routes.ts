import type { Hono } from 'hono'
import { listFaceCollections, listCollectionPeople } from '../../contract/events/faces.ts'
import * as wire from '../../contract/events/people.ts'
import { OWNER_ROLE } from '../../contract/auth/roles.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { listVisibleHomes } from '../homes/members/memberships.ts'
import { recordHomeActivity } from '../accounts/activity/record-activity.ts'
import { forbidden, notFound, ApiError } from '../platform/api-error.ts'
import type { AppEnv, Env } from '../env.ts'
import { serveCall } from '../platform/http/serve-call.ts'
import { listHomesWithPlans } from '../billing/plans/plan-rows.ts'
import type { PeopleChange, PeopleOutcome } from './home-people.ts'
import { tokenize } from '../platform/tokenize.ts'

const HOME_VIEWERS_SQL = `SELECT user_id FROM home_members WHERE home_id = ?1 UNION SELECT user_id FROM shares WHERE home_id = ?1`

/** Query columns by table, for the tables that store searches. Both tables have the unique key (user_id, asked). */
const QUERY_COLUMNS = { search_history: 'query', search_feedback: 'asked' } as const

async function deleteSearchesWithNames(env: Env, homeId: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const phrases = names.map((name) => ` ${tokenize(name).join(' ')} `)
  for (const [table, column] of Object.entries(QUERY_COLUMNS)) {
    const { results } = await env.DB.prepare(
      `SELECT user_id, asked, ${column} AS query FROM ${table} WHERE user_id IN (${HOME_VIEWERS_SQL})`,
    )
      .bind(homeId)
      .all<{ user_id: string; asked: string; query: string }>()
    const matchingSearches = results.filter(({ query }) =>
      phrases.some((phrase) => ` ${tokenize(query).join(' ')} `.includes(phrase)),
    )
    await env.DB.prepare(
      `DELETE FROM ${table} WHERE (user_id, asked) IN
         (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?))`,
    )
      .bind(JSON.stringify(matchingSearches.map(({ user_id, asked: queryKey }) => [user_id, queryKey])))
      .run()
  }
}

/**
 * Mounts the calls about people (CALL-57, CALL-58 and extension calls such as EXT-people). Each home has exactly one
 * collection of people, with the home's id.
 */
export function peopleRoutes(app: Hono<AppEnv>): void {
  serveCall(app, listFaceCollections, async ({ env, account }) => ({
    collections: await listCollections(env, account.userId),
  }))
  serveCall(app, listCollectionPeople, async ({ env, account, params, now }) => {
    const homes = await listHomesWithPlans(env, account.userId)
    const home = homes.find(({ home_id }) => home_id === params['collection_id'])
    if (!home) throw notFound()
    const requester = { userId: account.userId, plans: home.plans, now }
    return { people: await homeStub(env, home.home_id).listSeenPeople(requester) }
  })
  ownerRoutes(app)
  changeRoutes(app)
}

function ownerRoutes(app: Hono<AppEnv>): void {
  serveCall(app, wire.getHomePeople, async ({ env, account: { userId }, now }) => {
    const [homes, named] = await Promise.all([listHomesWithPlans(env, userId), listCollections(env, userId)])
    const own = homes.filter(({ role }) => role === OWNER_ROLE)
    const lists = own.map(async ({ home_id, plans }) => {
      const name = named.find(({ collection_id }) => collection_id === home_id)?.name ?? ''
      return { home_id, name, ...(await homeStub(env, home_id).people({ userId, plans, now })) }
    })
    return { homes: await Promise.all(lists) }
  })
  serveCall(app, wire.setRecognition, async ({ env, account, input: { home_id, on, guests }, now }) => {
    await applyPeopleChange(env, account.userId, home_id, { kind: 'recognition', on, guests }, now)
    recordHomeActivity(env, home_id, { kind: 'people-recognition', who: account.userId, value: on ? 'on' : 'off' }, now)
    return {}
  })
  serveCall(app, wire.deletePeopleData, async ({ env, account, input: { home_id, person_ids }, now }) => {
    await checkOwner(env, account.userId, home_id)
    const names = await homeStub(env, home_id).deletePeople(person_ids)
    if (names === null) throw notFound()
    await deleteSearchesWithNames(env, home_id, names)
    const count = person_ids?.length ?? 0
    recordHomeActivity(
      env,
      home_id,
      { kind: 'people-forgotten', who: account.userId, ...(count > 0 && { count }) },
      now,
    )
    return {}
  })
}

/** Mounts the calls that change single people. */
function changeRoutes(app: Hono<AppEnv>): void {
  serveCall(app, wire.namePerson, ({ env, account, input: { home_id, person_id: id, name }, now }) =>
    applyPeopleChange(env, account.userId, home_id, { kind: 'name', id, name }, now),
  )
  serveCall(app, wire.hidePerson, ({ env, account, input: { home_id, person_id: id, hidden }, now }) =>
    applyPeopleChange(env, account.userId, home_id, { kind: 'hide', id, hidden }, now),
  )
  serveCall(app, wire.mergePeople, ({ env, account, input: { home_id, person_id: id, into }, now }) =>
    applyPeopleChange(env, account.userId, home_id, { kind: 'merge', id, into }, now),
  )
  serveCall(app, wire.splitPerson, ({ env, account, input: { home_id, person_id: id }, now }) =>
    applyPeopleChange(env, account.userId, home_id, { kind: 'split', id }, now),
  )
  serveCall(app, wire.markDifferentPeople, ({ env, account, input: { home_id, person_id: id, ...input }, now }) =>
    applyPeopleChange(
      env,
      account.userId,
      home_id,
      { kind: 'different', id, other: input.other_id, isDifferent: input.different },
      now,
    ),
  )
}

async function applyPeopleChange(env: Env, userId: string, homeId: string, change: PeopleChange, now: number) {
  await checkOwner(env, userId, homeId)
  const outcome = await homeStub(env, homeId).changePeople(change, now)
  if (outcome !== 'done') throw OUTCOME_ERRORS[outcome]()
  return {}
}

const OUTCOME_ERRORS: Record<Exclude<PeopleOutcome, 'done'>, () => ApiError> = {
  unknown: notFound,
  taken: () => new ApiError(409, 409, 'Another person already has this name. Merge the two people instead.'),
  no_name: () => new ApiError(422, 422, 'This word is already used to describe clips. Choose another name.'),
  late: () => new ApiError(409, 409, 'It’s been more than 10 minutes, so this merge can’t be undone.'),
}

/** Throws 403 if the account may only see the home, and 404 if it may not see the home. */
async function checkOwner(env: Env, userId: string, homeId: string): Promise<void> {
  const home = (await listVisibleHomes(env, userId)).find(({ home_id }) => home_id === homeId)
  if (!home) throw notFound()
  if (home.role !== OWNER_ROLE) throw forbidden('Only the home’s owner can do this.')
}

async function listCollections(env: Env, userId: string) {
  const ids = (await listVisibleHomes(env, userId)).map(({ home_id }) => home_id)
  const { results } = await env.DB.prepare(
    `SELECT home_id AS collection_id, name FROM json_each(?) AS seen JOIN homes ON home_id = seen.value ORDER BY seen.key`,
  )
    .bind(JSON.stringify(ids))
    .all<{ collection_id: string; name: string }>()
  return results
}

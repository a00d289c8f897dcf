import type { Hono } from 'hono'
import { listFaceCollections, listCollectionPeople } from '../../contract/events/faces.ts'
import * as wire from '../../contract/events/people.ts'
import { OWNER_ROLE } from '../../contract/auth/roles.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import type { AccountAccess } from '../homes/members/account-access.ts'
import { recordHomeActivity } from '../accounts/activity/record-activity.ts'
import { forbidden, notFound, ApiError } from '../platform/api-error.ts'
import type { AppEnv, Env } from '../env.ts'
import { serveCallWithAccess } from '../platform/http/serve-call.ts'
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
  serveCallWithAccess(app, listFaceCollections, async ({ env, access }) => ({
    collections: await listCollections(env, access),
  }))
  serveCallWithAccess(app, listCollectionPeople, async ({ env, access, params, now }) => {
    const home = listHomesWithPlans(env, access).find(({ home_id }) => home_id === params['collection_id'])
    if (!home) throw notFound()
    const requester = { userId: access.userId, plans: home.plans, now }
    return { people: await homeStub(env, home.home_id).listSeenPeople(requester) }
  })
  ownerRoutes(app)
  changeRoutes(app)
}

function ownerRoutes(app: Hono<AppEnv>): void {
  serveCallWithAccess(app, wire.getHomePeople, async ({ env, access, now }) => {
    const { userId } = access
    const named = await listCollections(env, access)
    const own = listHomesWithPlans(env, access).filter(({ role }) => role === OWNER_ROLE)
    const lists = own.map(async ({ home_id, plans }) => {
      const name = named.find(({ collection_id }) => collection_id === home_id)?.name ?? ''
      return { home_id, name, ...(await homeStub(env, home_id).people({ userId, plans, now })) }
    })
    return { homes: await Promise.all(lists) }
  })
  serveCallWithAccess(app, wire.setRecognition, async ({ env, access, input: { home_id, on, guests }, now }) => {
    await applyPeopleChange(env, access, home_id, { kind: 'recognition', on, guests }, now)
    recordHomeActivity(env, home_id, { kind: 'people-recognition', who: access.userId, value: on ? 'on' : 'off' }, now)
    return {}
  })
  serveCallWithAccess(app, wire.deletePeopleData, async ({ env, access, input: { home_id, person_ids }, now }) => {
    checkOwner(access, home_id)
    const names = await homeStub(env, home_id).deletePeople(person_ids)
    if (names === null) throw notFound()
    await deleteSearchesWithNames(env, home_id, names)
    const count = person_ids?.length ?? 0
    recordHomeActivity(env, home_id, { kind: 'people-forgotten', who: access.userId, ...(count > 0 && { count }) }, now)
    return {}
  })
}

/** Mounts the calls that change single people. */
function changeRoutes(app: Hono<AppEnv>): void {
  serveCallWithAccess(app, wire.namePerson, ({ env, access, input: { home_id, person_id: id, name }, now }) =>
    applyPeopleChange(env, access, home_id, { kind: 'name', id, name }, now),
  )
  serveCallWithAccess(app, wire.hidePerson, ({ env, access, input: { home_id, person_id: id, hidden }, now }) =>
    applyPeopleChange(env, access, home_id, { kind: 'hide', id, hidden }, now),
  )
  serveCallWithAccess(app, wire.mergePeople, ({ env, access, input: { home_id, person_id: id, into }, now }) =>
    applyPeopleChange(env, access, home_id, { kind: 'merge', id, into }, now),
  )
  serveCallWithAccess(app, wire.splitPerson, ({ env, access, input: { home_id, person_id: id }, now }) =>
    applyPeopleChange(env, access, home_id, { kind: 'split', id }, now),
  )
  serveCallWithAccess(
    app,
    wire.markDifferentPeople,
    ({ env, access, input: { home_id, person_id: id, ...input }, now }) =>
      applyPeopleChange(
        env,
        access,
        home_id,
        { kind: 'different', id, other: input.other_id, isDifferent: input.different },
        now,
      ),
  )
}

async function applyPeopleChange(env: Env, access: AccountAccess, homeId: string, change: PeopleChange, now: number) {
  checkOwner(access, homeId)
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
function checkOwner({ homes }: AccountAccess, homeId: string): void {
  const home = homes.find(({ home_id }) => home_id === homeId)
  if (!home) throw notFound()
  if (home.role !== OWNER_ROLE) throw forbidden('Only the home’s owner can do this.')
}

async function listCollections(env: Env, { homes }: AccountAccess) {
  const ids = homes.map(({ home_id }) => home_id)
  const { results } = await env.DB.prepare(
    `SELECT home_id AS collection_id, name FROM json_each(?) AS seen JOIN homes ON home_id = seen.value ORDER BY seen.key`,
  )
    .bind(JSON.stringify(ids))
    .all<{ collection_id: string; name: string }>()
  return results
}

import type { InferOutput } from 'valibot'
import { EVENT_SPAN_MAX_MS, type Event } from '../../contract/events/events.ts'
import { type anomalyBatch, type retentionPolicy } from '../../contract/events/event-calls.ts'
import type { getRetention, timeline, TimelineRun } from '../../contract/events/timeline.ts'
import type { Env } from '../env.ts'
import { badRequest, notFound, ApiError } from '../platform/api-error.ts'
import { FREE_RETENTION_DAYS } from '../../contract/billing/plan-catalog.ts'
import { queryAllHomes } from '../billing/plans/query-all-homes.ts'
import { getLongestRetentionDays, listHomesWithPlans } from '../billing/plans/plan-rows.ts'
import { getRetentionStart } from '../billing/plans/event-visibility.ts'
import type { AccountAccess } from '../homes/members/account-access.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { OWNER_ROLE } from '../../contract/auth/roles.ts'
import { listCameraAccess } from '../homes/members/camera-access.ts'

/** Throws error 3056 if the time span exceeds the maximum. The page then requests a shorter span (EVENT-25). */
export function checkTimeSpan({ begin_time, end_time }: { begin_time: number; end_time: number }): void {
  if (end_time - begin_time > EVENT_SPAN_MAX_MS) throw new ApiError(3056, 400)
}

/** Returns the visible events with these ids from all homes, in order of the ids. */
export async function handleEventsByIds(env: Env, access: AccountAccess, ids: readonly string[], now: number) {
  const lists = await queryAllHomes(env, access, now, (stub, requester) => stub.eventsByIds(requester, ids))
  const events = lists.flatMap((list) => (list === null ? [] : (JSON.parse(list) as Event[])))
  const byId = new Map(events.map((event) => [event.event_id, event]))
  return { event_list: [...new Set(ids)].flatMap((id) => byId.get(id) ?? []) }
}

export async function handleAnomalies(
  env: Env,
  access: AccountAccess,
  input: InferOutput<typeof anomalyBatch.request>,
  now: number,
) {
  const lists = await queryAllHomes(env, access, now, (stub, requester) => stub.anomalies(requester, input.event_ids))
  return { anomalies: lists.flat() }
}

/**
 * Returns the retention period of each camera, and the longest retention period in the account's own home. Includes
 * shared cameras of other homes only if `include_shared` is `true`.
 */
export async function handleRetentionPolicy(
  env: Env,
  access: AccountAccess,
  input: InferOutput<typeof retentionPolicy.request>,
  now: number,
) {
  const homes = listHomesWithPlans(env, access)
  const included = homes.filter(({ role }) => role !== null || input.include_shared === 'true')
  const toPolicy = (days: number) => ({ days, kept_since: getRetentionStart(days, now) })
  const devices = await Promise.all(
    included.map(async ({ home_id, plans }) => {
      const stub = homeStub(env, home_id)
      const [cameras, limits] = await Promise.all([
        stub.devices({ userId: access.userId, plans, now }),
        stub.listStorageLimits(),
      ])
      const limitsByCamera = new Map(limits.map((row) => [row.device_id, row]))
      return cameras.map(({ device_id, keeps_days = FREE_RETENTION_DAYS }) => {
        const { freed_until = null, max_days = null } = limitsByCamera.get(device_id) ?? {}
        return { device_id, ...toPolicy(keeps_days), freed_until, max_days }
      })
    }),
  )
  const own = homes.find(({ role }) => role === OWNER_ROLE)
  return { ...toPolicy(own ? getLongestRetentionDays(own, now) : FREE_RETENTION_DAYS), devices: devices.flat() }
}

/**
 * Returns a gapless timeline of each camera in a range. Throws 404 if at least one camera is not visible to the
 * account.
 */
export async function handleTimeline(
  env: Env,
  access: AccountAccess,
  input: InferOutput<typeof timeline.request>,
  now: number,
): Promise<InferOutput<typeof timeline.response>['data']> {
  const { begin_time: begin, end_time: end } = input
  if (end < begin) throw badRequest('The end is before the start.')
  checkTimeSpan(input)
  const ids = [...new Set(input.device_ids)]
  if (listCameraAccess(access, ids).length < ids.length) throw notFound()
  const lists = await queryAllHomes(env, access, now, (stub, requester) =>
    stub.timeline(requester, ids, { begin, end }),
  )
  /* The RPC result type turns inner tuples into arrays, so restore the tuple type. */
  const devices = lists.flat() as { device_id: string; runs: TimelineRun[] }[]
  const byId = new Map(devices.map((device) => [device.device_id, device]))
  return { devices: ids.flatMap((id) => byId.get(id) ?? []) }
}

export async function handleRetentionStatus(
  env: Env,
  access: AccountAccess,
  now: number,
): Promise<InferOutput<typeof getRetention.response>['data']> {
  const own = listHomesWithPlans(env, access).filter(({ role }) => role === OWNER_ROLE)
  const homes = await Promise.all(
    own.map(async (home) => ({
      home_id: home.home_id,
      days: getLongestRetentionDays(home, now),
      ...(await homeStub(env, home.home_id).readRetentionLog()),
    })),
  )
  return { homes }
}

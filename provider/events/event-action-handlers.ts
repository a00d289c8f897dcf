import { safeParse, type InferOutput } from 'valibot'
import { deviceId as deviceIdSchema, id as idSchema } from '../../contract/wire/envelope.ts'
import type { eventFeedback, feedbackVideo } from '../../contract/events/feedback.ts'
import type { reviewEvents } from '../../contract/events/feed-and-review-calls.ts'
import { EVENT_RESTORE_MS } from '../../contract/events/timeline.ts'
import { recordHomeActivity } from '../accounts/activity/record-activity.ts'
import type { Env } from '../env.ts'
import { forbidden, badRequest, notFound } from '../platform/api-error.ts'
import type { AccountAccess } from '../homes/members/account-access.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { requireCameraOwner } from '../homes/members/camera-access.ts'
import { queryAllHomes } from '../billing/plans/query-all-homes.ts'
import { findHomePlans } from '../billing/plans/plan-rows.ts'

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

/** Marks events as reviewed or not reviewed. Throws 404 if the account may see none of them. */
export async function reviewVisibleEvents(
  env: Env,
  access: AccountAccess,
  input: InferOutput<typeof reviewEvents.request>,
  now: number,
) {
  const counts = await queryAllHomes(env, access, now, (stub, requester) =>
    stub.review(requester, input.event_ids, input.reviewed),
  )
  if (sum(counts) === 0) throw notFound()
  return { reviewed: sum(counts) }
}

/**
 * Deletes events of cameras that the account owns. If it deletes none, throws 403 if the account may see some of the
 * events, else 404.
 */
export async function deleteOwnEvents(env: Env, access: AccountAccess, ids: readonly string[], now: number) {
  const counts = await queryAllHomes(env, access, now, async (stub, requester, { home_id }) => {
    const count = await stub.deleteEvents(requester, ids)
    if (count.deleted > 0)
      recordHomeActivity(env, home_id, { kind: 'events-deleted', who: access.userId, count: count.deleted }, now)
    return count
  })
  const deleted = sum(counts.map((count) => count.deleted))
  if (deleted === 0) throw sum(counts.map((count) => count.seen)) > 0 ? forbidden() : notFound()
  return { deleted, restore_until: now + EVENT_RESTORE_MS }
}

export async function restoreOwnEvents(env: Env, access: AccountAccess, ids: readonly string[], now: number) {
  const counts = await queryAllHomes(env, access, now, async (stub, requester, { home_id }) => {
    const count = await stub.restoreEvents(requester, ids)
    if (count > 0) recordHomeActivity(env, home_id, { kind: 'events-restored', who: access.userId, count }, now)
    return count
  })
  if (sum(counts) === 0) throw notFound()
  return { restored: sum(counts) }
}

/** Stores the account's feedback on an event. Throws 404 if the account may not see the event. */
export async function storeEventFeedback(
  env: Env,
  access: AccountAccess,
  input: InferOutput<typeof eventFeedback.request> & { eventId: string | undefined },
  now: number,
) {
  const eventId = safeParse(idSchema, input.eventId)
  if (!eventId.success) throw badRequest('The event ID is malformed.')
  const results = await queryAllHomes(env, access, now, (stub, requester) =>
    stub.putFeedback(requester, eventId.output, input.feedback),
  )
  if (!results.includes(true)) throw notFound()
  return { feedback: input.feedback }
}

/**
 * Submits an event's clip as feedback, or withdraws it. Throws 403 if the account does not own the camera. Throws 404
 * if the account may not see the camera or the event, or if the event has no clip.
 */
export async function putFeedbackVideo(
  env: Env,
  access: AccountAccess,
  target: { deviceMac?: string | undefined; eventId?: string | undefined },
  input: InferOutput<typeof feedbackVideo.request>,
  now: number,
) {
  const device = safeParse(deviceIdSchema, target.deviceMac)
  const eventId = safeParse(idSchema, target.eventId)
  if (!device.success || !eventId.success) throw badRequest('The camera ID or event ID is malformed.')
  const { stage, data, event_begin_ts, event_end_ts } = input
  if (event_end_ts < event_begin_ts) throw badRequest('The end is before the start.')
  if (data.device_info.device_id !== device.output) throw badRequest('The report is for another camera.')
  const { home_id } = requireCameraOwner(access, device.output)
  const stub = homeStub(env, home_id)
  const requester = { userId: access.userId, plans: findHomePlans(env, access, home_id), now }
  if ((await stub.event(requester, device.output, eventId.output)) === null) throw notFound()
  if ((await stub.exportClips(requester, [eventId.output])).length === 0) throw notFound()
  const report = { event_id: eventId.output, user_id: access.userId, begin_ts: event_begin_ts, end_ts: event_end_ts }
  await stub.putFeedbackVideo({ ...report, data: JSON.stringify(data) }, stage, now)
  recordHomeActivity(env, home_id, { kind: 'clip-sent', who: access.userId, camera: device.output, value: stage }, now)
  return { stage }
}

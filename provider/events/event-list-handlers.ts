import type { InferOutput } from 'valibot'
import type { EventListRequest } from '../../contract/events/events.ts'
import type { getEvent, replayArchive } from '../../contract/events/event-calls.ts'
import type { DetectionTrack } from '../../contract/events/detections.ts'
import { HLS_TYPE } from '../../contract/media/media-urls.ts'
import type { Env } from '../env.ts'
import { mergeLists } from './merge-lists.ts'
import { checkSpan } from './event-history-handlers.ts'
import { notFound } from '../platform/api-error.ts'
import { signAddress } from '../platform/media-urls/signed-url.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { requireCameraAccess } from '../homes/members/camera-access.ts'
import { queryAllHomes } from '../billing/plans/query-all-homes.ts'
import { NO_PLANS, plansOfHome } from '../billing/plans/plan-rows.ts'
import type { HomeRequester } from '../billing/plans/event-visibility.ts'
import type { Caller } from '../platform/auth/verify-token.ts'

const json = (text: string) => new Response(text, { headers: { 'content-type': 'application/json' } })

/**
 * Returns at most `count` events, newest first, within the plans' retention periods. `free`: from all cameras, only
 * event types that every plan includes. Camera ids that the account may not see match no event, even if they exist.
 */
export async function answerEventList(
  env: Env,
  userId: string,
  request: EventListRequest,
  now: number,
  free = false,
): Promise<Response> {
  checkSpan(request)
  const lists = await queryAllHomes(env, { userId, now }, (stub, asker) => stub.eventList(asker, { ...request, free }))
  const found = lists.filter((list) => list !== null)
  const only = found.length === 1 ? found[0] : undefined
  return json(`{"code":200,"data":{"event_list":${only ?? mergeLists(found, request.count)}}}`)
}

async function askerAt(env: Env, userId: string, deviceId: string, now: number) {
  const place = await requireCameraAccess(env, userId, deviceId)
  const plans = (await plansOfHome(env, place.home_id)) ?? NO_PLANS
  return { stub: homeStub(env, place.home_id), asker: { userId, plans, now } satisfies HomeRequester }
}

/** Returns one event. Throws 404 if the account may not see it, or its plan hides it. */
export async function answerEvent(
  env: Env,
  userId: string,
  input: InferOutput<typeof getEvent.request>,
  now: number,
): Promise<Response> {
  const { stub, asker } = await askerAt(env, userId, input.device_id, now)
  const found = await stub.event(asker, input.device_id, input.event_id)
  if (found === null) throw notFound()
  return json(`{"code":200,"data":${found}}`)
}

/**
 * Returns a URL, valid for 5 minutes, that plays the recording of a time range: a file for resource type `s3`, else a
 * playlist. `live`: always a playlist, even for a clip that is still uploading. Throws 404 if the account may see no
 * recording in the range.
 */
export async function answerReplay(
  env: Env,
  { userId, grantId }: Caller,
  input: InferOutput<typeof replayArchive.request>,
  now: number,
  live = false,
) {
  const { stub, asker } = await askerAt(env, userId, input.device_id, now)
  const range = { device: input.device_id, start: Number(input.start_time), end: Number(input.end_time) }
  const storedEventId = await stub.clip(asker, range)
  const eventId = storedEventId ?? (live ? await stub.comingClip(asker, range) : null)
  if (eventId === null) throw notFound()
  /* Detection times belong to the stored clip; the start of an uploading clip is unknown. */
  const found = storedEventId === null ? null : await stub.found(asker, storedEventId)
  const kind = live || input.resource_type !== 's3' ? 'hls' : 'clip'
  return {
    replay_url: await signAddress(env, kind, eventId, grantId, now),
    mime: kind === 'hls' ? HLS_TYPE : 'video/mp4',
    ...(found !== null && { found: JSON.parse(found) as DetectionTrack[] }),
  }
}

import type { InferOutput } from 'valibot'
import type { EventListRequest, Event } from '../../contract/events/events.ts'
import type { getEvent, replayArchive } from '../../contract/events/event-calls.ts'
import type { DetectionTrack } from '../../contract/events/detections.ts'
import { HLS_MEDIA_TYPE } from '../../contract/media/media-urls.ts'
import type { Env } from '../env.ts'
import { checkTimeSpan } from './event-history-handlers.ts'
import { notFound } from '../platform/api-error.ts'
import { createDataResponse } from '../platform/http/serve-call.ts'
import { createSignedUrl } from '../platform/media-urls/signed-url.ts'
import type { AccountAccess } from '../homes/members/account-access.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { requireCameraAccess } from '../homes/members/camera-access.ts'
import { queryAllHomes } from '../billing/plans/query-all-homes.ts'
import { findHomePlans } from '../billing/plans/plan-rows.ts'
import type { HomeRequester } from '../billing/plans/event-visibility.ts'
import type { Caller } from '../platform/auth/verify-token.ts'

/**
 * Returns at most `count` events, newest first, within the retention periods. `isFreeOnly`: only event types that every
 * plan includes. Omits events of cameras that the account may not see.
 */
export async function handleEventList(
  env: Env,
  access: AccountAccess,
  request: EventListRequest,
  now: number,
  isFreeOnly = false,
): Promise<Response> {
  checkTimeSpan(request)
  const lists = await queryAllHomes(env, access, now, (stub, requester) =>
    stub.eventList(requester, { ...request, free: isFreeOnly }),
  )
  const found = lists.filter((list) => list !== null)
  const singleList = found.length === 1 ? found[0] : undefined
  return createDataResponse(`{"event_list":${singleList ?? mergeEventLists(found, request.count)}}`)
}

function resolveRequester(env: Env, access: AccountAccess, deviceId: string, now: number) {
  const { home_id } = requireCameraAccess(access, deviceId)
  const plans = findHomePlans(env, access, home_id)
  return { stub: homeStub(env, home_id), asker: { userId: access.userId, plans, now } satisfies HomeRequester }
}

/** Returns one event. Throws 404 if the account may not see the event or the plan hides it. */
export async function handleEvent(
  env: Env,
  access: AccountAccess,
  input: InferOutput<typeof getEvent.request>,
  now: number,
): Promise<Response> {
  const { stub, asker: requester } = resolveRequester(env, access, input.device_id, now)
  const found = await stub.event(requester, input.device_id, input.event_id)
  if (found === null) throw notFound()
  return createDataResponse(found)
}

/**
 * Returns a URL of the clip that overlaps a range, valid for 5 minutes. For resource type `s3`, the URL leads to the
 * clip file, otherwise to a playlist. With `isLive`, the URL always leads to a playlist, and the clip may still be
 * uploading. Throws 404 if there is no clip.
 */
export async function handleReplay(
  env: Env,
  { account: { grantId }, access }: { readonly account: Caller; readonly access: AccountAccess },
  input: InferOutput<typeof replayArchive.request>,
  now: number,
  isLive = false,
) {
  const { stub, asker: requester } = resolveRequester(env, access, input.device_id, now)
  const range = { device: input.device_id, start: Number(input.start_time), end: Number(input.end_time) }
  const storedEventId = await stub.clip(requester, range)
  const eventId = storedEventId ?? (isLive ? await stub.findUploadingClip(requester, range) : null)
  if (eventId === null) throw notFound()
  /* Detections need a stored clip, because the start of an uploading clip is unknown. */
  const detections = storedEventId === null ? null : await stub.getDetections(requester, storedEventId)
  const kind = isLive || input.resource_type !== 's3' ? 'hls' : 'clip'
  return {
    replay_url: await createSignedUrl(env, kind, eventId, grantId, now),
    mime: kind === 'hls' ? HLS_MEDIA_TYPE : 'video/mp4',
    ...(detections !== null && { found: JSON.parse(detections) as DetectionTrack[] }),
  }
}

/** Merges the event lists of several homes into one JSON array of at most `count` events, newest first. */
export function mergeEventLists(lists: readonly string[], count: number): string {
  const events = lists.flatMap((list) => JSON.parse(list) as Event[])
  return JSON.stringify(events.sort((a, b) => b.event_ts - a.event_ts).slice(0, count))
}

import type { Context } from 'hono'
import {
  EVENT_TIME_LIMITS,
  postClipRequest,
  postEventRequest,
  postHistoryRequest,
} from '../../contract/bridge/bridge-protocol.ts'
import { postMomentsRequest } from '../../contract/bridge/event-descriptions.ts'
import { forbidden, badRequest, notFound, ApiError } from '../platform/api-error.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { canUseObject, getObjectKey } from '../platform/media-urls/object-keys.ts'
import { UPLOAD_GRANT_LIFETIME_MS } from '../platform/tickets/tickets.ts'
import type { BridgeEnv } from './authenticate-bridge.ts'
import { requireHomeOfCamera, readBody } from './served-homes.ts'
import type { ServedHome } from './bridge-rights.ts'
import { signUploadGrant } from './upload-grants.ts'

/** Stores one event durably and publishes it to open pages. Idempotent: the same event again returns 200. */
export async function addEvent(c: Context<BridgeEnv>): Promise<Response> {
  const { event, early } = readBody(c, postEventRequest)
  const home = requireHomeOfCamera(c, event.device_id)
  checkTimes('The event is dated', [event.event_ts])
  const sizes = await checkObjects(c, home, [event])
  const now = Date.now()
  const object = getObjectKey(home.home_id, 'clip', event.event_id, false)
  const bytes = early?.clip_length
  const upload = bytes === undefined ? null : { object, bytes, until: now + UPLOAD_GRANT_LIFETIME_MS }
  const jpeg = early ? Buffer.from(early.jpeg, 'base64') : null
  const context = { ...getIngestContext(c, home), clipBytes: getClipBytes(sizes, event), jpeg, upload }
  const isUploadPermitted = await homeStub(c.env, home.home_id).addEvent(event, context, now)
  if (!upload || !isUploadPermitted) return c.json({ code: 200 })
  const clip_grant = await signUploadGrant(c.env, { object, type: 'video/mp4', length: upload.bytes }, now)
  return c.json({ code: 200, clip_grant })
}

/** Adds the clip of an event that was stored without a clip. Idempotent: the same clip again returns 200. */
export async function addClip(c: Context<BridgeEnv>): Promise<Response> {
  const clip = readBody(c, postClipRequest)
  const home = requireHomeOfCamera(c, clip.device_id)
  const sizes = await checkObjects(c, home, [clip])
  if ((clip.thumb_length ?? 0) >= (getClipBytes(sizes, clip) ?? Infinity))
    throw badRequest('The thumbnail is longer than the object that contains it.')
  const { plans } = getIngestContext(c, home)
  const attached = await homeStub(c.env, home.home_id).addClip(
    clip,
    { plans, clipBytes: getClipBytes(sizes, clip) },
    Date.now(),
  )
  if (attached === null) throw notFound()
  return c.json({ code: 200 })
}

/**
 * Adds a description that was created after the event. If the stored description is not older, returns 200 without a
 * change.
 */
export async function addMoments(c: Context<BridgeEnv>): Promise<Response> {
  const description = readBody(c, postMomentsRequest)
  const home = requireHomeOfCamera(c, description.device_id)
  checkTimes('The description is dated', [description.by.at])
  const isChanged = await homeStub(c.env, home.home_id).addMoments(description, getIngestContext(c, home), Date.now())
  if (isChanged === null) throw notFound()
  return c.json({ code: 200 })
}

/** Stores a batch of past events of one camera. Allowed only in homes with demo data. */
export async function addHistory(c: Context<BridgeEnv>): Promise<Response> {
  const { device_id, events } = readBody(c, postHistoryRequest)
  const home = requireHomeOfCamera(c, device_id)
  if (home.demo !== 1) throw forbidden('Only demo homes accept past events.')
  if (events.some((event) => event.device_id !== device_id))
    throw badRequest('The history contains events from another camera.')
  checkTimes(
    'The event is dated',
    events.map(({ event_ts }) => event_ts),
  )
  await checkObjects(c, home, events)
  const added = await homeStub(c.env, home.home_id).addHistory(events, Date.now())
  return c.json({ code: 200, data: { added } })
}

const getIngestContext = (c: Context<BridgeEnv>, { home_id, demo }: ServedHome) => ({
  plans: c.get('rights').getPlans(home_id),
  isDemo: demo === 1,
})

/** Throws 422 if a time is outside `EVENT_TIME_LIMITS`. `sentenceStart`: first words of the error message. */
function checkTimes(sentenceStart: string, times: readonly number[]): void {
  const latest = Date.now() + EVENT_TIME_LIMITS.aheadMs
  const impossible = times.find((time) => time < EVENT_TIME_LIMITS.since || time > latest)
  if (impossible === undefined) return
  const time = new Date(impossible).toISOString()
  throw new ApiError(422, 422, `${sentenceStart} ${time}, outside the accepted range. The hub’s clock was wrong.`)
}

type EventObjects = { readonly clip_object: string | null; readonly thumb_object: string | null }

const getClipBytes = (sizes: ReadonlyMap<string, number>, { clip_object }: EventObjects): number | null =>
  clip_object === null ? null : (sizes.get(clip_object) ?? null)

/**
 * Checks the uploaded objects of events, and returns their lengths by key. Throws 403 if the home may not use an object.
 * Throws 409 if an object is not stored, so that the bridge uploads it again.
 */
async function checkObjects(
  c: Context<BridgeEnv>,
  home: ServedHome,
  events: readonly EventObjects[],
): Promise<Map<string, number>> {
  const keys = new Set<string>()
  for (const { clip_object, thumb_object } of events) {
    for (const [kind, key] of [
      ['clip', clip_object],
      ['thumb', thumb_object],
    ] as const) {
      if (key === null) continue
      if (!canUseObject(home.home_id, home.demo === 1, kind, key)) throw forbidden('This home can’t use that object.')
      keys.add(key)
    }
  }
  const stored = await Promise.all([...keys].map((key) => c.env.MEDIA.head(key)))
  if (stored.includes(null)) throw new ApiError(409, 409, 'An object for the event is missing. Upload it first.')
  return new Map(stored.flatMap((object) => (object === null ? [] : [[object.key, object.size]])))
}

import type { Context } from 'hono'
import { EVENT_TIMES, postClip, postEvent, postHistory } from '../../contract/bridge/bridge-protocol.ts'
import { postMoments } from '../../contract/bridge/event-descriptions.ts'
import { forbidden, badRequest, notFound, ApiError } from '../platform/api-error.ts'
import type { Env } from '../env.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { NO_PLANS, plansOfHome } from '../billing/plans/plan-rows.ts'
import { mayUseObject } from '../platform/media-urls/object-keys.ts'
import type { BridgeEnv } from './authenticate-bridge.ts'
import { homeOfCamera, readBody, type ServedHome } from './served-homes.ts'

/** Stores one event durably and publishes it to open pages. Idempotent: the same event again returns 200. */
export async function addEvent(c: Context<BridgeEnv>): Promise<Response> {
  const { event } = readBody(c, postEvent)
  const home = await homeOfCamera(c, event.device_id)
  checkTimes('The event says that it was', [event.event_ts])
  await checkObjects(c, home, [event])
  await homeStub(c.env, home.home_id).addEvent(event, await intakeHome(c.env, home), Date.now())
  return c.json({ code: 200 })
}

/** Adds the clip of an event that was listed without it. Idempotent: the same clip again returns 200. */
export async function addClip(c: Context<BridgeEnv>): Promise<Response> {
  const clip = readBody(c, postClip)
  const home = await homeOfCamera(c, clip.device_id)
  await checkObjects(c, home, [clip])
  const plans = (await plansOfHome(c.env, home.home_id)) ?? NO_PLANS
  const attached = await homeStub(c.env, home.home_id).addClip(clip, plans, Date.now())
  if (attached === null) throw notFound()
  return c.json({ code: 200 })
}

/**
 * Adds a description that was made after the event. Returns 200 without a change if the description is not newer than
 * the stored one.
 */
export async function addMoments(c: Context<BridgeEnv>): Promise<Response> {
  const posted = readBody(c, postMoments)
  const home = await homeOfCamera(c, posted.device_id)
  checkTimes('The description says that it was made', [posted.by.at])
  const isChanged = await homeStub(c.env, home.home_id).addMoments(posted, await intakeHome(c.env, home), Date.now())
  if (isChanged === null) throw notFound()
  return c.json({ code: 200 })
}

/** Stores a batch of past events of one camera, in homes with demo data only. */
export async function addHistory(c: Context<BridgeEnv>): Promise<Response> {
  const { device_id, events } = readBody(c, postHistory)
  const home = await homeOfCamera(c, device_id)
  if (home.demo !== 1) throw forbidden('Only a demo home takes a history.')
  if (events.some((event) => event.device_id !== device_id)) throw badRequest('The history holds another camera.')
  checkTimes(
    'The event says that it was',
    events.map(({ event_ts }) => event_ts),
  )
  await checkObjects(c, home, events)
  const added = await homeStub(c.env, home.home_id).addHistory(events, Date.now())
  return c.json({ code: 200, data: { added } })
}

async function intakeHome(env: Env, { home_id, demo }: ServedHome) {
  return { plans: (await plansOfHome(env, home_id)) ?? NO_PLANS, isDemo: demo === 1 }
}

/** Throws 422 for an impossible time. `says`: start of the sentence about it. */
function checkTimes(says: string, times: readonly number[]): void {
  const latest = Date.now() + EVENT_TIMES.aheadMs
  const wrong = times.find((time) => time < EVENT_TIMES.since || time > latest)
  if (wrong === undefined) return
  const time = new Date(wrong).toISOString()
  throw new ApiError(422, 422, `${says} at ${time}, which cannot be: the clock of the bridge was wrong.`)
}

/**
 * Checks that the objects of events are stored and belong to this home. Throws 409 if one is not stored, so that the
 * bridge uploads it again; throws 403 if one belongs elsewhere.
 */
async function checkObjects(
  c: Context<BridgeEnv>,
  home: ServedHome,
  events: readonly { clip_object: string | null; thumb_object: string | null }[],
): Promise<void> {
  const keys = new Set<string>()
  for (const { clip_object, thumb_object } of events) {
    for (const [kind, key] of [
      ['clip', clip_object],
      ['thumb', thumb_object],
    ] as const) {
      if (key === null) continue
      if (!mayUseObject(home.home_id, home.demo === 1, kind, key)) throw forbidden('That object is not of this home.')
      keys.add(key)
    }
  }
  const stored = await Promise.all([...keys].map((key) => c.env.MEDIA.head(key)))
  if (stored.includes(null)) throw new ApiError(409, 409, 'An object of the event is not stored; upload it first.')
}

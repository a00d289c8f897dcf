import type { InferOutput } from 'valibot'
import type { Event, EventListRequest, getEvent, replayArchive } from '../../contract/events.ts'
import { mediaContent, mediaExpiry } from '../../contract/media.ts'
import type { Env } from '../env.ts'
import { forbidden, notFound } from '../http/refusal.ts'
import { hmacHex, textKey } from './hmac.ts'
import { homesOf, homeStub, placesOf } from './lookup.ts'

const json = (text: string) => new Response(text, { headers: { 'content-type': 'application/json' } })

/**
 * Events newest first, `count` at most. `free`: only those that every plan shows. A camera of somebody else is refused
 * with 403; ids that belong to nobody match nothing.
 */
export async function answerEventList(
  env: Env,
  userId: string,
  request: EventListRequest,
  free: boolean,
): Promise<Response> {
  const { device_id_list: asked } = request
  const [homes, places] = await Promise.all([
    homesOf(env, userId),
    asked.length === 0 ? [] : placesOf(env, userId, asked),
  ])
  if (places.some((place) => place.role === null)) throw forbidden()
  const query = { ...request, free }
  const lists = await Promise.all(homes.map((home) => homeStub(env, home.home_id).eventList(userId, query)))
  const found = lists.filter((list) => list !== null)
  const only = found.length === 1 ? found[0] : undefined
  return json(`{"code":200,"data":{"event_list":${only ?? merge(found, request.count)}}}`)
}

/** One list of the lists of several homes, which are sorted already. */
function merge(lists: readonly string[], count: number): string {
  const events = lists.flatMap((list) => JSON.parse(list) as Event[])
  return JSON.stringify(events.sort((a, b) => b.event_ts - a.event_ts).slice(0, count))
}

/** One event. 404 unless it is an event of a camera that the account may see. */
export async function answerEvent(
  env: Env,
  userId: string,
  asked: InferOutput<typeof getEvent.request>,
): Promise<Response> {
  const [place] = await placesOf(env, userId, [asked.device_id])
  if (!place || place.role === null) throw notFound()
  const found = await homeStub(env, place.home_id).event(userId, asked.device_id, asked.event_id)
  if (found === null) throw notFound()
  return json(`{"code":200,"data":${found}}`)
}

/** Where the recording of a time range plays, for 5 minutes. 404 when there is none that the account may see. */
export async function answerReplay(
  env: Env,
  userId: string,
  asked: InferOutput<typeof replayArchive.request>,
  now: number,
) {
  const [place] = await placesOf(env, userId, [asked.device_id])
  if (!place || place.role === null) throw notFound()
  const stub = homeStub(env, place.home_id)
  const eventId = await stub.clip(userId, asked.device_id, Number(asked.start_time), Number(asked.end_time))
  if (eventId === null) throw notFound()
  const exp = mediaExpiry('clip', now)
  const sig = await hmacHex(await textKey(env.MEDIA_KEY), mediaContent('clip', eventId, userId, exp))
  return {
    replay_url: `${env.PROVIDER_ORIGIN}/media/clip/${eventId}?u=${userId}&exp=${exp}&sig=${sig}`,
    mime: 'video/mp4',
  }
}

/** Marks events as seen. 404 when none of them is an event that the account may see. */
export async function review(env: Env, userId: string, eventIds: readonly string[]) {
  const homes = await homesOf(env, userId)
  const counts = await Promise.all(homes.map((home) => homeStub(env, home.home_id).review(userId, eventIds)))
  const reviewed = counts.reduce((sum, count) => sum + count, 0)
  if (reviewed === 0) throw notFound()
  return { reviewed }
}

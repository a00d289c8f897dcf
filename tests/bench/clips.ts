import { spawnSync } from 'node:child_process'
import type { Call } from '../../contract/wire/call.ts'
import { EVENT_QUERY_COUNT, ORDER_NEWEST_FIRST } from '../../contract/wire/constants.ts'
import { getEventList, type Event } from '../../contract/events/events.ts'
import { replayArchive } from '../../contract/events/event-calls.ts'
import type { RunEnvironment } from '../../scripts/lib/secrets.ts'
import { createNonceAt, sendCallAsEdge, signInAtProvider } from '../support/provider.ts'

type SendCall = (contract: Call, payload: Record<string, unknown>) => Promise<Response>

async function signInAsOwner(env: RunEnvironment): Promise<SendCall> {
  const { access_token } = await signInAtProvider(env)
  return (contract, payload) => sendCallAsEdge(env, contract, access_token, { payload })
}

/** Returns the owner's events of the last day. */
export async function listEvents(env: RunEnvironment): Promise<Event[]> {
  return queryEvents(await signInAsOwner(env))
}

/** Returns the ids of events whose clip cannot be fetched or does not decode completely. */
export async function listUnplayableEvents(env: RunEnvironment): Promise<string[]> {
  const sendCall = await signInAsOwner(env)
  const broken = []
  for (const event of await queryEvents(sendCall)) if (!(await isPlayable(sendCall, event))) broken.push(event.event_id)
  return broken
}

async function queryEvents(sendCall: SendCall): Promise<Event[]> {
  const answer = await sendCall(getEventList, {
    begin_time: Date.now() - 86_400_000,
    end_time: Date.now() + 60_000,
    count: EVENT_QUERY_COUNT,
    device_id_list: [],
    event_tag_list: [],
    event_value_list: [],
    order_by: ORDER_NEWEST_FIRST,
    nonce: createNonceAt(),
  })
  return ((await answer.json()) as { data: { event_list: Event[] } }).data.event_list
}

async function isPlayable(sendCall: SendCall, event: Event): Promise<boolean> {
  const [resource] = event.event_resources
  if (!resource) {
    console.log(`${event.event_id} is ${event.clip_state}`)
    return false
  }
  const answer = await sendCall(replayArchive, {
    device_id: event.device_id,
    product_model: 'PL-RTSP',
    start_time: String(resource.begin_time),
    end_time: String(resource.end_time),
    resource_version: String(resource.resource_version),
    resource_type: resource.resource_type,
    is_live: 'false',
  })
  const { data } = (await answer.json()) as { data?: { replay_url: string } }
  if (!data) {
    console.log(`${event.event_id}: no replay URL (status ${answer.status})`)
    return false
  }
  const clip = Buffer.from(await (await fetch(data.replay_url)).arrayBuffer())
  const decoded = spawnSync(
    'ffmpeg',
    ['-v', 'error', '-i', 'pipe:0', '-vsync', 'passthrough', '-enc_time_base', '1:90000', '-f', 'null', '-'],
    { input: clip },
  )
  if (decoded.stderr.length > 0) console.log(`${event.event_id}: ${String(decoded.stderr).slice(0, 300)}`)
  return decoded.status === 0 && decoded.stderr.length === 0
}

/**
 * `node tests/bench/event-kills.ts [rounds]`: kills the provider with SIGKILL at random points while events are posted,
 * receive clips, are deleted or expire. Afterwards each acknowledged event is listed once with its clip, deleted events
 * are gone, and expired events have neither row nor clip. An expired row never lacks its clip.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { ADMIN_PATHS, DEMO_HOMES } from '../../contract/operator/operator-calls.ts'
import { BRIDGE_PATHS } from '../../contract/bridge/bridge-protocol.ts'
import type { Call } from '../../contract/wire/call.ts'
import { type Event, eventHistory } from '../../contract/events/events.ts'
import { replayArchive } from '../../contract/events/event-calls.ts'
import { deleteEvents, getRetention } from '../../contract/events/timeline.ts'
import { callOperator } from '../../scripts/lib/operator.ts'
import { makeEvent, TestBridge } from '../support/home.ts'
import { newNonce, send, signIn } from '../support/provider.ts'
import { openProviderProcess } from './provider-process.ts'

/** Response of one retention step. `more`: another step is due immediately. */
const retentionAnswer = v.object({ code: v.literal(200), data: v.object({ more: v.boolean() }) })

const rounds = Number(process.argv[2] ?? 100)
const DEVICE = 'kill_camera'
const LANES = 4
/** Longer than the retention period of any plan. */
const OLD_MS = 70 * 86_400_000
const data = mkdtempSync(join(tmpdir(), 'event-kills-'))
const provider = await openProviderProcess(fileURLToPath(new URL('../../', import.meta.url)), data)
await provider.seed()
const bridge = new TestBridge(provider.env.PROVIDER_ORIGIN, 'bridge_kills')
const enrolled = { key_hash: bridge.keyHash, name: 'Kills', homes: [DEMO_HOMES.owner] }
await callOperator(provider.env, 'PUT', `${ADMIN_PATHS.bridges}/${bridge.id}`, enrolled)
await bridge.register(DEVICE)
const { access_token: token, user_id } = await account()

const acknowledged = { posted: new Set<string>(), clips: new Set<string>(), deleted: new Set<string>() }
/** Events beyond the retention period: all that were sent, and those whose post or clip was acknowledged. */
const old = { sent: new Set<string>(), posted: new Set<string>(), clips: new Set<string>() }
/** Ids of expired events that were listed without their clip. */
const halves = new Set<string>()
let looks = 0
/** Ids of events whose deletion got no response: the event may or may not exist. */
const doubtful = new Set<string>()
const started = Date.now()
let number = 0

for (let round = 0; round < rounds; round++) {
  const stop = { now: false }
  const lanes = [
    ...Array.from({ length: LANES }, () => lane(stop, postEvent)),
    lane(stop, oneOld),
    lane(stop, runRetentionStep),
  ]
  const before = acknowledged.clips.size
  for (const end = performance.now() + 20_000; acknowledged.clips.size === before && performance.now() < end;)
    await sleep(5)
  await sleep(Math.random() * 1500)
  await provider.kill()
  stop.now = true
  await Promise.all(lanes)
  await provider.start()
  for (const id of (await listed(-OLD_MS)).slice(0, 5))
    if (old.clips.has(id) && !(await plays(id, -OLD_MS))) halves.add(id)
}
while (await runRetentionStep());
await judge()
await provider.close()
rmSync(data, { recursive: true, force: true })

async function lane(stop: { now: boolean }, work: (id: string) => Promise<unknown>): Promise<void> {
  while (!stop.now) {
    try {
      await work(`kill_${number++}`)
    } catch {
      /* The provider is down; unacknowledged work does not count. */
      await sleep(20)
    }
  }
}

/** Posts an event without its clip, adds the clip, and deletes every fourth event again. */
async function postEvent(id: string): Promise<void> {
  await record(id, started, acknowledged)
  if (Number(id.slice(5)) % 4 !== 0) return
  doubtful.add(id)
  await sendCall(deleteEvents, { event_ids: [id] })
  acknowledged.deleted.add(id)
  doubtful.delete(id)
}

/** Posts an event that is older than the plan's retention period. */
async function oneOld(id: string): Promise<void> {
  old.sent.add(id)
  await record(id, started - OLD_MS, old)
  await sleep(20)
}

async function record(id: string, from: number, delivered: { posted: Set<string>; clips: Set<string> }): Promise<void> {
  const event_ts = from + Number(id.slice(5))
  await must(bridge.post(makeEvent(DEVICE, id, { event_ts, clip_state: 'uploading' })))
  delivered.posted.add(id)
  const clip_object = await bridge.upload(DEVICE, 'clip', id, Buffer.from(id))
  const resource = { begin_time: event_ts, end_time: event_ts, resource_version: 1, resource_type: 's3' }
  const clip = { device_id: DEVICE, event_id: id, clip_object, thumb_object: null, event_resources: [resource] }
  await must(bridge.send('POST', BRIDGE_PATHS.clip, clip))
  delivered.clips.add(id)
}

/** Runs one retention step. Returns true if more steps are due. */
async function runRetentionStep(): Promise<boolean> {
  const answer = await callOperator(provider.env, 'POST', `${ADMIN_PATHS.retention}/${DEMO_HOMES.owner}`)
  looks++
  return v.parse(retentionAnswer, answer).data.more
}

async function must(answer: Promise<{ status: number }>): Promise<void> {
  const { status } = await answer
  if (status !== 200) throw new Error(`The provider answered ${status}.`)
}

async function sendCall(call: Call, payload: Record<string, unknown>) {
  const user = call.userId ? { user_id } : {}
  const answer = await send(provider.env, call, token, {
    payload: { ...payload, ...user, ...(call.nonce ? { nonce: newNonce() } : {}) },
  })
  const body = (await answer.json()) as { data: unknown }
  if (answer.status !== 200) throw new Error(`The provider answered ${answer.status}.`)
  return body.data
}

async function account(): Promise<{ access_token: string; user_id: string }> {
  const tokens = await signIn(provider.env)
  const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string }
  return { access_token: tokens.access_token, user_id: claims.sub }
}

/** Returns the ids of the events listed for the day that starts `from` ms after the start of the run. */
async function listed(from: number): Promise<string[]> {
  const { event_list } = (await sendCall(eventHistory, {
    ...{ begin_time: started + from - 1000, end_time: started + from + 86_400_000, count: 10_000, order_by: 2 },
    ...{ device_id_list: [DEVICE], event_tag_list: [], event_value_list: [] },
  })) as { event_list: Event[] }
  return event_list.map(({ event_id }) => event_id)
}

async function judge(): Promise<void> {
  const list = await listed(0)
  const there = new Set(list)
  const expected = [...acknowledged.posted].filter((id) => !acknowledged.deleted.has(id) && !doubtful.has(id))
  const lost = expected.filter((id) => !there.has(id))
  const risen = [...acknowledged.deleted].filter((id) => there.has(id))
  const broken: string[] = []
  for (const id of expected) if (acknowledged.clips.has(id) && !(await plays(id))) broken.push(id)
  const twice = list.length - there.size
  console.log(
    `${rounds} kills: ${acknowledged.posted.size} events acknowledged, ${acknowledged.clips.size} clips, ${acknowledged.deleted.size} deletions; ` +
      `${lost.length} lost, ${twice} listed twice, ${broken.length} without their clip, ${risen.length} back after deletion`,
  )
  if (expected.length === 0 || lost.length + twice + broken.length + risen.length > 0) process.exitCode = 1
  await judgeRetention()
}

async function judgeRetention(): Promise<void> {
  const rows = await listed(-OLD_MS)
  const clips: string[] = []
  for (const id of old.clips) if (await isStored(id)) clips.push(id)
  const { homes } = (await sendCall(getRetention, {})) as { homes: { deleted: { reason: string; events: number }[] }[] }
  const runs = homes.flatMap((home) => home.deleted).filter(({ reason }) => reason === 'plan')
  const reportedCount = runs.reduce((sum, { events }) => sum + events, 0)
  console.log(
    `retention: ${looks} steps, ${old.posted.size} events that the plan does not keep, ${old.clips.size} with clips; ${rows.length} rows and ` +
      `${clips.length} clips left, ${halves.size} rows without their clip, ${reportedCount} told as deleted`,
  )
  const isToldRight = reportedCount >= old.posted.size && reportedCount <= old.sent.size
  if (old.clips.size === 0 || rows.length + clips.length + halves.size > 0 || !isToldRight) process.exitCode = 1
}

async function isStored(id: string): Promise<boolean> {
  const objects = [{ kind: 'clip', name: id, type: 'video/mp4', length: Buffer.byteLength(id) }]
  const { body } = await bridge.send('POST', BRIDGE_PATHS.uploads, { device_id: DEVICE, objects })
  return (body as { data: { grants: { exists: boolean }[] } }).data.grants[0]?.exists === true
}

async function plays(id: string, from = 0): Promise<boolean> {
  const at = String(started + from + Number(id.slice(5)))
  const { replay_url } = (await sendCall(replayArchive, {
    ...{ device_id: DEVICE, product_model: 'PL-1', start_time: at, end_time: at },
    ...{ resource_version: '1', resource_type: 's3', is_live: 'false' },
  })) as { replay_url: string }
  return (await (await fetch(replay_url)).text()) === id
}

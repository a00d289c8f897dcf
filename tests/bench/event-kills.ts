/**
 * `node tests/bench/event-kills.ts [rounds]`: sends SIGKILL to the provider at random points while events are posted,
 * receive clips, are deleted or expire. Afterwards each acknowledged event must be listed once with its clip. Deleted
 * and expired events must be gone. An expired event must never be listed without its clip.
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
import { createBridgeEvent, TestBridge } from '../support/home.ts'
import { createNonceAt, sendCallAsEdge, signInAtProvider } from '../support/provider.ts'
import { openProviderProcess } from './provider-process.ts'

const retentionStepResponse = v.object({ code: v.literal(200), data: v.object({ more: v.boolean() }) })

const rounds = Number(process.argv[2] ?? 100)
const DEVICE_ID = 'kill_camera'
const PARALLEL_POSTS = 4
/** Age of an expired event, ms. It exceeds the retention period of every plan. */
const EXPIRED_AGE_MS = 70 * 86_400_000
const dataFolder = mkdtempSync(join(tmpdir(), 'event-kills-'))
const provider = await openProviderProcess(fileURLToPath(new URL('../../', import.meta.url)), dataFolder)
await provider.seed()
const bridge = new TestBridge(provider.env.PROVIDER_ORIGIN, 'bridge_kills')
const enrollment = { key_hash: bridge.keyHash, name: 'Kills', homes: [DEMO_HOMES.owner] }
await callOperator(provider.env, 'PUT', `${ADMIN_PATHS.bridges}/${bridge.id}`, enrollment)
await bridge.register(DEVICE_ID)
const { access_token: token, user_id } = await signInOwner()

const acknowledged = { posted: new Set<string>(), clips: new Set<string>(), deleted: new Set<string>() }
/**
 * Ids of expired events. `sent`: all events that were sent. `posted`: events that the provider acknowledged. `clips`:
 * events whose clip the provider also acknowledged.
 */
const expired = { sent: new Set<string>(), posted: new Set<string>(), clips: new Set<string>() }
const expiredWithoutClip = new Set<string>()
let retentionStepCount = 0
/** Ids of events whose deletion got no response, so they may or may not still exist. */
const unconfirmedDeletions = new Set<string>()
const startMs = Date.now()
let nextEventNumber = 0

for (let round = 0; round < rounds; round++) {
  const stop = { now: false }
  const workers = [
    ...Array.from({ length: PARALLEL_POSTS }, () => runWorker(stop, postEvent)),
    runWorker(stop, postExpiredEvent),
    runWorker(stop, runRetentionStep),
  ]
  const before = acknowledged.clips.size
  for (const end = performance.now() + 20_000; acknowledged.clips.size === before && performance.now() < end;)
    await sleep(5)
  await sleep(Math.random() * 1500)
  await provider.kill()
  stop.now = true
  await Promise.all(workers)
  await provider.start()
  for (const id of (await listEventIds(-EXPIRED_AGE_MS)).slice(0, 5))
    if (expired.clips.has(id) && !(await isPlayable(id, -EXPIRED_AGE_MS))) expiredWithoutClip.add(id)
}
while (await runRetentionStep());
await checkEvents()
await provider.close()
rmSync(dataFolder, { recursive: true, force: true })

async function runWorker(stop: { now: boolean }, work: (id: string) => Promise<unknown>): Promise<void> {
  while (!stop.now) {
    try {
      await work(`kill_${nextEventNumber++}`)
    } catch {
      /* The provider is down. The checks at the end include only acknowledged work. */
      await sleep(20)
    }
  }
}

async function postEvent(id: string): Promise<void> {
  await postEventWithClip(id, startMs, acknowledged)
  if (Number(id.slice(5)) % 4 !== 0) return
  unconfirmedDeletions.add(id)
  await sendCall(deleteEvents, { event_ids: [id] })
  acknowledged.deleted.add(id)
  unconfirmedDeletions.delete(id)
}

async function postExpiredEvent(id: string): Promise<void> {
  expired.sent.add(id)
  await postEventWithClip(id, startMs - EXPIRED_AGE_MS, expired)
  await sleep(20)
}

async function postEventWithClip(
  id: string,
  from: number,
  delivered: { posted: Set<string>; clips: Set<string> },
): Promise<void> {
  const event_ts = from + Number(id.slice(5))
  await expectOk(bridge.postEvent(createBridgeEvent(DEVICE_ID, id, { event_ts, clip_state: 'uploading' })))
  delivered.posted.add(id)
  const clip_object = await bridge.upload(DEVICE_ID, 'clip', id, Buffer.from(id))
  const resource = { begin_time: event_ts, end_time: event_ts, resource_version: 1, resource_type: 's3' }
  const clip = { device_id: DEVICE_ID, event_id: id, clip_object, thumb_object: null, event_resources: [resource] }
  await expectOk(bridge.send('POST', BRIDGE_PATHS.clip, clip))
  delivered.clips.add(id)
}

/** Runs one retention step. Returns true if more steps are due. */
async function runRetentionStep(): Promise<boolean> {
  const answer = await callOperator(provider.env, 'POST', `${ADMIN_PATHS.retention}/${DEMO_HOMES.owner}`)
  retentionStepCount++
  return v.parse(retentionStepResponse, answer).data.more
}

async function expectOk(answer: Promise<{ status: number }>): Promise<void> {
  const { status } = await answer
  if (status !== 200) throw new Error(`The provider returned ${status}.`)
}

async function sendCall(call: Call, payload: Record<string, unknown>) {
  const user = call.userId ? { user_id } : {}
  const answer = await sendCallAsEdge(provider.env, call, token, {
    payload: { ...payload, ...user, ...(call.nonce ? { nonce: createNonceAt() } : {}) },
  })
  const body = (await answer.json()) as { data: unknown }
  if (answer.status !== 200) throw new Error(`The provider returned ${answer.status}.`)
  return body.data
}

async function signInOwner(): Promise<{ access_token: string; user_id: string }> {
  const tokens = await signInAtProvider(provider.env)
  const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string }
  return { access_token: tokens.access_token, user_id: claims.sub }
}

/** Returns the ids of the events listed for the day that starts `from` ms after the start of the run. */
async function listEventIds(from: number): Promise<string[]> {
  const { event_list } = (await sendCall(eventHistory, {
    begin_time: startMs + from - 1000,
    end_time: startMs + from + 86_400_000,
    count: 10_000,
    order_by: 2,
    device_id_list: [DEVICE_ID],
    event_tag_list: [],
    event_value_list: [],
  })) as { event_list: Event[] }
  return event_list.map(({ event_id }) => event_id)
}

async function checkEvents(): Promise<void> {
  const list = await listEventIds(0)
  const listedIds = new Set(list)
  const expected = [...acknowledged.posted].filter(
    (id) => !acknowledged.deleted.has(id) && !unconfirmedDeletions.has(id),
  )
  const lost = expected.filter((id) => !listedIds.has(id))
  const undeleted = [...acknowledged.deleted].filter((id) => listedIds.has(id))
  const broken: string[] = []
  for (const id of expected) if (acknowledged.clips.has(id) && !(await isPlayable(id))) broken.push(id)
  const duplicateCount = list.length - listedIds.size
  console.log(
    `${rounds} kills: ${acknowledged.posted.size} events acknowledged, ${acknowledged.clips.size} clips, ${acknowledged.deleted.size} deletions; ` +
      `${lost.length} lost, ${duplicateCount} listed twice, ${broken.length} without their clip, ${undeleted.length} back after deletion`,
  )
  if (expected.length === 0 || lost.length + duplicateCount + broken.length + undeleted.length > 0) process.exitCode = 1
  await checkRetention()
}

async function checkRetention(): Promise<void> {
  const rows = await listEventIds(-EXPIRED_AGE_MS)
  const clips: string[] = []
  for (const id of expired.clips) if (await isStored(id)) clips.push(id)
  const { homes } = (await sendCall(getRetention, {})) as { homes: { deleted: { reason: string; events: number }[] }[] }
  const runs = homes.flatMap((home) => home.deleted).filter(({ reason }) => reason === 'plan')
  const reportedCount = runs.reduce((sum, { events }) => sum + events, 0)
  console.log(
    `retention: ${retentionStepCount} steps, ${expired.posted.size} events that the plan does not keep, ${expired.clips.size} with clips; ${rows.length} rows and ` +
      `${clips.length} clips left, ${expiredWithoutClip.size} rows without their clip, ${reportedCount} told as deleted`,
  )
  const isReportCorrect = reportedCount >= expired.posted.size && reportedCount <= expired.sent.size
  if (expired.clips.size === 0 || rows.length + clips.length + expiredWithoutClip.size > 0 || !isReportCorrect)
    process.exitCode = 1
}

async function isStored(id: string): Promise<boolean> {
  const objects = [{ kind: 'clip', name: id, type: 'video/mp4', length: Buffer.byteLength(id) }]
  const { body } = await bridge.send('POST', BRIDGE_PATHS.uploads, { device_id: DEVICE_ID, objects })
  return (body as { data: { grants: { exists: boolean }[] } }).data.grants[0]?.exists === true
}

async function isPlayable(id: string, from = 0): Promise<boolean> {
  const at = String(startMs + from + Number(id.slice(5)))
  const { replay_url } = (await sendCall(replayArchive, {
    device_id: DEVICE_ID,
    product_model: 'PL-1',
    start_time: at,
    end_time: at,
    resource_version: '1',
    resource_type: 's3',
    is_live: 'false',
  })) as { replay_url: string }
  return (await (await fetch(replay_url)).text()) === id
}

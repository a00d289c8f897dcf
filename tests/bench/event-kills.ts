/**
 * `node tests/bench/event-kills.ts [rounds]`: kills the provider with SIGKILL at random points while events are posted, get
 * their clips, and are deleted. Afterwards every event that it acknowledged must be listed once with its clip, none that it
 * acknowledged as deleted, and none twice.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ADMIN_PATHS, DEMO_HOMES } from '../../contract/admin.ts'
import { BRIDGE_PATHS } from '../../contract/bridge.ts'
import type { Call } from '../../contract/call.ts'
import { type Event, eventHistory } from '../../contract/events.ts'
import { replayArchive } from '../../contract/event-details.ts'
import { deleteEvents } from '../../contract/timeline.ts'
import { callOperator } from '../../scripts/lib/operator.ts'
import { makeEvent, TestBridge } from '../support/home.ts'
import { newNonce, send, signIn } from '../support/provider.ts'
import { openProviderProcess } from './provider-process.ts'

const rounds = Number(process.argv[2] ?? 100)
const DEVICE = 'kill_camera'
const LANES = 4
const data = mkdtempSync(join(tmpdir(), 'event-kills-'))
const provider = await openProviderProcess(fileURLToPath(new URL('../../', import.meta.url)), data)
await provider.seed()
const bridge = new TestBridge(provider.env.PROVIDER_ORIGIN, 'bridge_kills')
const enrolled = { key_hash: bridge.keyHash, name: 'Kills', homes: [DEMO_HOMES.owner] }
await callOperator(provider.env, 'PUT', `${ADMIN_PATHS.bridges}/${bridge.id}`, enrolled)
await bridge.register(DEVICE)
const { access_token: token, user_id } = await account()

const acknowledged = { posted: new Set<string>(), clips: new Set<string>(), deleted: new Set<string>() }
/** Deletions without an answer: the event may be there or not. */
const doubtful = new Set<string>()
const started = Date.now()
let number = 0

for (let round = 0; round < rounds; round++) {
  const stop = { now: false }
  const lanes = Array.from({ length: LANES }, () => lane(stop))
  const before = acknowledged.clips.size
  for (const end = performance.now() + 20_000; acknowledged.clips.size === before && performance.now() < end;)
    await sleep(5)
  await sleep(Math.random() * 1500)
  await provider.kill()
  stop.now = true
  await Promise.all(lanes)
  await provider.start()
}
await judge()
await provider.close()
rmSync(data, { recursive: true, force: true })

/** Posts event after event, each first without its clip, until it is stopped; every fourth is deleted again. */
async function lane(stop: { now: boolean }): Promise<void> {
  while (!stop.now) {
    const id = `kill_${number++}`
    try {
      await one(id)
    } catch {
      /* The provider is gone; what it has not answered for does not count. */
      await sleep(20)
    }
  }
}

async function one(id: string): Promise<void> {
  const event_ts = started + Number(id.slice(5))
  await must(bridge.post(makeEvent(DEVICE, id, { event_ts, clip_state: 'uploading' })))
  acknowledged.posted.add(id)
  const clip_object = await bridge.upload(DEVICE, 'clip', id, Buffer.from(id))
  const resource = { begin_time: event_ts, end_time: event_ts, resource_version: 1, resource_type: 's3' }
  const clip = { device_id: DEVICE, event_id: id, clip_object, thumb_object: null, event_resources: [resource] }
  await must(bridge.send('POST', BRIDGE_PATHS.clip, clip))
  acknowledged.clips.add(id)
  if (Number(id.slice(5)) % 4 !== 0) return
  doubtful.add(id)
  await ask(deleteEvents, { event_ids: [id] })
  acknowledged.deleted.add(id)
  doubtful.delete(id)
}

async function must(answer: Promise<{ status: number }>): Promise<void> {
  const { status } = await answer
  if (status !== 200) throw new Error(`The provider answered ${status}.`)
}

async function ask(call: Call, payload: Record<string, unknown>) {
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

async function judge(): Promise<void> {
  const { event_list } = (await ask(eventHistory, {
    ...{ begin_time: started - 1000, end_time: started + 86_400_000, count: 10_000, order_by: 2 },
    ...{ device_id_list: [DEVICE], event_tag_list: [], event_value_list: [] },
  })) as { event_list: Event[] }
  const listed = new Set(event_list.map(({ event_id }) => event_id))
  const kept = [...acknowledged.posted].filter((id) => !acknowledged.deleted.has(id) && !doubtful.has(id))
  const lost = kept.filter((id) => !listed.has(id))
  const risen = [...acknowledged.deleted].filter((id) => listed.has(id))
  const broken: string[] = []
  for (const id of kept) if (acknowledged.clips.has(id) && !(await plays(id))) broken.push(id)
  const twice = event_list.length - listed.size
  console.log(
    `${rounds} kills: ${acknowledged.posted.size} events acknowledged, ${acknowledged.clips.size} clips, ${acknowledged.deleted.size} deletions; ` +
      `${lost.length} lost, ${twice} listed twice, ${broken.length} without their clip, ${risen.length} back after deletion`,
  )
  if (kept.length === 0 || lost.length + twice + broken.length + risen.length > 0) process.exitCode = 1
}

async function plays(id: string): Promise<boolean> {
  const at = String(started + Number(id.slice(5)))
  const { replay_url } = (await ask(replayArchive, {
    ...{ device_id: DEVICE, product_model: 'PL-1', start_time: at, end_time: at },
    ...{ resource_version: '1', resource_type: 's3', is_live: 'false' },
  })) as { replay_url: string }
  return (await (await fetch(replay_url)).text()) === id
}

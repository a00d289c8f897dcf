import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PostMomentsRequest } from '../../../contract/bridge/event-descriptions.ts'
import { onboardingRegister, search } from '../../../contract/search/search-calls.ts'
import { storeBridge } from '../../../provider/bridge/enroll-bridge.ts'
import {
  createBridgeEvent,
  openNeighborhood,
  RECENT_TIME_MS,
  TestBridge,
  type Neighborhood,
} from '../../support/home.ts'

const KEY = Buffer.alloc(32, 7)
let neighborhood: Neighborhood
let bridge: TestBridge
let folder: string
let payload: PostMomentsRequest
beforeAll(async () => {
  const guide = await readFile('docs/describers.md', 'utf8')
  const extractCode = (language: string) => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(guide)?.[1] ?? ''
  payload = JSON.parse(extractCode('json')) as PostMomentsRequest
  neighborhood = await openNeighborhood()
  bridge = new TestBridge(neighborhood.a.bridge.origin, 'bridge_words', KEY)
  await storeBridge(
    neighborhood.bindings,
    bridge.id,
    { key_hash: bridge.keyHash, name: 'Words', homes: ['home_a'] },
    Date.now(),
  )
  await bridge.register(payload.device_id)
  await neighborhood.call(neighborhood.a, onboardingRegister)
  folder = await mkdtemp(join(tmpdir(), 'describers-'))
  await writeFile(join(folder, 'bridge.key'), JSON.stringify({ bridge_id: bridge.id, key: KEY.toString('base64url') }))
  await writeFile(join(folder, 'describe.mjs'), extractCode('js'))
})
afterAll(async () => {
  await neighborhood.close()
  await rm(folder, { recursive: true })
})

/** Runs the example program of docs/describers.md. Returns its exit code and output. */
async function runDescriber(description: PostMomentsRequest): Promise<[number, string]> {
  const program = [join(folder, 'describe.mjs'), bridge.origin, folder]
  const child = spawn(process.execPath, program, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(description))
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  return [code as number, printed]
}

test('the program in docs/describers.md reports an unknown event, and describes it once it is known', async () => {
  expect(await runDescriber(payload)).toEqual([1, expect.stringMatching(/^404 /)])
  await bridge.postEvent(
    createBridgeEvent(payload.device_id, payload.event_id, { event_ts: RECENT_TIME_MS, title: 'Motion' }),
  )
  expect(await runDescriber(payload)).toEqual([0, '200 {"code":200}\n'])
  const range = { start_ts: RECENT_TIME_MS, end_ts: RECENT_TIME_MS, device_macs_to_include: [payload.device_id] }
  const { body } = await neighborhood.call(neighborhood.a, search, {
    ...range,
    event_tags_to_include: ['104'],
    limit: 50,
    query: 'courier in a yellow jacket',
  })
  const { title, tags, values, event_id, moments } = payload
  expect(body.data.events).toMatchObject([
    { event: { event_id, title, tags, event_values: values }, at_s: moments[0]?.at_s },
  ])
})

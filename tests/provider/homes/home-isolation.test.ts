import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addCamera } from '../../../bridge/cameras/camera-file.ts'
import { BRIDGE_PATHS } from '../../../contract/bridge/bridge-protocol.ts'
import type { Call } from '../../../contract/wire/call.ts'
import { GATEWAY_CALLS } from '../../../contract/all-calls.ts'
import { getHomeDevices } from '../../../contract/cameras/devices.ts'
import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import { getStreams } from '../../../contract/live/live-calls.ts'
import { shareCamera } from '../../../contract/cameras/owner-calls.ts'
import { onboardingRegister, search, searchFeedback } from '../../../contract/search/search-calls.ts'
import { CALL_INPUTS, type CallInput, SEARCH_FEEDBACK, SEARCH_INPUT } from '../../support/home-calls.ts'
import {
  TEST_CAMERA,
  type Household,
  createBridgeEvent,
  openNeighborhood,
  type Neighborhood,
  RECENT_TIME_MS,
} from '../../support/home.ts'
import { openSocket, type TestSocket } from '../../support/socket.ts'

/**
 * Two homes whose cameras have the same addresses and names, and whose events have the same times. Household b is also
 * a guest of home a for one camera, `shared_a`; household a has no access to home b.
 */
let neighborhood: Neighborhood
const folders: string[] = []
const controlSockets: TestSocket[] = []
/** Patterns of ids, names and sentences that only accounts with access to the whole home may read. */
const secretPatterns = {
  a: /door_a|lan_a|event_a|bridge_a|user_a|a@example|Secret of a/,
  b: /_b\b|Secret of b|Home of b/,
}
const lanCameraIds = { a: '', b: '' }

beforeAll(async () => {
  neighborhood = await openNeighborhood()
  for (const name of ['a', 'b'] as const) await setUpHome(name)
  await neighborhood.a.bridge.register('shared_a')
  await neighborhood.call(neighborhood.a, shareCamera, { device_id: 'shared_a', email: 'b@example.com', role: 2 })
})
afterAll(async () => {
  for (const control of controlSockets) await control.close()
  await neighborhood.close()
  for (const dataFolder of folders) await rm(dataFolder, { recursive: true, force: true })
})

async function setUpHome(name: 'a' | 'b'): Promise<void> {
  const household = neighborhood[name]
  const dataFolder = await mkdtemp(join(tmpdir(), 'two-tenants-'))
  folders.push(dataFolder)
  lanCameraIds[name] = (await addCamera(dataFolder, { url: 'rtsp://192.168.1.100/stream1' })).device_id
  for (const id of [`door_${name}`, `gone_${name}`, lanCameraIds[name]])
    expect((await household.bridge.register(id, { dual: true })).status).toBe(200)
  const control = await household.bridge.openControlSocket()
  controlSockets.push(control)
  control.send({ type: 'hello', version: '1', cameras: [{ device_id: `door_${name}`, state: 'awake', reason: '' }] })
  expect(JSON.stringify(await control.receive(({ type }) => type === 'welcome'))).toContain(`door_${name}`)
  const clip_object = await household.bridge.upload(
    `door_${name}`,
    'clip',
    `event_${name}`,
    Buffer.from(`clip ${name}`),
  )
  const resource = {
    begin_time: RECENT_TIME_MS,
    end_time: RECENT_TIME_MS + 9,
    resource_version: 1,
    resource_type: 's3' as const,
  }
  const media = { clip_object, event_resources: [resource] }
  const moments = [{ at_s: 0, text: `Secret of ${name}: a person` }]
  for (const device of [`door_${name}`, lanCameraIds[name]])
    await household.bridge.postEvent(
      createBridgeEvent(device, device === lanCameraIds[name] ? `lan_event_${name}` : `event_${name}`, {
        ...(device === lanCameraIds[name] ? {} : media),
        title: `Secret of ${name}`,
        moments,
      }),
    )
  await household.bridge.postEvent(createBridgeEvent(`door_${name}`, `spare_event_${name}`))
}

/**
 * Enrolls the household in search, searches, and gives feedback. Returns the inputs of the calls that need the id of
 * the query or of the feedback.
 */
async function createSearchInputs(household: Household): Promise<Record<string, CallInput>> {
  await neighborhood.call(household, onboardingRegister)
  const { query_id } = (
    await neighborhood.call(household, search, { ...SEARCH_INPUT, device_macs_to_include: [], query: 'person' })
  ).body.data
  const { feedback_id } = (await neighborhood.call(household, searchFeedback, { ...SEARCH_FEEDBACK, query: 'person' }))
    .body.data
  return {
    'CALL-48': { input: { query_ids: [query_id], delete_all: false } },
    'CALL-49': { input: {}, params: { query_id } },
    'EXT-search-feedback-undo': { input: { feedback_id } },
  }
}

/** Replaces the ids of home a in an input with those of `home`. */
function replaceHomeIds(home: 'a' | 'b', input: CallInput | null): CallInput {
  const text = JSON.stringify(input ?? { input: {} }).replace(/(\w+)_a"/g, `$1_${home}"`)
  return JSON.parse(text) as CallInput
}

const namedCalls = GATEWAY_CALLS.map((call): [string, Call] => [`${call.method} ${call.path}`, call])
const HOME_PAIRS = [
  ['a', 'b', 'a stranger'],
  ['b', 'a', 'a guest of one camera'],
] as const

let requestCount = 0
describe.each(HOME_PAIRS)('calls from home %s with the ids of home %s, as %s', (me, other) => {
  let own: Record<string, CallInput> = {}
  beforeAll(async () => {
    own = await createSearchInputs(neighborhood[other])
  })

  test.each(namedCalls)('%s reveals nothing of the other home', async (_name, call) => {
    const { input, params } = own[call.ledger] ?? replaceHomeIds(other, CALL_INPUTS[call.ledger] ?? null)
    const answer = await neighborhood.call(neighborhood[me], call, input, params)
    requestCount += 1
    // Ignore the sentences that tell a guest who shares the camera.
    const text = JSON.stringify(answer.body).replaceAll(/a@example\.com shared/g, '')
    expect(answer.status).toBeLessThan(500)
    expect(text).not.toMatch(secretPatterns[other])
    expect(text).not.toContain(lanCameraIds[other])
  })
})

test('every call was tested from both homes, and the homes are unchanged', async () => {
  expect(requestCount).toBe(2 * GATEWAY_CALLS.length)
  expect(requestCount).toBeGreaterThan(100)
  for (const name of ['a', 'b'] as const) {
    const home = { device_category: 'camera', env: 'beta', home_id: `home_${name}` }
    const { body } = await neighborhood.call(neighborhood[name], getHomeDevices, home)
    const devices = body.data.device_list as { device_id: string; nickname: string }[]
    const own = devices.filter(({ device_id }) => device_id !== 'shared_a')
    expect(own.map(({ device_id, nickname }) => [device_id, nickname]).sort()).toEqual(
      [`door_${name}`, `gone_${name}`, lanCameraIds[name]].map((id) => [id, TEST_CAMERA.nickname]).sort(),
    )
  }
})

describe.each(HOME_PAIRS)('bridge calls and sockets of home %s with the ids of home %s', (me, other) => {
  const otherCamera = `door_${other}`
  const event = createBridgeEvent(otherCamera, 'planted', { title: 'Planted' })
  const objects = [{ kind: 'clip', name: 'planted', type: 'video/mp4', length: 1 }]
  const clip = {
    device_id: otherCamera,
    event_id: `event_${other}`,
    clip_object: null,
    thumb_object: null,
    event_resources: [],
  }
  const by = { kind: 'model', model: 'Planted', at: RECENT_TIME_MS }
  const description = { device_id: otherCamera, event_id: `event_${other}`, moments: [], tags: [], values: [], by }
  const BRIDGE_REQUESTS: Record<
    Exclude<keyof typeof BRIDGE_PATHS, 'control' | 'relay' | 'enrol' | 'failures'>,
    [string, string, unknown][]
  > = {
    cameras: [
      ['PUT', `/${otherCamera}`, TEST_CAMERA],
      ['PUT', '/planted', { ...TEST_CAMERA, home_id: `home_${other}` }],
      ['DELETE', `/${otherCamera}`, undefined],
    ],
    uploads: [['POST', '', { device_id: otherCamera, objects }]],
    events: [['POST', '', { event }]],
    clip: [['POST', '', clip]],
    moments: [['POST', '', description]],
    history: [['POST', '', { device_id: otherCamera, events: [event] }]],
  }

  test.each(Object.entries(BRIDGE_REQUESTS))('bridge calls to %s change and reveal nothing', async (path, requests) => {
    for (const [method, rest, payload] of requests) {
      const address = BRIDGE_PATHS[path as keyof typeof BRIDGE_PATHS] + rest
      const { status, body } = await neighborhood[me].bridge.send(method, address, payload)
      expect(method === 'DELETE' ? [200] : [403, 404, 409]).toContain(status)
      expect(JSON.stringify(body)).not.toMatch(secretPatterns[other])
    }
  })

  test('the control socket neither receives nor changes a camera of the other home', async () => {
    // Open the socket in this test, not earlier: the provider closes a control socket that sends no heartbeat for 25 s.
    const control = await neighborhood[me].bridge.openControlSocket()
    controlSockets.push(control)
    control.send({ type: 'state', device_id: otherCamera, state: 'offline', reason: 'Planted.', at: Date.now() })
    control.send({
      type: 'hello',
      version: '1',
      cameras: [{ device_id: otherCamera, state: 'offline', reason: 'Planted.' }],
    })
    expect(JSON.stringify(await control.receive(({ type }) => type === 'welcome'))).not.toMatch(secretPatterns[other])
    await control.ping()
    expect(control.countMessages((message) => secretPatterns[other].test(JSON.stringify(message)))).toBe(0)
    const { body } = await neighborhood.call(neighborhood[other], getHomeDevices, {
      device_category: 'camera',
      env: 'beta',
    })
    expect(JSON.stringify(body)).not.toContain('Planted')
  })

  test('the relay socket is rejected', async () => {
    await expect(neighborhood[me].bridge.openRelaySocket(otherCamera)).rejects.toThrow('404')
  })

  test('a viewer’s ticket opens no other camera', async () => {
    const mine = { device_list: [{ device_id: `door_${me}` }] }
    const { body } = await neighborhood.call(neighborhood[me], getStreams, mine)
    const url = (body.data.streams[0].signalling_url as string).replace(`door_${me}`, otherCamera)
    await expect(openSocket(url, { origin: neighborhood.stage.env.PORTAL_ORIGIN })).rejects.toThrow('401')
  })

  test('the feed receives only events of its own home', async () => {
    const { body } = await neighborhood.call(neighborhood[me], feedTicket)
    const feed = await openSocket(body.data.url, { origin: neighborhood.stage.env.PORTAL_ORIGIN })
    await neighborhood[other].bridge.postEvent(
      createBridgeEvent(otherCamera, `${me}_hears_event_${other}`, { title: `Secret of ${other}` }),
    )
    await neighborhood[me].bridge.postEvent(createBridgeEvent(`door_${me}`, `${me}_hears_event_${me}`))
    const notification = await feed.receive(({ type }) => type === 'event')
    expect(notification.event.event_id).toBe(`${me}_hears_event_${me}`)
    expect(feed.countMessages((message) => secretPatterns[other].test(JSON.stringify(message)))).toBe(0)
    await feed.close()
  })
})

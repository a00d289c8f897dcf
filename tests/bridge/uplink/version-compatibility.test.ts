import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { type ProviderMessage } from '../../../contract/bridge/bridge-protocol.ts'
import { DEFAULT_CAMERA_SETTINGS } from '../../../contract/cameras/camera-settings.ts'
import { OwnerSettingsStore } from '../../../bridge/cameras/owner-settings.ts'
import { ControlSocket } from '../../../bridge/uplink/control-socket.ts'
import { ProviderClient } from '../../../bridge/uplink/provider-client.ts'
import { PendingHistory } from '../../../bridge/virtual/pending-history.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const end of cleanups.splice(0)) await end()
  vi.restoreAllMocks()
})

/**
 * Starts a provider of another version and connects a bridge to it. The test chooses the messages that the provider
 * sends and gets them as the bridge parsed them.
 */
async function startProvider() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const received: ProviderMessage[] = []
  const client = new ProviderClient(`http://127.0.0.1:${port}`, { bridgeId: 'b1', key: Buffer.alloc(32, 7) })
  const control = new ControlSocket(client, {
    createHello: () => ({ type: 'hello', version: '1', cameras: [] }),
    onMessage: (message) => void received.push(message),
  })
  cleanups.push(
    () => control.stop(),
    () => {
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  )
  control.start()
  const [socket] = (await once(server, 'connection')) as [WebSocket]
  /**
   * Sends the messages and then a pong. Once the bridge has received the pong, returns the other messages that it has
   * received.
   */
  const sendMessages = async (...messages: unknown[]) => {
    for (const message of messages) socket.send(JSON.stringify(message))
    socket.send(JSON.stringify({ type: 'pong', now: 1 }))
    await vi.waitUntil(() => received.at(-1)?.type === 'pong', WAIT_OPTIONS)
    return received.filter(({ type }) => type !== 'pong')
  }
  return { sendMessages }
}

const readLines = (spy: { mock: { calls: unknown[][] } }) => spy.mock.calls.map(([line]) => String(line))
const createCamera = (device_id: string, settings: unknown) => ({
  device_id,
  nickname: 'Door',
  last_event_ts: 5,
  power: false,
  rendition: null,
  pip: true,
  settings,
})
const createWelcome = (...cameras: unknown[]) => ({
  type: 'welcome',
  now: 1,
  homes: [{ home_id: 'home', demo: false, cameras }],
})

test('a welcome from an older provider gets defaults for missing settings and registers every camera', async () => {
  const lines = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const { sendMessages } = await startProvider()
  const received = await sendMessages(
    createWelcome(createCamera('A', { motion: false, zones: [] }), createCamera('B', undefined)),
  )
  expect(received).toMatchObject([
    createWelcome(
      createCamera('A', { motion: false, sensitivity: 50, zones: [] }),
      createCamera('B', DEFAULT_CAMERA_SETTINGS),
    ),
  ])
  expect(readLines(lines)).toContain(
    "bridge: A message from the provider couldn't be read (welcome: homes.0.cameras.0.settings.sensitivity). Occurrences so far: 1.\n",
  )
})

test('an unreadable camera in a welcome does not drop the others', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const { sendMessages } = await startProvider()
  const cameraWithNumericId = { ...createCamera('A', DEFAULT_CAMERA_SETTINGS), device_id: 7 }
  const cameraWithUnknownPower = { ...createCamera('C', DEFAULT_CAMERA_SETTINGS), power: 'perhaps' }
  const validCamera = createCamera('B', DEFAULT_CAMERA_SETTINGS)
  const [first] = await sendMessages(
    createWelcome(cameraWithNumericId, validCamera, cameraWithUnknownPower, {
      ...validCamera,
      device_id: 'D',
      nickname: null,
    }),
  )
  expect(first).toMatchObject({ homes: [{ cameras: [validCamera, { ...validCamera, device_id: 'D', nickname: '' }] }] })
})

test('messages from a newer provider are parsed without their unknown fields and without a log line', async () => {
  const lines = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const { sendMessages } = await startProvider()
  const newerSettings = { ...DEFAULT_CAMERA_SETTINGS, night: 'colour' }
  const settings = { type: 'settings', device_id: 'A', settings: newerSettings, by: 'owner' }
  const received = await sendMessages(
    { ...createWelcome({ ...createCamera('A', newerSettings), tint: 1 }), region: 'eu' },
    settings,
  )
  expect(received).toEqual([
    createWelcome(createCamera('A', DEFAULT_CAMERA_SETTINGS)),
    { type: 'settings', device_id: 'A', settings: DEFAULT_CAMERA_SETTINGS },
  ])
  expect(readLines(lines).filter((line) => line.includes("couldn't be read"))).toEqual([])
})

test('repeated unreadable messages are logged sparingly with a count, and later messages still arrive', async () => {
  const lines = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const { sendMessages } = await startProvider()
  const unknownMessages = Array.from({ length: 10 }, () => ({ type: 'dance', device_id: 'A' }))
  const wake = { type: 'command', device_id: 'A', command: 'wake' }
  expect(await sendMessages(...unknownMessages, { ...wake, command: 'sing' }, wake)).toEqual([wake])
  expect(readLines(lines).filter((line) => line.includes("couldn't be read"))).toEqual([
    "bridge: A message from the provider couldn't be read (dance: type). Occurrences so far: 1.\n",
    "bridge: A message from the provider couldn't be read (dance: type). Occurrences so far: 10.\n",
    "bridge: A message from the provider couldn't be read (command: command). Occurrences so far: 1.\n",
  ])
})

test('owner settings stored by an older bridge survive, field by field and camera by camera', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'choices-'))
  cleanups.push(() => rm(dataFolder, { recursive: true }))
  const storedSettings = { power: false, since: 5, rendition: '360', settings: { motion: false, zones: 'all' } }
  const file = {
    A: storedSettings,
    B: 'off',
    C: { ...storedSettings, power: true, settings: { ...DEFAULT_CAMERA_SETTINGS, night: 1 } },
  }
  await writeFile(join(dataFolder, 'choices.json'), JSON.stringify(file))
  await writeFile(join(dataFolder, 'pasts.json'), JSON.stringify({ A: 5, B: 'soon' }))
  const ownerSettings = new OwnerSettingsStore(dataFolder)
  await ownerSettings.open()
  const settings = { ...DEFAULT_CAMERA_SETTINGS, motion: false }
  expect(ownerSettings.get('A')).toEqual({ ...storedSettings, pip: false, settings })
  expect(ownerSettings.get('B')).toMatchObject({ power: true, settings: DEFAULT_CAMERA_SETTINGS })
  expect(ownerSettings.get('C')).toEqual({
    ...storedSettings,
    power: true,
    pip: false,
    settings: DEFAULT_CAMERA_SETTINGS,
  })
  expect(await new PendingHistory(dataFolder).getHistoryEnd('A')).toBe(5)
})

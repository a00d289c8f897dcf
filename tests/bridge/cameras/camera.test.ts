import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { BridgeMessage } from '../../../contract/bridge/bridge-protocol.ts'
import { CameraController, type CameraOptions } from '../../../bridge/cameras/camera.ts'
import { OwnerSettingsStore } from '../../../bridge/cameras/owner-settings.ts'
import type { AccessUnit } from '../../../bridge/media/h264/annex-b.ts'
import type { VideoSource } from '../../../bridge/sources/video-source.ts'

const NOON_MS = 1_795_181_460_000
beforeEach(() => void vi.useFakeTimers({ now: NOON_MS }))
afterEach(() => void vi.useRealTimers())

/** Creates a video source whose access units the test sends. */
function createManualSource() {
  const watchers = new Set<(unit: AccessUnit) => void>()
  const units: AccessUnit[] = []
  const source: VideoSource = {
    getGop: () => units,
    watch: (onUnit) => {
      watchers.add(onUnit)
      return () => watchers.delete(onUnit)
    },
    getRendition: () => source,
    start: () => undefined,
    stop: () => undefined,
  }
  const sendUnit = (id: number, keyframe = false) => {
    const unit = { nals: [Buffer.from([id])], keyframe, pts: id }
    if (keyframe) units.length = 0
    units.push(unit)
    for (const watcher of watchers) watcher(unit)
  }
  return { source, sendUnit, clearUnits: () => (units.length = 0) }
}

function openCamera(options: Partial<CameraOptions> = {}) {
  const sent: BridgeMessage[] = []
  const power: boolean[] = []
  const camera = new CameraController({
    deviceId: 'PL1',
    registration: {
      nickname: 'Garage',
      device_model: 'X',
      provider: 'kvs',
      renditions: [],
      dual: false,
      audio: false,
      battery: options.wakeMs !== undefined,
      device_order: 0,
    },
    source: createManualSource().source,
    createPeer: () => {
      throw new Error('The test opens no peer connection.')
    },
    send: (message) => void sent.push(message),
    now: () => Date.now(),
    onPower: (on) => {
      power.push(on)
      return { state: 'awake', reason: '' }
    },
    ...options,
  })
  camera.announce()
  const states = () =>
    sent.flatMap((message) => (message.type === 'state' ? [[message.state, message.at - NOON_MS]] : []))
  const reasons = () => sent.flatMap((message) => (message.type === 'state' ? [message.reason] : []))
  return { camera, states, reasons, power }
}

const createCommand = (name: 'wake') => ({ type: 'command', device_id: 'PL1', command: name }) as const

test('a battery camera wakes on command and sleeps after a minute without viewers', () => {
  const { camera, states } = openCamera({ wakeMs: 2000 })
  camera.handleCommand(createCommand('wake'))
  camera.handleCommand(createCommand('wake'))
  vi.advanceTimersByTime(2000)
  vi.advanceTimersByTime(59_999)
  expect(camera.state).toBe('awake')
  vi.advanceTimersByTime(1)
  expect(states()).toEqual([
    ['asleep', 0],
    ['waking', 0],
    ['awake', 2000],
    ['asleep', 62_000],
  ])
})

test('a recording problem is reported with its start time while the camera stays watchable, then cleared', () => {
  const { camera, states, reasons } = openCamera()
  vi.advanceTimersByTime(5000)
  camera.setProblem('No room.')
  camera.setProblem('No room.')
  camera.setStatus('offline', 'Gone.')
  camera.setStatus('awake', '')
  vi.advanceTimersByTime(5000)
  camera.setProblem('')
  expect(reasons()).toEqual(['', 'No room.', 'Gone.', 'No room.', ''])
  expect(states().map(([state, at]) => `${state} ${at}`)).toEqual([
    'awake 0',
    'awake 5000',
    'offline 5000',
    'awake 5000',
    'awake 10000',
  ])
})

test('a switched-off camera reports since when, and nothing else until it is switched on', () => {
  const { camera, states, power } = openCamera()
  vi.advanceTimersByTime(5000)
  camera.setPower(false)
  vi.advanceTimersByTime(5000)
  camera.setPower(false)
  camera.setStatus('offline', 'gone')
  expect(camera.getSummary()).toEqual({
    device_id: 'PL1',
    state: 'switched_off',
    reason: expect.stringMatching(/\boff\b/) as unknown,
    since: NOON_MS + 5000,
  })
  camera.setPower(true)
  expect(states().map(([state]) => state)).toEqual(['awake', 'switched_off', 'awake'])
  expect(power).toEqual([true, false, true])
})

test('a camera switched off before the bridge started keeps its switch-off time', () => {
  const { camera, power } = openCamera({ off: { since: NOON_MS - 3_600_000 } })
  expect(camera.getSummary()).toMatchObject({ state: 'switched_off', since: NOON_MS - 3_600_000 })
  expect(power).toEqual([])
})

test('a new reason for being offline does not change the offline start time', () => {
  const { camera } = openCamera()
  camera.setStatus('offline', 'The camera stopped sending data. Reconnecting…')
  vi.advanceTimersByTime(10_000)
  camera.setStatus('offline', 'The camera gives no answer.')
  expect(camera.getSummary()).toMatchObject({ reason: 'The camera gives no answer.', since: NOON_MS })
})

test('owner settings survive a restart', async () => {
  vi.useRealTimers()
  const dataFolder = await mkdtemp(join(tmpdir(), 'choices-'))
  const ownerSettings = new OwnerSettingsStore(dataFolder)
  await ownerSettings.open()
  await Promise.all([
    ownerSettings.set('PL1', { power: false, since: NOON_MS }),
    ownerSettings.set('PL2', { rendition: '720' }),
  ])
  const next = new OwnerSettingsStore(dataFolder)
  await next.open()
  expect(next.get('PL1')).toMatchObject({ power: false, since: NOON_MS, rendition: null })
  expect(next.get('PL2')).toMatchObject({ power: true, rendition: '720' })
  expect(next.get('PL3')).toMatchObject({ power: true, settings: { motion: true, sensitivity: 50 } })
  await next.move('PL1', 'PL4')
  expect([next.get('PL4').power, next.get('PL1').power]).toEqual([false, true])
  await rm(dataFolder, { recursive: true })
})

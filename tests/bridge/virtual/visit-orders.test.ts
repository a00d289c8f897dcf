import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { parseBridgeArguments } from '../../../bridge/runtime/command-line.ts'
import { Recorder } from '../../../bridge/virtual/virtual-recorder.ts'
import { RecordingQueue } from '../../../bridge/recording/recording-queue.ts'
import { actionEndsAt } from '../../../bridge/virtual/virtual-clip.ts'
import { planHistory } from '../../../bridge/virtual/demo-history.ts'
import { placeCameras } from '../../../bridge/virtual/assign-virtual-cameras.ts'
import { happenings } from '../../../bridge/virtual/day-schedule.ts'
import { createCameraPlan } from '../../../bridge/virtual/virtual-camera.ts'
import { watchVisitOrders } from '../../../bridge/virtual/visit-orders.ts'
import { ACTION, library } from '../../support/bridge-streams.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const [place] = placeCameras(library.manifest, [{ home_id: 'home', demo: false }], 1)
if (!place) throw new RangeError('no camera')
const slot = { index: 0, count: 1 }
const plan = createCameraPlan(library, place, { startedAt: NOW, slot, visits: 'none' })
const livelyPlan = createCameraPlan(library, place, { startedAt: NOW, slot, visits: 'chance' })

const folders: string[] = []
const endings: (() => void)[] = []
afterEach(() => {
  for (const end of endings.splice(0)) end()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  vi.useRealTimers()
})

function openRecorder() {
  vi.useFakeTimers({ now: NOW })
  const queue = new RecordingQueue('/nowhere', () => Promise.resolve())
  const add = vi.spyOn(queue, 'add').mockResolvedValue()
  const recorder = new Recorder(library, plan, { now: () => Date.now() }, queue, NOW)
  endings.push(() => recorder.stop())
  return { recorder, add }
}

test('--visits defaults to chance, accepts none, and rejects other values', () => {
  const run = (...more: string[]) => parseBridgeArguments(['--provider', 'http://127.0.0.1:1', '--data', 'd', ...more])
  expect(run()).toMatchObject({ options: { visits: 'chance' } })
  expect(run('--visits', 'none')).toMatchObject({ options: { visits: 'none' } })
  expect(() => run('--visits', 'many')).toThrow('--visits wants chance or none.')
})

test('without visits nothing happens for a week, and the generated history stays complete', () => {
  const week = 7 * 86_400_000
  expect(happenings(livelyPlan, NOW, NOW + week).length).toBeGreaterThan(70)
  expect(happenings(plan, NOW, NOW + week)).toEqual([])
  expect(planHistory(library, plan, NOW)).toEqual(planHistory(library, livelyPlan, NOW))
})

test('an ordered visit is recorded once, at that moment, as one that has just ended', async () => {
  const { recorder, add } = openRecorder()
  recorder.start()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(add).not.toHaveBeenCalled()
  recorder.visit()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(add).toHaveBeenCalledOnce()
  const happening = { device_id: place.device_id, scene: 'driveway', light: 'day', action: ACTION.id } as const
  expect(add.mock.calls[0]?.[1]).toMatchObject(happening)
  expect(actionEndsAt(library, { ...happening, at: NOW + 3_600_000 - ACTION.to * 1000 })).toBe(NOW + 3_600_000)
})

test('a camera that is off or has motion detection disabled records no visit', async () => {
  const { recorder, add } = openRecorder()
  recorder.visit()
  recorder.start()
  recorder.configure({ motion: false, zones: [], sensitivity: 50 })
  recorder.visit()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(add).not.toHaveBeenCalled()
})

test('a file named after a camera id orders a visit and is deleted; an unknown id waits', async () => {
  const data = mkdtempSync(join(tmpdir(), 'visits-'))
  folders.push(data)
  const order = (id: string) => writeFileSync(join(data, 'visits', id), '')
  mkdirSync(join(data, 'visits'))
  order('PL1')
  order('PL2')
  const cameras = new Set(['PL1'])
  const visited: string[] = []
  endings.push(watchVisitOrders(data, (id) => cameras.has(id) && visited.push(id) > 0))
  await vi.waitFor(() => expect(existsSync(join(data, 'visits/PL1'))).toBe(false))
  expect(existsSync(join(data, 'visits/PL2'))).toBe(true)
  cameras.add('PL2')
  await vi.waitFor(() => expect(existsSync(join(data, 'visits/PL2'))).toBe(false))
  order('PL1')
  await vi.waitFor(() => expect(visited).toEqual(['PL1', 'PL2', 'PL1']))
})

test('the orders folder is created with access for its owner only', async () => {
  const data = mkdtempSync(join(tmpdir(), 'visits-'))
  folders.push(data)
  endings.push(watchVisitOrders(data, () => true))
  const mode = () => statSync(join(data, 'visits')).mode & 0o777
  await vi.waitFor(() => expect(mode()).toBe(0o700))
})

import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { parseBridgeArguments } from '../../../bridge/runtime/command-line.ts'
import { VirtualRecorder } from '../../../bridge/virtual/virtual-recorder.ts'
import { RecordingQueue } from '../../../bridge/recording/recording-queue.ts'
import { getActionEnd } from '../../../bridge/virtual/virtual-clip.ts'
import { planHistory } from '../../../bridge/virtual/demo-history.ts'
import { assignVirtualCameras } from '../../../bridge/virtual/assign-virtual-cameras.ts'
import { listActions } from '../../../bridge/virtual/day-schedule.ts'
import { createDaySchedule } from '../../../bridge/virtual/virtual-camera.ts'
import { watchVisitRequests } from '../../../bridge/virtual/visit-requests.ts'
import { DRIVEWAY_ACTION, sceneLibrary } from '../../support/bridge-streams.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const [virtualCamera] = assignVirtualCameras(sceneLibrary.manifest, [{ home_id: 'home', demo: false }], 1)
if (!virtualCamera) throw new RangeError('The scene library has no virtual camera.')
const slot = { index: 0, count: 1 }
const planWithoutVisits = createDaySchedule(sceneLibrary, virtualCamera, { startedAt: NOW, slot, visits: 'none' })
const planWithVisits = createDaySchedule(sceneLibrary, virtualCamera, { startedAt: NOW, slot, visits: 'chance' })

const folders: string[] = []
const cleanups: (() => void)[] = []
afterEach(() => {
  for (const end of cleanups.splice(0)) end()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  vi.useRealTimers()
})

function openRecorder() {
  vi.useFakeTimers({ now: NOW })
  const queue = new RecordingQueue('/nowhere', () => Promise.resolve())
  const add = vi.spyOn(queue, 'add').mockResolvedValue()
  const recorder = new VirtualRecorder(sceneLibrary, planWithoutVisits, { now: () => Date.now() }, queue, NOW)
  cleanups.push(() => recorder.stop())
  return { recorder, add }
}

test('--visits defaults to chance, accepts none, and rejects other values', () => {
  const parseArguments = (...more: string[]) =>
    parseBridgeArguments(['--provider', 'http://127.0.0.1:1', '--data', 'd', ...more])
  expect(parseArguments()).toMatchObject({ options: { visits: 'chance' } })
  expect(parseArguments('--visits', 'none')).toMatchObject({ options: { visits: 'none' } })
  expect(() => parseArguments('--visits', 'many')).toThrow('--visits must be chance or none.')
})

test('without visits nothing happens for a week, and the generated history stays complete', () => {
  const week = 7 * 86_400_000
  expect(listActions(planWithVisits, NOW, NOW + week).length).toBeGreaterThan(70)
  expect(listActions(planWithoutVisits, NOW, NOW + week)).toEqual([])
  expect(planHistory(sceneLibrary, planWithoutVisits, NOW)).toEqual(planHistory(sceneLibrary, planWithVisits, NOW))
})

test('an ordered visit is recorded once, at that moment, as one that has just ended', async () => {
  const { recorder, add } = openRecorder()
  recorder.scheduleNextCheck()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(add).not.toHaveBeenCalled()
  recorder.recordVisit()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(add).toHaveBeenCalledOnce()
  const expectedAction = {
    device_id: virtualCamera.device_id,
    scene: 'driveway',
    light: 'day',
    action: DRIVEWAY_ACTION.id,
  } as const
  expect(add.mock.calls[0]?.[1]).toMatchObject(expectedAction)
  expect(getActionEnd(sceneLibrary, { ...expectedAction, at: NOW + 3_600_000 - DRIVEWAY_ACTION.to * 1000 })).toBe(
    NOW + 3_600_000,
  )
})

test('a camera that is off or has motion detection disabled records no visit', async () => {
  const { recorder, add } = openRecorder()
  recorder.recordVisit()
  recorder.scheduleNextCheck()
  recorder.applySettings({ motion: false, zones: [], sensitivity: 50 })
  recorder.recordVisit()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(add).not.toHaveBeenCalled()
})

test('a file named after a camera id orders a visit and is deleted; an unknown id waits', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'visits-'))
  folders.push(dataFolder)
  const orderVisit = (id: string) => writeFileSync(join(dataFolder, 'visits', id), '')
  mkdirSync(join(dataFolder, 'visits'))
  orderVisit('PL1')
  orderVisit('PL2')
  const cameras = new Set(['PL1'])
  const visited: string[] = []
  cleanups.push(watchVisitRequests(dataFolder, (id) => cameras.has(id) && visited.push(id) > 0))
  await vi.waitFor(() => expect(existsSync(join(dataFolder, 'visits/PL1'))).toBe(false))
  expect(existsSync(join(dataFolder, 'visits/PL2'))).toBe(true)
  cameras.add('PL2')
  await vi.waitFor(() => expect(existsSync(join(dataFolder, 'visits/PL2'))).toBe(false))
  orderVisit('PL1')
  await vi.waitFor(() => expect(visited).toEqual(['PL1', 'PL2', 'PL1']))
})

test('the orders folder is created with access for its owner only', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'visits-'))
  folders.push(dataFolder)
  cleanups.push(watchVisitRequests(dataFolder, () => true))
  const readMode = () => statSync(join(dataFolder, 'visits')).mode & 0o777
  await vi.waitFor(() => expect(readMode()).toBe(0o700))
})

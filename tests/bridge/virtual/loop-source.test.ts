import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { listActionsBetween } from '../../../scenes/day-plan.ts'
import type { AccessUnit } from '../../../bridge/media/h264/annex-b.ts'
import { NAL_TYPE, getNalType } from '../../../bridge/media/h264/annex-b.ts'
import { readFrameSize } from '../../../bridge/media/h264/sps.ts'
import { selectInsetLensFiles, LoopSource } from '../../../bridge/virtual/loop-source.ts'
import type { AudioPacket } from '../../../bridge/media/audio/audio-clock.ts'
import { sceneLibrary } from '../../support/bridge-streams.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const NOON = Date.UTC(2026, 10, 20, 12)
const SCENES_FOLDER = fileURLToPath(new URL('../../../scenes/', import.meta.url))
afterEach(() => void vi.useRealTimers())

function buildSchedule(scene: string) {
  const input = { cameraId: `PL-${scene}`, scene: sceneLibrary.getScene(scene), fps: 15, utcOffsetMinutes: 0 }
  return { scene, input }
}

/** Starts a fake clock at `at`, starts a source, and waits until the files of the source are loaded. */
async function openSource(scene: string, at: number, lens?: typeof selectInsetLensFiles) {
  vi.useFakeTimers({ now: at, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  const source = new LoopSource(sceneLibrary, buildSchedule(scene), { now: () => Date.now() }, lens)
  source.start()
  await vi.waitUntil(() => source.getGop().length > 0, WAIT_OPTIONS)
  return source
}

const readWidth = ({ nals }: AccessUnit) => {
  const sps = nals.find((nal) => getNalType(nal) === NAL_TYPE.sps)
  return sps && readFrameSize(sps).width
}

test('two renditions show the same moments, and an unwatched rendition’s files are neither read nor cached', async () => {
  const readSpy = vi.spyOn(sceneLibrary, 'loadSegment')
  const countLargeReads = () => readSpy.mock.calls.filter(([file]) => file.includes('.720.')).length
  const source = await openSource('driveway', NOON + 5300)
  const seen = { low: [] as AccessUnit[], high: [] as AccessUnit[] }
  source.watch((unit) => seen.low.push(unit))
  await vi.advanceTimersByTimeAsync(1500)
  expect(countLargeReads()).toBe(0)
  const high = source.getRendition('720')
  const leave = high.watch((unit) => seen.high.push(unit))
  // Wait for the file reads, because advancing the fake clock does not wait for the disk.
  await Promise.all(readSpy.mock.results.map(({ value }) => value as Promise<unknown>))
  await vi.advanceTimersByTimeAsync(3000)
  expect([seen.low, seen.high].map((units) => readWidth(units.find(({ keyframe }) => keyframe)!))).toEqual([640, 1280])
  expect(seen.high[0]?.keyframe).toBe(true)
  expect(seen.high.map(({ pts }) => pts)).toEqual(seen.low.slice(-seen.high.length).map(({ pts }) => pts))
  expect(seen.high.length).toBeGreaterThan(29)
  leave()
  const largeReads = countLargeReads()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(countLargeReads()).toBe(largeReads)
  expect(high.getGop()).toEqual([])
  source.stop()
  readSpy.mockRestore()
})

test('the second lens shows the same moments as the first', async () => {
  const first = await openSource('front-door', NOON)
  const second = await openSource('front-door', NOON, selectInsetLensFiles)
  const seen: number[][] = [[], []]
  first.watch((unit) => seen[0]?.push(unit.pts))
  second.watch((unit) => seen[1]?.push(unit.pts))
  await vi.advanceTimersByTimeAsync(2000)
  expect(seen[0]?.length).toBeGreaterThan(25)
  expect(seen[1]).toEqual(seen[0])
})

test('the dog is audible while it barks: one packet per 20 ms, synchronized with the frames', async () => {
  const { input } = buildSchedule('backyard')
  const bark = listActionsBetween(input, NOON, NOON + 86_400_000 * 3).find(({ action }) => action === 'bark')
  if (!bark) throw new RangeError('no dog barks in three days')
  const sound = sceneLibrary.getAction('backyard', bark.light, 'bark').heard?.[0]
  expect(sound?.kind).toBe('Barking')
  const source = await openSource('backyard', bark.at - 3000)
  const packets: AudioPacket[] = []
  source.watchAudio?.((packet) => packets.push(packet))
  const readSpy = vi.spyOn(sceneLibrary, 'loadAudio')
  for (let i = 0; i < 90; i++) {
    await vi.advanceTimersByTimeAsync(200)
    // Wait for the file reads, because advancing the fake clock does not wait for the disk.
    await Promise.all(readSpy.mock.results.map(({ value }) => value as Promise<unknown>))
  }
  readSpy.mockRestore()
  const barkPackets = packets.filter(({ pts }) => pts >= bark.at)
  const steps = barkPackets.slice(1).map(({ pts }, i) => pts - (barkPackets[i]?.pts ?? 0))
  expect(new Set(steps)).toEqual(new Set([20]))
  const expectedPackets = await sceneLibrary.loadAudio(
    sceneLibrary.getAction('backyard', bark.light, 'bark').sound ?? '',
  )
  for (const { data, pts } of barkPackets) expect(data).toEqual(expectedPackets[(pts - bark.at) / 20])
  expect(barkPackets.length).toBeGreaterThan(((sound?.to ?? Infinity) * 1000) / 20)
})

test('scenes have day, dusk and night plus the named sounds, and fit in 40 MB together', () => {
  const readSize = (file: string) => statSync(SCENES_FOLDER + file).size
  let bytes = 0
  for (const scene of Object.values(sceneLibrary.manifest.scenes)) {
    for (const { quiet, actions, poster } of Object.values(scene.lights)) {
      expect(actions.length).toBeGreaterThan(0)
      bytes += readSize(poster)
      for (const segment of [quiet, ...actions]) {
        const files = [...Object.values(segment.files), ...Object.values(segment.inset?.files ?? {})]
        bytes += [...files, ...(segment.sound ? [segment.sound] : [])].reduce((sum, file) => sum + readSize(file), 0)
      }
      for (const action of actions) {
        bytes += readSize(action.thumb)
        const soundKinds = new Set(action.heard?.map(({ kind }) => kind))
        expect(soundKinds).toEqual(new Set(quiet.sound ? action.sounds : []))
      }
    }
  }
  expect(bytes).toBeLessThanOrEqual(40_000_000)
})

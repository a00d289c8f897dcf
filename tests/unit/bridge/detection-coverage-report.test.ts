import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DetectionCoverageReport } from '../../../bridge/detection-coverage-report.ts'
import type { CoverageMessage } from '../../../contract/bridge/detection-coverage.ts'

const START = Date.UTC(2026, 0, 1)
type Coverage = Omit<CoverageMessage['cameras'][number], 'device_id'>

beforeEach(() => void vi.useFakeTimers({ now: START }))
afterEach(() => void vi.useRealTimers())

/** Opens a report of one camera. `readCoverage` returns the camera's coverage at a time, ms UTC. */
function openReport(readCoverage: (now: number) => Coverage, confirmsCoverage: boolean) {
  const sent: { at: number; message: CoverageMessage }[] = []
  const queue = { revision: 0, readWaitingEntries: () => Promise.resolve([]) }
  const report = new DetectionCoverageReport({
    units: new Map([['door', { getDetectionCoverage: readCoverage }]]),
    queue,
    library: {},
    clock: { now: () => Date.now() },
    send: (message: CoverageMessage) => void sent.push({ at: Date.now() - START, message }),
  } as unknown as ConstructorParameters<typeof DetectionCoverageReport>[0])
  report.requestReport(confirmsCoverage)
  const run = async (seconds: number) => {
    for (let n = 0; n < seconds; n++) {
      await report.tick()
      vi.advanceTimersByTime(1000)
    }
  }
  return { sent, queue, run }
}

/** Coverage that ends at most 8 s ago, in steps of 2 s, like that of a camera with a keyframe every 2 s. */
const getSteadyCoverage = (now: number): Coverage => {
  const end = Math.floor((now - 6000) / 2000) * 2000
  return { spans: [[START - 60_000, end, 'watched']], waiting: [] }
}

test('sends one report per hour while nothing changes, if heartbeats confirm it, otherwise one every 10 s', async () => {
  const confirmed = openReport(getSteadyCoverage, true)
  await confirmed.run(3600)
  expect(confirmed.sent).toHaveLength(1)
  expect(confirmed.sent[0]?.message).toMatchObject({ settled: true, cameras: [{ lag_ms: 15_000 }] })
  const unconfirmed = openReport(getSteadyCoverage, false)
  await unconfirmed.run(3600)
  expect(unconfirmed.sent).toHaveLength(360)
  expect(unconfirmed.sent.some(({ message }) => message.settled === true || 'lag_ms' in message.cameras[0]!)).toBe(
    false,
  )
})

test('no heartbeat confirms coverage that does not exist: a stalled camera is reported before', async () => {
  const stallAt = START + 100_000
  const { sent, run } = openReport((now) => getSteadyCoverage(Math.min(now, stallAt)), true)
  await run(300)
  const [first, second, ...others] = sent
  const lagMs = first?.message.cameras[0]?.lag_ms ?? 0
  const [, end = 0] = getSteadyCoverage(stallAt).spans[0] ?? []
  expect(START + (second?.at ?? Infinity) - lagMs).toBeLessThanOrEqual(end)
  expect(second?.message.cameras[0]).not.toHaveProperty('lag_ms')
  // After one more report, which shows that the coverage no longer grows, the state is settled.
  expect(others.length).toBeLessThanOrEqual(1)
  expect(sent.at(-1)?.message.settled).toBe(true)
})

test('reports a recording in progress every 10 s, and a change of the queue within a second', async () => {
  const recording = { from: START + 20_000, to: START + 50_000 }
  const { sent, queue, run } = openReport((now) => {
    const isRecording = now >= recording.from && now < recording.to
    return { ...getSteadyCoverage(now), waiting: isRecording ? [[recording.from, now]] : [] }
  }, true)
  await run(60)
  expect(sent.map(({ at }) => at)).toEqual([0, 20_000, 30_000, 40_000, 50_000])
  expect(sent.map(({ message }) => message.settled === true)).toEqual([true, false, false, false, true])
  queue.revision = 1
  await run(60)
  expect(sent.map(({ at }) => at).slice(5)).toEqual([60_000])
})

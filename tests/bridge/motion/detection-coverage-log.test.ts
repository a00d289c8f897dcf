import { expect, test } from 'vitest'
import { DetectionCoverageLog } from '../../../bridge/motion/detection-coverage-log.ts'

const createLog = (gapMs = 5000) => new DetectionCoverageLog(gapMs)
function recordSamples(log: DetectionCoverageLog, from: number, until: number): void {
  for (let second = from; second <= until; second++) log.record(second * 1000)
}

test('consecutive samples form one span, and samples after a gap form the next', () => {
  const coverageLog = createLog()
  recordSamples(coverageLog, 0, 10)
  recordSamples(coverageLog, 16, 20)
  recordSamples(coverageLog, 25, 30)
  expect(coverageLog.listSpans()).toEqual([
    [0, 10_000, 'watched'],
    [16_000, 30_000, 'watched'],
  ])
})

test('only the span in progress is cut at the settled time', () => {
  const coverageLog = createLog()
  recordSamples(coverageLog, 0, 10)
  expect(coverageLog.listSpans(4000)).toEqual([[0, 4000, 'watched']])
  expect(coverageLog.listSpans(-4000)).toEqual([[0, 0, 'watched']])
  coverageLog.end()
  expect(coverageLog.listSpans(4000)).toEqual([[0, 10_000, 'watched']])
  recordSamples(coverageLog, 12, 14)
  expect(coverageLog.listSpans(13_000)).toEqual([
    [0, 10_000, 'watched'],
    [12_000, 13_000, 'watched'],
  ])
})

test('an owner switching motion off and on leaves no gap between spans', () => {
  const coverageLog = createLog()
  recordSamples(coverageLog, 0, 3)
  coverageLog.record(4000, 'motion_off')
  coverageLog.record(9000, 'motion_off')
  recordSamples(coverageLog, 11, 12)
  expect(coverageLog.listSpans()).toEqual([
    [0, 3000, 'watched'],
    [3000, 9000, 'motion_off'],
    [9000, 12_000, 'watched'],
  ])
})

test('a clock that jumps back counts no time twice, and old spans are discarded', () => {
  const coverageLog = createLog()
  recordSamples(coverageLog, 100, 110)
  recordSamples(coverageLog, 50, 60)
  expect(coverageLog.listSpans()).toEqual([[100_000, 110_000, 'watched']])
  for (let i = 0; i < 20; i++) recordSamples(coverageLog, 200 + i * 10, 201 + i * 10)
  expect(coverageLog.listSpans()).toHaveLength(8)
  expect(coverageLog.listSpans().at(-1)).toEqual([390_000, 391_000, 'watched'])
})

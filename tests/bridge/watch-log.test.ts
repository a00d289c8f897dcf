import { expect, test } from 'vitest'
import { WatchLog } from '../../bridge/motion/detection-coverage-log.ts'

const log = (gapMs = 5000) => new WatchLog(gapMs)
/** Looks each second from one second to another. */
function look(to: WatchLog, from: number, until: number): void {
  for (let second = from; second <= until; second++) to.look(second * 1000)
}

test('looks that follow each other are one stretch, and those after a gap the next', () => {
  const one = log()
  look(one, 0, 10)
  look(one, 16, 20)
  look(one, 25, 30)
  expect(one.told()).toEqual([
    [0, 10_000, 'watched'],
    [16_000, 30_000, 'watched'],
  ])
})

test('only the stretch that goes on is vouched for up to where it is settled', () => {
  const one = log()
  look(one, 0, 10)
  expect(one.told(4000)).toEqual([[0, 4000, 'watched']])
  expect(one.told(-4000)).toEqual([[0, 0, 'watched']])
  one.end()
  expect(one.told(4000)).toEqual([[0, 10_000, 'watched']])
  look(one, 12, 14)
  expect(one.told(13_000)).toEqual([
    [0, 10_000, 'watched'],
    [12_000, 13_000, 'watched'],
  ])
})

test('motion that its owner switches off and on leaves no gap in between', () => {
  const one = log()
  look(one, 0, 3)
  one.look(4000, 'motion_off')
  one.look(9000, 'motion_off')
  look(one, 11, 12)
  expect(one.told()).toEqual([
    [0, 3000, 'watched'],
    [3000, 9000, 'motion_off'],
    [9000, 12_000, 'watched'],
  ])
})

test('a clock that goes back tells no time twice, and old stretches go', () => {
  const one = log()
  look(one, 100, 110)
  look(one, 50, 60)
  expect(one.told()).toEqual([[100_000, 110_000, 'watched']])
  for (let i = 0; i < 20; i++) look(one, 200 + i * 10, 201 + i * 10)
  expect(one.told()).toHaveLength(8)
  expect(one.told().at(-1)).toEqual([390_000, 391_000, 'watched'])
})

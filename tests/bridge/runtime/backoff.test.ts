import { expect, test } from 'vitest'
import { Backoff } from '../../../bridge/runtime/backoff.ts'

const list = (count: number, next: () => number) => Array.from({ length: count }, next)

test('retry delays double up to the maximum, stay there, and restart after a reset', () => {
  const backOff = new Backoff(250, 5000, () => 1)
  expect(list(8, () => backOff.next())).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000, 5000])
  backOff.reset()
  expect([backOff.next(), backOff.next()]).toEqual([250, 500])
})

test('the random part shortens each delay by up to half, and does not change the later ones', () => {
  const randoms = [0, 0.5, 1, 0, 0.25]
  const backOff = new Backoff(250, 1000, () => randoms.shift() ?? 1)
  expect(list(6, () => backOff.next())).toEqual([125, 375, 1000, 500, 625, 1000])
})

test('bridges that lose the provider at the same moment do not retry together', () => {
  const bridges = list(100, () => 0).map(() => new Backoff(250, 5000))
  const firstDelaysMs = new Set(bridges.map((backOff) => backOff.next()))
  expect(firstDelaysMs.size).toBeGreaterThan(50)
  for (const delayMs of firstDelaysMs) expect(delayMs >= 125 && delayMs <= 250).toBe(true)
})

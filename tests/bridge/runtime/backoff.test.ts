import { expect, test } from 'vitest'
import { Backoff } from '../../../bridge/runtime/backoff.ts'

test('retry delays double up to the maximum, stay there, and restart after a reset', () => {
  const backOff = new Backoff(250, 5000)
  const delaysMs = Array.from({ length: 8 }, () => backOff.next())
  expect(delaysMs).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000, 5000])
  backOff.reset()
  expect([backOff.next(), backOff.next()]).toEqual([250, 500])
})

import { expect, test } from 'vitest'
import { getShard, isInSample } from '../../../../contract/telemetry/browser-hash.ts'
import { createUuid } from '../../../support/measured.ts'

const BROWSERS = Array.from({ length: 20_000 }, (_, n) => createUuid(n))

test.each([2, 10, 50])('the sample of 1 in %d browsers has that share of them', (rate) => {
  const count = BROWSERS.filter((device) => isInSample(device, rate)).length
  expect(Math.abs(count / (BROWSERS.length / rate) - 1)).toBeLessThan(0.15)
})

test('the sample of a rate contains the samples of all higher rates', () => {
  const sample = BROWSERS.filter((device) => isInSample(device, 10))
  expect(sample.every((device) => isInSample(device, 7))).toBe(true)
  expect(BROWSERS.every((device) => isInSample(device, 1))).toBe(true)
})

test('every shard gets its share of the browsers, and of those in the sample', () => {
  const sample = BROWSERS.filter((device) => isInSample(device, 4))
  for (const browsers of [BROWSERS, sample])
    for (let shard = 0; shard < 8; shard++) {
      const count = browsers.filter((device) => getShard(device, 8) === shard).length
      expect(Math.abs(count / (browsers.length / 8) - 1)).toBeLessThan(0.15)
    }
})

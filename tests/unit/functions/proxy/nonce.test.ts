import fc from 'fast-check'
import { expect, test } from 'vitest'
import { appendRandom, createNonce } from '../../../../functions/lib/proxy/call-payload.ts'

test('CONST-09 a number from 1000 to 99999 is appended to the given number', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 0, max: 2 ** 32 - 1_000_000 }), (base, randomValue) => {
      const result = appendRandom(base, () => randomValue)
      expect(result.startsWith(String(base))).toBe(true)
      const appended = Number(result.slice(String(base).length))
      expect(appended).toBeGreaterThanOrEqual(1000)
      expect(appended).toBeLessThanOrEqual(99_999)
    }),
  )
})

test('CONST-09 both bounds can be drawn', () => {
  expect(appendRandom(7, () => 0)).toBe('71000')
  expect(appendRandom(7, () => 98_999)).toBe('799999')
})

test('a draw that would favor small numbers is repeated', () => {
  const draws = [2 ** 32 - 1, 5]
  expect(appendRandom(1, () => draws.shift() ?? 0)).toBe('11005')
})

test('a nonce consists of the digits of its timestamp and four or five random digits', () => {
  expect(createNonce(1_763_600_000_000)).toMatch(/^1763600000000\d{4,5}$/)
})

test('nonces within one millisecond are unique, regardless of the number of calls', () => {
  const nonces = Array.from({ length: 4000 }, () => createNonce(1_763_600_000_000))
  expect(new Set(nonces).size).toBe(nonces.length)
})

import { expect, test } from 'vitest'
import { sessionExpiryText } from '../../../../src/domain/copy/session-expiry.ts'
import { extractFacts } from '../../../support/facts.ts'
import { HOUR_MS } from '../../../../contract/time-units.ts'

const localTime = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime()

test('OPEN-18 on its last day a session shows its end as a clock time', () => {
  const texts = [localTime(23, 9, 41), localTime(22, 13, 5)].map(
    (ends) => sessionExpiryText(ends, localTime(22, 12)) ?? '',
  )
  expect(texts.map((text) => extractFacts(text, 'today', 'tomorrow'))).toEqual([
    ['tomorrow', '09:41'],
    ['today', '13:05'],
  ])
})

test('OPEN-18 a session shows no end before its last day, and none that has passed', () => {
  const ends = localTime(23, 12)
  expect([24 * HOUR_MS, 24 * HOUR_MS - 1, 1, 0].map((left) => sessionExpiryText(ends, ends - left) !== null)).toEqual([
    false,
    true,
    true,
    false,
  ])
})

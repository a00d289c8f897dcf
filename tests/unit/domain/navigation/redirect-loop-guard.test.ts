import { expect, test } from 'vitest'
import { formatInitials } from '../../../../contract/account/initials.ts'
import { checkRedirectLoop, parseRedirectTimes } from '../../../../src/domain/navigation/redirect-loop-guard.ts'

const LIMIT = { count: 3, windowMs: 60_000 }

test('the third redirect within a minute is too many', () => {
  const first = checkRedirectLoop([], 1000, LIMIT)
  const second = checkRedirectLoop(first.times, 2000, LIMIT)
  const third = checkRedirectLoop(second.times, 3000, LIMIT)
  expect([first.tooOften, second.tooOften, third.tooOften]).toEqual([false, false, true])
})

test('redirects older than the window do not count', () => {
  expect(checkRedirectLoop([1000, 2000], 62_001, LIMIT)).toEqual({ tooOften: false, times: [62_001] })
})

test('redirect times survive serialization, and invalid values are dropped', () => {
  expect(parseRedirectTimes([1000, 2000].join())).toEqual([1000, 2000])
  expect(parseRedirectTimes('x,,-4,5')).toEqual([5])
  expect(parseRedirectTimes(null)).toEqual([])
})

test('initials come from the parts of the name, otherwise from its first letters', () => {
  expect(['maya.reyes@example.com', 'owner@example.com', 'a@b.c', ''].map(formatInitials)).toEqual([
    'MR',
    'OW',
    'A',
    '',
  ])
})

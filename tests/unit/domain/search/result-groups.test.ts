import { expect, test } from 'vitest'
import type { SearchMatch } from '../../../../contract/search/search-calls.ts'
import { foldMatches } from '../../../../src/domain/search/result-groups.ts'

const match = (event_id: string, device_id: string, sentence: string): SearchMatch => ({
  event: {
    event_id,
    device_id,
    event_ts: 1_790_000_000_000,
    tags: [],
    event_values: [],
    title: 'Person',
    event_resources: [],
    reviewed: true,
  },
  strength: 'strong',
  at_s: 0,
  why:
    sentence === ''
      ? []
      : [
          { text: sentence.slice(0, 3), hit: true },
          { text: sentence.slice(3), hit: false },
        ],
})
const formatGroups = (...matches: SearchMatch[]) =>
  foldMatches(matches).map(({ match: { event }, others }) =>
    [event.event_id, ...others.map((other) => other.event.event_id)].join(' '),
  )

test('results of one camera and one sentence are grouped at the first of them, wherever they are', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => match(id, 'door', 'A courier leaves a parcel.'))
  const other = match('x', 'yard', 'A courier leaves a parcel.')
  const unrelated = match('y', 'door', 'A cat sleeps.')
  expect(formatGroups(a!, other, b!, unrelated, c!, d!)).toEqual(['a b c d', 'x', 'y'])
})

test('two equal results stay where they are', () => {
  expect(
    formatGroups(match('a', 'door', 'A cat.'), match('b', 'yard', 'A cat.'), match('c', 'door', 'A cat.')),
  ).toEqual(['a', 'b', 'c'])
})

test('results without a description are grouped by title', () => {
  expect(formatGroups(match('a', 'door', ''), match('b', 'door', ''), match('c', 'door', ''))).toEqual(['a b c'])
})

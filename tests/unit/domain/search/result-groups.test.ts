import { expect, test } from 'vitest'
import type { SearchMatch } from '../../../../contract/search/search-calls.ts'
import { areGroupsOpenAtFirst, groupMatches } from '../../../../src/domain/search/result-groups.ts'

const createMatch = (event_id: string, device_id: string, sentence: string): SearchMatch => ({
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
  groupMatches(matches).map(({ match: { event }, others }) =>
    [event.event_id, ...others.map((other) => other.event.event_id)].join(' '),
  )

test('results of one camera and one sentence are grouped at the first of them, wherever they are', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => createMatch(id, 'door', 'A courier leaves a parcel.'))
  const other = createMatch('x', 'yard', 'A courier leaves a parcel.')
  const unrelated = createMatch('y', 'door', 'A cat sleeps.')
  expect(formatGroups(a!, other, b!, unrelated, c!, d!)).toEqual(['a b c d', 'x', 'y'])
})

test('two equal results stay where they are', () => {
  expect(
    formatGroups(
      createMatch('a', 'door', 'A cat.'),
      createMatch('b', 'yard', 'A cat.'),
      createMatch('c', 'door', 'A cat.'),
    ),
  ).toEqual(['a', 'b', 'c'])
})

test('results without a description are grouped by title', () => {
  expect(
    formatGroups(createMatch('a', 'door', ''), createMatch('b', 'door', ''), createMatch('c', 'door', '')),
  ).toEqual(['a b c'])
})

test('groups are open at first only if all results together are fewer than six', () => {
  expect([1, 5, 6, 36].map(areGroupsOpenAtFirst)).toEqual([true, true, false, false])
})

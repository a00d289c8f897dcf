import { describe, expect, test } from 'vitest'
import {
  askedPerson,
  clipsHref,
  personDeletionText,
  mergeText,
  nameRows,
  seenLabel,
} from '../../../../src/domain/events/people-labels.ts'
import { unnamedOn } from '../../../../src/domain/events/unnamed-people.ts'
import { COMPARISON } from '../../../../src/domain/billing/plan-comparison.ts'
import { home, person } from '../../../support/people.ts'

const DAN = person('p1', 'Dan')
const DANIELA = person('p2', 'Daniela')
const THIRD = person('p3', 'Person 3')
const NOW = Date.UTC(2026, 10, 25, 12)

test('a clip asks about the first person without a name', () => {
  const clip = (event_values: string[], tags: string[] = ['12']) => unnamedOn({ event_values, tags: tags as ['12'] })
  expect(clip(['person', 'Dan', 'Person 3', 'Person 4'])).toBe('Person 3')
  expect(clip(['person', 'Dan'])).toBeNull()
  expect(clip(['Person 3'], ['101'])).toBeNull()
})

describe('OPEN-166 the question about a person on a clip', () => {
  const findPersonId = (more: object, deviceId = 'a', newPerson = THIRD) =>
    askedPerson([home([DAN, newPerson], more)], deviceId, 'person 3')?.person.person_id ?? null

  test('appears if the account’s own home recognizes people on the camera', () => {
    expect(findPersonId({})).toBe('p3')
  })

  test('appears in no other case', () => {
    expect([findPersonId({ recognition: false }), findPersonId({}, 'b'), findPersonId({ cameras: [] })]).toEqual([
      null,
      null,
      null,
    ])
    expect([findPersonId({}, 'a', { ...THIRD, hidden: true }), findPersonId({}, 'a', person('p3', 'Sam'))]).toEqual([
      null,
      null,
    ])
  })
})

test('name suggestions start with the name to add, unless a person already has it', () => {
  const rows = (typed: string) =>
    nameRows([DANIELA, DAN, THIRD], typed).map((row) => (row.kind === 'add' ? `+${row.name}` : row.person.name))
  expect(rows(' da ')).toEqual(['+da', 'Daniela', 'Dan'])
  expect(rows('dan')).toEqual(['Dan', 'Daniela'])
  expect(rows('Person 3')).toEqual(['+Person 3'])
  expect(rows('')).toEqual(['Daniela', 'Dan'])
})

test('labels state the number of clips', () => {
  expect(personDeletionText({ ...DAN, events: 1 })).toBe('Deletes Dan’s name and face data. 1 clip stays.')
  expect(personDeletionText(THIRD)).toBe('Deletes the face data of Person 3. 7 clips stay.')
  expect(mergeText(DAN, THIRD)).toContain('all 14 clips under Dan')
  expect(seenLabel(THIRD, NOW)).toBe('In 7 clips since 12 November')
  expect(seenLabel({ ...THIRD, events: 0, first_seen: null }, NOW)).toBe('In 0 clips')
})

test('the link to a person’s clips covers 60 days if there are older ones', () => {
  expect(clipsHref(person('p1', 'Dan & Co'), NOW)).toBe('/events?person=Dan+%26+Co')
  expect(clipsHref({ ...DAN, first_seen: NOW - 20 * 86_400_000 }, NOW)).toBe('/events?days=60&person=Dan')
})

test('OPEN-166 People is not exclusive to one plan', () => {
  const { has } = COMPARISON.find(({ what: feature }) => feature === 'People')!
  expect(has).toEqual({ free: 'No', 'cam-ai': 'Yes', unlimited: 'Yes', pro: 'Yes' })
})

import { describe, expect, test } from 'vitest'
import {
  findUnnamedPerson,
  getPersonClipsUrl,
  personDeletionText,
  mergeText,
  listNameSuggestions,
  seenLabel,
  suggestedMergeText,
  suggestionReason,
} from '../../../../src/domain/copy/people-labels.ts'
import { findGeneratedName } from '../../../../src/domain/events/unnamed-people.ts'
import { PLAN_COMPARISON } from '../../../../src/domain/billing/plan-comparison.ts'
import { createHomePeople, createPerson } from '../../../support/people.ts'

const DAN = createPerson('p1', 'Dan')
const DANIELA = createPerson('p2', 'Daniela')
const UNNAMED_PERSON = createPerson('p3', 'Person 3')
const NOW = Date.UTC(2026, 10, 25, 12)

test('a clip asks about the first person without a name', () => {
  const findUnnamedPerson = (event_values: string[], tags: string[] = ['12']) =>
    findGeneratedName({ event_values, tags: tags as ['12'] })
  expect(findUnnamedPerson(['person', 'Dan', 'Person 3', 'Person 4'])).toBe('Person 3')
  expect(findUnnamedPerson(['person', 'Dan'])).toBeNull()
  expect(findUnnamedPerson(['Person 3'], ['101'])).toBeNull()
})

describe('OPEN-166 the question about a person on a clip', () => {
  const findPersonId = (more: object, deviceId = 'a', newPerson = UNNAMED_PERSON) =>
    findUnnamedPerson([createHomePeople([DAN, newPerson], more)], deviceId, 'person 3')?.person.person_id ?? null

  test('appears if the account’s own home recognizes people on the camera', () => {
    expect(findPersonId({})).toBe('p3')
  })

  test('appears in no other case', () => {
    expect([findPersonId({ recognition: false }), findPersonId({}, 'b'), findPersonId({ cameras: [] })]).toEqual([
      null,
      null,
      null,
    ])
    expect([
      findPersonId({}, 'a', { ...UNNAMED_PERSON, hidden: true }),
      findPersonId({}, 'a', createPerson('p3', 'Sam')),
    ]).toEqual([null, null])
  })
})

test('name suggestions start with the name to add, unless a person already has it', () => {
  const listSuggestions = (typed: string) =>
    listNameSuggestions([DANIELA, DAN, UNNAMED_PERSON], typed).map((row) =>
      row.kind === 'add' ? `+${row.name}` : row.person.name,
    )
  expect(listSuggestions(' da ')).toEqual(['+da', 'Daniela', 'Dan'])
  expect(listSuggestions('dan')).toEqual(['Dan', 'Daniela'])
  expect(listSuggestions('Person 3')).toEqual(['+Person 3'])
  expect(listSuggestions('')).toEqual(['Daniela', 'Dan'])
})

test('labels state the number of clips', () => {
  expect(personDeletionText({ ...DAN, events: 1 })).toBe('Deletes Dan’s name and face data. 1 clip will be kept.')
  expect(personDeletionText(UNNAMED_PERSON)).toBe('Deletes Person 3’s face data. 7 clips will be kept.')
  expect(mergeText(DAN, UNNAMED_PERSON)).toContain('All 14 clips will appear under Dan')
  expect(seenLabel(UNNAMED_PERSON, NOW)).toBe('In 7 clips since 12 November')
  expect(seenLabel({ ...UNNAMED_PERSON, events: 0, first_seen: null }, NOW)).toBe('In 0 clips')
})

test('a suggestion states its evidence and the result of a merge', () => {
  const suggestion = { person_id: 'p3', into: 'p1', visits: 3, cameras: ['Front door', 'Porch'] }
  expect(suggestionReason({ ...suggestion, cameras: ['Front door'] })).toBe(
    'Seen within a minute of each other on Front door 3 times, but never in the same clip.',
  )
  expect(suggestionReason(suggestion)).toContain('on Front door and Porch 3 times')
  expect(suggestedMergeText(DAN, UNNAMED_PERSON)).toContain('all 14 clips under Dan')
})

test('the link to a person’s clips covers 60 days if there are older ones', () => {
  expect(getPersonClipsUrl(createPerson('p1', 'Dan & Co'), NOW)).toBe('/events?person=Dan+%26+Co')
  expect(getPersonClipsUrl({ ...DAN, first_seen: NOW - 20 * 86_400_000 }, NOW)).toBe('/events?days=60&person=Dan')
})

test('OPEN-166 People is not exclusive to one plan', () => {
  const { values } = PLAN_COMPARISON.find(({ feature }) => feature === 'People by name')!
  expect(values).toEqual({ free: false, 'cam-ai': true, unlimited: true, pro: true })
})

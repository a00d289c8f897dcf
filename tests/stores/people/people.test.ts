// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MERGE_UNDO_MS } from '../../../contract/events/people.ts'
import {
  $homePeople,
  deletePeople,
  setPersonName,
  hidePersonInClips,
  loadPeople,
  markAsDifferent,
  mergeIntoPerson,
  changeRecognition,
} from '../../../src/stores/people/people.ts'
import { $peopleUndo, closePeopleUndo, undoLastPeopleChange } from '../../../src/stores/people/undo.ts'
import { $toast, closeToast } from '../../../src/stores/shell/toasts.ts'
import { stubApiResponses, type SentRequest } from '../../support/client.ts'
import { createHomePeople, createHomesResponse, createPerson } from '../../support/people.ts'

const DAN = createPerson('p1', 'Dan')
const UNNAMED = createPerson('p2', 'Person 2', { events: 3 })
const HOME_WITH_PEOPLE = createHomePeople([DAN, UNNAMED])
const DONE_RESPONSE = { code: 200, data: {} }
const PEOPLE_RESPONSES = { people: createHomesResponse(HOME_WITH_PEOPLE) }
const ACTION_CALLS = [
  'person-name',
  'person-hide',
  'person-merge',
  'person-split',
  'person-different',
  'people-forget',
  'recognition',
]
const mockSuccess = () =>
  stubApiResponses({ ...PEOPLE_RESPONSES, ...Object.fromEntries(ACTION_CALLS.map((name) => [name, DONE_RESPONSE])) })
const listSentCalls = (requests: readonly SentRequest[]) =>
  requests.flatMap(({ path, body }) => (body ? [[path.split('/').at(-1), body]] : []))
const countReloads = (requests: readonly SentRequest[]) =>
  requests.filter(({ path }) => path.endsWith('/people')).length

beforeEach(() => $homePeople.set({ state: 'loading' }))
afterEach(() => {
  closePeopleUndo()
  vi.useRealTimers()
  while ($toast.get()) closeToast()
})

describe('people of a home', () => {
  test('stay on the screen when a reload fails', async () => {
    stubApiResponses(PEOPLE_RESPONSES)
    await loadPeople()
    stubApiResponses({ people: { code: 429 } })
    await loadPeople()
    expect($homePeople.get()).toEqual({ state: 'ready', homes: [HOME_WITH_PEOPLE] })
  })

  test('come from the newer of two requests', async () => {
    const slow = Promise.withResolvers<unknown>()
    stubApiResponses({ people: () => slow.promise })
    const first = loadPeople()
    stubApiResponses(PEOPLE_RESPONSES)
    await loadPeople()
    slow.resolve(createHomesResponse())
    await first
    expect($homePeople.get()).toEqual({ state: 'ready', homes: [HOME_WITH_PEOPLE] })
  })
})

describe('OPEN-166 naming a person', () => {
  test('reports the number of clips, reloads people, and undo removes the name', async () => {
    const requests = mockSuccess()
    expect(await setPersonName(HOME_WITH_PEOPLE, UNNAMED, 'Sam')).toBeNull()
    expect([$peopleUndo.get()?.text, countReloads(requests)]).toEqual(['Named Sam in 3 clips', 1])
    await undoLastPeopleChange()
    const target = { home_id: 'h1', person_id: 'p2' }
    expect(listSentCalls(requests)).toEqual([
      ['person-name', { ...target, name: 'Sam' }],
      ['person-name', { ...target, name: null }],
    ])
    expect([$peopleUndo.get(), countReloads(requests)]).toEqual([null, 2])
  })

  test('restores the former name when a rename is undone', async () => {
    const requests = mockSuccess()
    await setPersonName(HOME_WITH_PEOPLE, DAN, 'Daniel')
    await undoLastPeopleChange()
    expect(listSentCalls(requests).map(([, body]) => (body as { name: string }).name)).toEqual(['Daniel', 'Dan'])
  })

  test.each([
    [409, /another person is already named Sam/i],
    [422, /choose another name/i],
    [429, /too frequently/i],
  ])('shows an inline reason for %i and offers no undo', async (code, words) => {
    const requests = stubApiResponses({ ...PEOPLE_RESPONSES, 'person-name': { code } })
    const failure = await setPersonName(HOME_WITH_PEOPLE, UNNAMED, 'Sam')
    expect([failure?.inPlace, failure?.text]).toEqual([true, expect.stringMatching(words)])
    expect([$peopleUndo.get(), $toast.get(), countReloads(requests)]).toEqual([null, null, 0])
  })
})

describe('merging people', () => {
  test('moves the clips to the person whose name remains, and undo separates the other again', async () => {
    const requests = mockSuccess()
    await mergeIntoPerson(HOME_WITH_PEOPLE, UNNAMED, DAN)
    expect($peopleUndo.get()?.text).toBe('Named Dan in 3 clips')
    await undoLastPeopleChange()
    expect(listSentCalls(requests)).toEqual([
      ['person-merge', { home_id: 'h1', person_id: 'p2', into: 'p1' }],
      ['person-split', { home_id: 'h1', person_id: 'p2' }],
    ])
  })

  test('can be undone for 10 minutes', async () => {
    vi.useFakeTimers()
    mockSuccess()
    await mergeIntoPerson(HOME_WITH_PEOPLE, UNNAMED, DAN)
    vi.advanceTimersByTime(MERGE_UNDO_MS - 1)
    expect($peopleUndo.get()).not.toBeNull()
    vi.advanceTimersByTime(1)
    expect($peopleUndo.get()).toBeNull()
  })

  test('says when it is too late to undo, and undo can be retried', async () => {
    mockSuccess()
    await mergeIntoPerson(HOME_WITH_PEOPLE, UNNAMED, DAN)
    stubApiResponses({ ...PEOPLE_RESPONSES, 'person-split': { code: 409 } })
    await undoLastPeopleChange()
    expect($toast.get()?.text).toMatch(/10 minutes/)
    expect($peopleUndo.get()).not.toBeNull()
  })
})

test('two people marked as different stay so until the owner undoes it', async () => {
  const requests = mockSuccess()
  expect(await markAsDifferent(HOME_WITH_PEOPLE, UNNAMED, DAN)).toBeNull()
  expect([$peopleUndo.get()?.text, countReloads(requests)]).toEqual(['Marked Dan and Person 2 as different people', 1])
  await undoLastPeopleChange()
  const pair = { home_id: 'h1', person_id: 'p2', other_id: 'p1' }
  expect(listSentCalls(requests)).toEqual([
    ['person-different', { ...pair, different: true }],
    ['person-different', { ...pair, different: false }],
  ])
})

test('merging two unnamed people does not report a name', async () => {
  mockSuccess()
  await mergeIntoPerson(HOME_WITH_PEOPLE, createPerson('p3', 'Person 3'), UNNAMED)
  expect($peopleUndo.get()?.text).toBe('Merged Person 3 into Person 2')
})

test('undo shows a hidden person again', async () => {
  const requests = mockSuccess()
  await hidePersonInClips(HOME_WITH_PEOPLE, UNNAMED)
  await undoLastPeopleChange()
  expect(listSentCalls(requests).map(([, body]) => (body as { hidden: boolean }).hidden)).toEqual([true, false])
})

test('switching one recognition setting leaves the other unchanged', async () => {
  const requests = mockSuccess()
  await changeRecognition(createHomePeople([], { guests: true }), { on: false })
  await changeRecognition(createHomePeople([]), { guests: true })
  expect(listSentCalls(requests).map(([, body]) => body)).toEqual([
    { home_id: 'h1', on: false, guests: true },
    { home_id: 'h1', on: true, guests: true },
  ])
})

describe('deleting people', () => {
  test('sends at most 500 people per request and discards the last undo', async () => {
    const requests = mockSuccess()
    await setPersonName(HOME_WITH_PEOPLE, UNNAMED, 'Sam')
    const many = Array.from({ length: 501 }, (_, i) => createPerson(`p${i}`, `Person ${i}`))
    await deletePeople(HOME_WITH_PEOPLE, many, 'Forgotten.')
    const sizes = listSentCalls(requests)
      .slice(1)
      .map(([, body]) => (body as { person_ids: string[] }).person_ids.length)
    expect([sizes, $peopleUndo.get(), $toast.get()?.text]).toEqual([[500, 1], null, 'Forgotten.'])
  })

  test('sends no ids to delete everyone', async () => {
    const requests = mockSuccess()
    await deletePeople(HOME_WITH_PEOPLE, null, 'Forgotten.')
    expect(listSentCalls(requests)).toEqual([['people-forget', { home_id: 'h1', person_ids: null }]])
  })
})

// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MERGE_UNDO_MS } from '../../../contract/events/people.ts'
import {
  $homePeople,
  deletePeople,
  giveName,
  hide,
  loadPeople,
  mergeIntoPerson,
  switchRecognition,
} from '../../../src/stores/people/people.ts'
import { $peopleUndo, closeUndo, undoLast } from '../../../src/stores/people/undo.ts'
import { $toast, closeToast } from '../../../src/stores/shell/toasts.ts'
import { answerWith, type SentRequest } from '../../support/client.ts'
import { home, homes, person } from '../../support/people.ts'

const DAN = person('p1', 'Dan')
const UNNAMED = person('p2', 'Person 2', { events: 3 })
const HOME = home([DAN, UNNAMED])
const DONE = { code: 200, data: {} }
const ALL = { people: homes(HOME) }
const CALLS = ['person-name', 'person-hide', 'person-merge', 'person-split', 'people-forget', 'recognition']
const done = () => answerWith({ ...ALL, ...Object.fromEntries(CALLS.map((name) => [name, DONE])) })
const sent = (requests: readonly SentRequest[]) =>
  requests.flatMap(({ path, body }) => (body ? [[path.split('/').at(-1), body]] : []))
const reloads = (requests: readonly SentRequest[]) => requests.filter(({ path }) => path.endsWith('/people')).length

beforeEach(() => $homePeople.set({ state: 'loading' }))
afterEach(() => {
  closeUndo()
  vi.useRealTimers()
  while ($toast.get()) closeToast()
})

describe('people of a home', () => {
  test('stay on the screen when a reload fails', async () => {
    answerWith(ALL)
    await loadPeople()
    answerWith({ people: { code: 429 } })
    await loadPeople()
    expect($homePeople.get()).toEqual({ state: 'ready', homes: [HOME] })
  })

  test('come from the newer of two requests', async () => {
    const slow = Promise.withResolvers<unknown>()
    answerWith({ people: () => slow.promise })
    const first = loadPeople()
    answerWith(ALL)
    await loadPeople()
    slow.resolve(homes())
    await first
    expect($homePeople.get()).toEqual({ state: 'ready', homes: [HOME] })
  })
})

describe('OPEN-166 naming a person', () => {
  test('reports the number of clips, reloads people, and undo removes the name', async () => {
    const requests = done()
    expect(await giveName(HOME, UNNAMED, 'Sam')).toBeNull()
    expect([$peopleUndo.get()?.text, reloads(requests)]).toEqual(['Named Sam in 3 clips', 1])
    await undoLast()
    const target = { home_id: 'h1', person_id: 'p2' }
    expect(sent(requests)).toEqual([
      ['person-name', { ...target, name: 'Sam' }],
      ['person-name', { ...target, name: null }],
    ])
    expect([$peopleUndo.get(), reloads(requests)]).toEqual([null, 2])
  })

  test('restores the former name when a rename is undone', async () => {
    const requests = done()
    await giveName(HOME, DAN, 'Daniel')
    await undoLast()
    expect(sent(requests).map(([, body]) => (body as { name: string }).name)).toEqual(['Daniel', 'Dan'])
  })

  test.each([
    [409, /another person is called Sam/i],
    [422, /choose another name/i],
    [429, /too frequently/i],
  ])('shows an inline reason for %i and offers no undo', async (code, words) => {
    const requests = answerWith({ ...ALL, 'person-name': { code } })
    const failure = await giveName(HOME, UNNAMED, 'Sam')
    expect([failure?.inPlace, failure?.text]).toEqual([true, expect.stringMatching(words)])
    expect([$peopleUndo.get(), $toast.get(), reloads(requests)]).toEqual([null, null, 0])
  })
})

describe('merging people', () => {
  test('moves the clips to the person whose name remains, and undo separates the other again', async () => {
    const requests = done()
    await mergeIntoPerson(HOME, UNNAMED, DAN)
    expect($peopleUndo.get()?.text).toBe('Named Dan in 3 clips')
    await undoLast()
    expect(sent(requests)).toEqual([
      ['person-merge', { home_id: 'h1', person_id: 'p2', into: 'p1' }],
      ['person-split', { home_id: 'h1', person_id: 'p2' }],
    ])
  })

  test('can be undone for 10 minutes', async () => {
    vi.useFakeTimers()
    done()
    await mergeIntoPerson(HOME, UNNAMED, DAN)
    vi.advanceTimersByTime(MERGE_UNDO_MS - 1)
    expect($peopleUndo.get()).not.toBeNull()
    vi.advanceTimersByTime(1)
    expect($peopleUndo.get()).toBeNull()
  })

  test('says when it is too late to undo, and undo can be retried', async () => {
    done()
    await mergeIntoPerson(HOME, UNNAMED, DAN)
    answerWith({ ...ALL, 'person-split': { code: 409 } })
    await undoLast()
    expect($toast.get()?.text).toMatch(/10 minutes/)
    expect($peopleUndo.get()).not.toBeNull()
  })
})

test('undo shows a hidden person again', async () => {
  const requests = done()
  await hide(HOME, UNNAMED)
  await undoLast()
  expect(sent(requests).map(([, body]) => (body as { hidden: boolean }).hidden)).toEqual([true, false])
})

test('switching one recognition setting leaves the other unchanged', async () => {
  const requests = done()
  await switchRecognition(home([], { guests: true }), { on: false })
  await switchRecognition(home([]), { guests: true })
  expect(sent(requests).map(([, body]) => body)).toEqual([
    { home_id: 'h1', on: false, guests: true },
    { home_id: 'h1', on: true, guests: true },
  ])
})

describe('deleting people', () => {
  test('sends at most 500 people per request and discards the last undo', async () => {
    const requests = done()
    await giveName(HOME, UNNAMED, 'Sam')
    const many = Array.from({ length: 501 }, (_, i) => person(`p${i}`, `Person ${i}`))
    await deletePeople(HOME, many, 'Forgotten.')
    const sizes = sent(requests)
      .slice(1)
      .map(([, body]) => (body as { person_ids: string[] }).person_ids.length)
    expect([sizes, $peopleUndo.get(), $toast.get()?.text]).toEqual([[500, 1], null, 'Forgotten.'])
  })

  test('sends no ids to delete everyone', async () => {
    const requests = done()
    await deletePeople(HOME, null, 'Forgotten.')
    expect(sent(requests)).toEqual([['people-forget', { home_id: 'h1', person_ids: null }]])
  })
})

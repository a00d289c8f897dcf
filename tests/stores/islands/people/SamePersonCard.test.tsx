import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { HomePeople } from '../../../../contract/events/people.ts'
import { PeoplePage } from '../../../../src/islands/people/parts/PeoplePage.tsx'
import { $homePeople } from '../../../../src/stores/people/people.ts'
import { closePeopleUndo } from '../../../../src/stores/people/undo.ts'
import { stubApiResponses, type SentRequest } from '../../../support/client.ts'
import { createHomePeople, createHomesResponse, createPerson } from '../../../support/people.ts'

const SAM = createPerson('p1', 'Sam', { events: 41 })
const THIRD = createPerson('p3', 'Person 3', { events: 6 })
const FOURTH = createPerson('p4', 'Person 4', { events: 2 })
const SAM_OR_THIRD = { into: 'p1', person_id: 'p3', visits: 3, cameras: ['Front door'] }
const THIRD_OR_FOURTH = { into: 'p3', person_id: 'p4', visits: 2, cameras: ['Porch'] }
const PEOPLE = [SAM, THIRD, FOURTH]
const DONE_RESPONSE = { code: 200, data: {} }

let root: Root
let requests: SentRequest[]
let isWide = true
beforeEach(async () => {
  isWide = true
  const matchMedia = () => ({
    get matches() {
      return isWide
    },
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  })
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true, matchMedia })
  $homePeople.set({ state: 'loading' })
  closePeopleUndo()
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root')!)
})
afterEach(() => act(() => root.unmount()))

const createHome = (suggestions: HomePeople['suggestions'], more: Partial<HomePeople> = {}) =>
  createHomePeople(PEOPLE, { suggestions, ...more })

function stubResponses(home: HomePeople, calls: object = {}): void {
  requests = stubApiResponses({
    people: createHomesResponse(home),
    'person-merge': DONE_RESPONSE,
    'person-different': DONE_RESPONSE,
    ...calls,
  })
}
async function renderPage(...[home, calls]: Parameters<typeof stubResponses>): Promise<void> {
  stubResponses(home, calls)
  await act(async () => root.render(<PeoplePage />))
}
const findCard = () => document.querySelector<HTMLElement>('.same-person-card')
const findButton = (text: string) =>
  [...(findCard()?.querySelectorAll('button') ?? [])].find(({ textContent }) => textContent === text)!
const press = (text: string) =>
  act(async () => {
    findButton(text).focus()
    findButton(text).click()
  })
const listSentCalls = () =>
  requests.flatMap(({ path, body }) => (body && path.includes('/person-') ? [[path.split('/').at(-1), body]] : []))
const readFocusName = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id

describe('OPEN-166 the question whether two people are one', () => {
  test('shows the first pair, the evidence and the result of a merge', async () => {
    await renderPage(createHome([SAM_OR_THIRD, THIRD_OR_FOURTH]))
    expect(document.querySelectorAll('.same-person-card')).toHaveLength(1)
    expect([...findCard()!.querySelectorAll('.same-person-face')].map(({ textContent }) => textContent)).toEqual([
      'Sam41 clips',
      'Person 36 clips',
    ])
    expect(findCard()?.textContent).toMatch(/Front door 3 times.*all 47 clips under Sam/)
    const described = document.getElementById(findButton('Merge').getAttribute('aria-describedby')!)
    expect(described?.textContent).toContain('all 47 clips under Sam')
  })

  test.each([
    ['there is no suggestion', createHome([])],
    ['recognition is off', createHome([SAM_OR_THIRD], { recognition: false })],
    ['a person of the only pair is missing', createHome([{ ...SAM_OR_THIRD, into: 'p9' }])],
  ])('is absent if %s', async (_, home) => {
    await renderPage(home)
    expect([findCard(), document.body.textContent]).toEqual([null, expect.stringContaining('Recognition')])
  })

  test('merges into the person whose name stays, and then asks about the next pair', async () => {
    await renderPage(createHome([SAM_OR_THIRD, THIRD_OR_FOURTH]))
    stubResponses(createHome([THIRD_OR_FOURTH]))
    await press('Merge')
    expect(listSentCalls()).toEqual([['person-merge', { home_id: 'h1', person_id: 'p3', into: 'p1' }]])
    await vi.waitFor(() => expect(readFocusName()).toBe('Person 3 and Person 4'))
    expect(findCard()?.textContent).toContain('Porch 2 times')
    expect(document.body.textContent).toContain('Named Sam in 6 clips')
  })

  test('remembers different people, and moves focus to the title after the last pair', async () => {
    await renderPage(createHome([SAM_OR_THIRD]))
    stubResponses(createHome([]))
    await press('Different')
    const pair = { home_id: 'h1', person_id: 'p3', other_id: 'p1' }
    expect(listSentCalls()).toEqual([['person-different', { ...pair, different: true }]])
    await vi.waitFor(() => expect(readFocusName()).toBe('people-title'))
    expect(findCard()).toBeNull()
    expect(document.body.textContent).toContain('Marked Sam and Person 3 as different people')
  })

  test('is busy while the answer is sent, ignores a second press, and shows a failure in the card', async () => {
    const pending = Promise.withResolvers<unknown>()
    await renderPage(createHome([SAM_OR_THIRD]), { 'person-different': () => pending.promise })
    await press('Different')
    expect(findButton('Saving…').getAttribute('aria-busy')).toBe('true')
    await press('Merge')
    pending.resolve({ code: 429 })
    await act(() => pending.promise)
    expect([listSentCalls().length, findCard()?.querySelector('[role=alert]')?.textContent]).toEqual([
      1,
      expect.stringMatching(/too frequently/i),
    ])
    expect(document.activeElement).toBe(findButton('Merge'))
    await act(async () => $homePeople.set({ state: 'ready', homes: [createHome([THIRD_OR_FOURTH])] }))
    expect(findCard()?.querySelector('[role=alert]')).toBeNull()
  })

  test('is above the switches in a wide window, and between named and unnamed people in a narrow one', async () => {
    const findNeighbors = () => [
      findCard()?.previousElementSibling?.className,
      findCard()?.nextElementSibling?.className,
    ]
    await renderPage(createHome([SAM_OR_THIRD]))
    expect(findNeighbors()).toEqual([undefined, expect.stringContaining('recognition-card')])
    isWide = false
    act(() => root.unmount())
    root = createRoot(document.getElementById('root')!)
    await renderPage(createHome([SAM_OR_THIRD]))
    expect([findNeighbors()[0], findCard()?.nextElementSibling?.querySelector('h3')?.textContent]).toEqual([
      'named-people',
      'Not named yet',
    ])
  })
})

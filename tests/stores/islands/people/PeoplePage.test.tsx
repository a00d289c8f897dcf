import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PLANS } from '../../../../contract/billing/plan-catalog.ts'
import type { HomePeople } from '../../../../contract/events/people.ts'
import { PeoplePage } from '../../../../src/islands/people/parts/PeoplePage.tsx'
import { $homePeople } from '../../../../src/stores/people/people.ts'
import { closePeopleUndo } from '../../../../src/stores/people/undo.ts'
import { stubApiResponses, type SentRequest } from '../../../support/client.ts'
import { createHomePeople, createHomesResponse, createPerson } from '../../../support/people.ts'

const SAM = createPerson('p1', 'Sam', { events: 41, first_seen: Date.now() - 86_400_000 })
const DAN = createPerson('p2', 'Dan')
const UNNAMED = createPerson('p3', 'Person 3', { events: 6 })
const HIDDEN = createPerson('p4', 'Person 4', { hidden: true })
const DONE_RESPONSE = { code: 200, data: {} }
const ACTION_CALLS = ['person-name', 'person-hide', 'person-merge', 'people-forget', 'recognition']

let root: Root
let requests: SentRequest[]
beforeEach(() => {
  const matchMedia = () => ({ matches: true, addEventListener: () => undefined, removeEventListener: () => undefined })
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true, matchMedia })
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function () {
    this.open = false
  }
  $homePeople.set({ state: 'loading' })
  closePeopleUndo()
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root')!)
})
afterEach(() => act(() => root.unmount()))

async function renderPage(...all: HomePeople[]): Promise<void> {
  requests = stubApiResponses({
    people: createHomesResponse(...all),
    ...Object.fromEntries(ACTION_CALLS.map((name) => [name, DONE_RESPONSE])),
  })
  await act(async () => root.render(<PeoplePage />))
}
const findAll = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)]
const findByName = (name: string) =>
  findAll('button, a, input').find((element) => (element.getAttribute('aria-label') ?? element.textContent) === name)!
const clickOn = (name: string) => act(async () => findByName(name).click())
const listSentCalls = () =>
  requests.flatMap(({ path, body }) => (body && !path.endsWith('feed-ticket') ? [[path.split('/').at(-1), body]] : []))
const readText = () => document.body.textContent

describe('OPEN-166 people of the user’s own home', () => {
  beforeEach(() => renderPage(createHomePeople([SAM, DAN, UNNAMED, HIDDEN])))

  test('are listed as named, as unnamed, and as hidden in a collapsed section', () => {
    expect(findAll('[aria-label="Named people"] h3').map(({ textContent }) => textContent)).toEqual(['Sam', 'Dan'])
    expect(findAll('.unnamed-card b').map(({ textContent }) => textContent)).toEqual(['Person 3'])
    expect([findAll('details[open]'), findAll('details b').map(({ textContent }) => textContent)]).toEqual([
      [],
      ['Person 4'],
    ])
  })

  test('have a menu with keyboard navigation', async () => {
    await clickOn('Options for Sam')
    const items = () => findAll('[role=menuitem]')
    expect(items().map(({ textContent }) => textContent)).toEqual([
      'See 41 clips',
      'Rename',
      'Merge with…',
      'Forget Sam',
    ])
    const press = (key: string) =>
      act(async () => document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })))
    expect([document.activeElement, items()[0]?.getAttribute('href')]).toEqual([items()[0], '/events?person=Sam'])
    await press('ArrowUp')
    expect(document.activeElement).toBe(items()[3])
    await press('Escape')
    expect([items(), document.activeElement]).toEqual([[], findByName('Options for Sam')])
  })

  test('are forgotten after one confirmation that says what stays', async () => {
    await clickOn('Options for Sam')
    await clickOn('Forget Sam')
    expect(readText()).toContain('Deletes Sam’s name and face data. 41 clips will be kept.')
    await act(async () => document.querySelector<HTMLElement>('dialog .btn-danger')?.click())
    expect([listSentCalls(), findAll('dialog')]).toEqual([
      [['people-forget', { home_id: 'h1', person_ids: ['p1'] }]],
      [],
    ])
  })

  test('are merged under the name that the owner keeps, with the sum of their clips', async () => {
    await clickOn('Options for Sam')
    await clickOn('Merge with…')
    const choose = (name: string, group: string) =>
      act(async () =>
        findAll(`input[name=${group}]`)
          .find((input) => document.getElementById(input.getAttribute('aria-labelledby')!)?.textContent === name)
          ?.click(),
      )
    await choose('Dan', 'other')
    await choose('Dan', 'stays')
    expect(readText()).toContain('All 48 clips will appear under Dan')
    await clickOn('Merge')
    expect(listSentCalls()).toEqual([['person-merge', { home_id: 'h1', person_id: 'p1', into: 'p2' }]])
    expect(readText()).toContain('Merged Sam into Dan')
  })

  test('keep their own name when merged with an unnamed person', async () => {
    await clickOn('Options for Sam')
    await clickOn('Merge with…')
    await act(async () => findAll('input[name=other]')[1]?.click())
    expect(findAll('input[name=stays]')).toEqual([])
    await clickOn('Merge')
    expect(listSentCalls()).toEqual([['person-merge', { home_id: 'h1', person_id: 'p3', into: 'p1' }]])
  })

  test('can be shown again after hiding, and unnamed ones can be forgotten together', async () => {
    await clickOn('Show again: Person 4')
    await clickOn('Forget all')
    await act(async () => document.querySelector<HTMLElement>('dialog .btn-danger')?.click())
    expect(listSentCalls()).toEqual([
      ['person-hide', { home_id: 'h1', person_id: 'p4', hidden: false }],
      ['people-forget', { home_id: 'h1', person_ids: ['p3'] }],
    ])
  })

  test('are shown to guests if the owner allows it', async () => {
    expect(readText()).toContain('Guests don’t see names.')
    await clickOn('Show names to guests')
    expect(listSentCalls()).toEqual([['recognition', { home_id: 'h1', on: true, guests: true }]])
  })
})

describe('people page', () => {
  test('starts with the recognition switch while recognition is off', async () => {
    await renderPage(createHomePeople([SAM], { recognition: false }))
    const [first, second] = findAll('.people-grid > *')
    expect([first?.className, second?.className]).toEqual([expect.stringContaining('recognition-card'), 'people-main'])
    await clickOn('Recognition')
    expect(listSentCalls()).toEqual([['recognition', { home_id: 'h1', on: true, guests: false }]])
  })

  test('without a plan that includes people, shows no faces, names such plans and still forgets', async () => {
    await renderPage(createHomePeople([SAM], { cameras: [] }))
    expect([findAll('img'), findByName('Explore plans').getAttribute('href')]).toEqual([[], '/account/products/choose'])
    const missing = PLANS.filter(({ people, name }) => people && !readText().includes(name))
    expect(missing).toEqual([])
    expect(findByName('Forget everyone')).toBeDefined()
  })

  test('explains to a guest who can name people', async () => {
    await renderPage()
    expect(readText()).toContain('Only the owner of a camera can name people in its clips.')
  })

  test('can be retried after a failure', async () => {
    stubApiResponses({ people: { code: 429 } })
    await act(async () => root.render(<PeoplePage />))
    expect(document.querySelector('[role=alert]')?.textContent).toMatch(/We couldn’t load people/)
    await renderPage(createHomePeople([SAM]))
    await clickOn('Try again')
    expect(readText()).toContain('Sam')
  })

  test('shows names as plain text', async () => {
    await renderPage(createHomePeople([createPerson('p1', '<img src=x>')]))
    expect(findAll('[aria-label="Named people"] h3')[0]?.textContent).toBe('<img src=x>')
  })
})

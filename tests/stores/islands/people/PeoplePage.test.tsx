import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PLANS } from '../../../../contract/billing/plan-catalog.ts'
import type { HomePeople } from '../../../../contract/events/people.ts'
import { PeoplePage } from '../../../../src/islands/people/parts/PeoplePage.tsx'
import { $homePeople } from '../../../../src/stores/people/people.ts'
import { closeUndo } from '../../../../src/stores/people/undo.ts'
import { answerWith, type SentRequest } from '../../../support/client.ts'
import { home, homes, person } from '../../../support/people.ts'

const SAM = person('p1', 'Sam', { events: 41, first_seen: Date.now() - 86_400_000 })
const DAN = person('p2', 'Dan')
const THIRD = person('p3', 'Person 3', { events: 6 })
const FOURTH = person('p4', 'Person 4', { hidden: true })
const DONE = { code: 200, data: {} }
const CALLS = ['person-name', 'person-hide', 'person-merge', 'people-forget', 'recognition']

let root: Root
let requests: SentRequest[]
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function () {
    this.open = false
  }
  $homePeople.set({ state: 'loading' })
  closeUndo()
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root')!)
})
afterEach(() => act(() => root.unmount()))

async function show(...all: HomePeople[]): Promise<void> {
  requests = answerWith({ people: homes(...all), ...Object.fromEntries(CALLS.map((name) => [name, DONE])) })
  await act(async () => root.render(<PeoplePage />))
}
const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)]
const named = (name: string) =>
  all('button, a, input').find((element) => (element.getAttribute('aria-label') ?? element.textContent) === name)!
const click = (name: string) => act(async () => named(name).click())
const bodies = () =>
  requests.flatMap(({ path, body }) => (body && !path.endsWith('feed-ticket') ? [[path.split('/').at(-1), body]] : []))
const text = () => document.body.textContent

describe('OPEN-166 people of the user’s own home', () => {
  beforeEach(() => show(home([SAM, DAN, THIRD, FOURTH])))

  test('are listed as named, as unnamed, and as hidden in a collapsed section', () => {
    expect(all('[aria-label="Named people"] h3').map(({ textContent }) => textContent)).toEqual(['Sam', 'Dan'])
    expect(all('.unnamed-card b').map(({ textContent }) => textContent)).toEqual(['Person 3'])
    expect([all('details[open]'), all('details b').map(({ textContent }) => textContent)]).toEqual([[], ['Person 4']])
  })

  test('have a menu with keyboard navigation', async () => {
    await click('Options for Sam')
    const items = () => all('[role=menuitem]')
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
    expect([items(), document.activeElement]).toEqual([[], named('Options for Sam')])
  })

  test('are forgotten after one confirmation that says what stays', async () => {
    await click('Options for Sam')
    await click('Forget Sam')
    expect(text()).toContain('Deletes Sam’s name and face data. 41 clips stay.')
    await act(async () => document.querySelector<HTMLElement>('dialog .btn-danger')?.click())
    expect([bodies(), all('dialog')]).toEqual([[['people-forget', { home_id: 'h1', person_ids: ['p1'] }]], []])
  })

  test('are merged under the name that the owner keeps, with the sum of their clips', async () => {
    await click('Options for Sam')
    await click('Merge with…')
    const choose = (name: string, group: string) =>
      act(async () =>
        all(`input[name=${group}]`)
          .find((input) => document.getElementById(input.getAttribute('aria-labelledby')!)?.textContent === name)
          ?.click(),
      )
    await choose('Dan', 'other')
    await choose('Dan', 'stays')
    expect(text()).toContain('all 48 clips under Dan')
    await click('Merge')
    expect(bodies()).toEqual([['person-merge', { home_id: 'h1', person_id: 'p1', into: 'p2' }]])
    expect(text()).toContain('Merged Sam with Dan')
  })

  test('keep their own name when merged with an unnamed person', async () => {
    await click('Options for Sam')
    await click('Merge with…')
    await act(async () => all('input[name=other]')[1]?.click())
    expect(all('input[name=stays]')).toEqual([])
    await click('Merge')
    expect(bodies()).toEqual([['person-merge', { home_id: 'h1', person_id: 'p3', into: 'p1' }]])
  })

  test('can be shown again after hiding, and unnamed ones can be forgotten together', async () => {
    await click('Show again: Person 4')
    await click('Forget all 1')
    await act(async () => document.querySelector<HTMLElement>('dialog .btn-danger')?.click())
    expect(bodies()).toEqual([
      ['person-hide', { home_id: 'h1', person_id: 'p4', hidden: false }],
      ['people-forget', { home_id: 'h1', person_ids: ['p3'] }],
    ])
  })

  test('are shown to guests if the owner allows it', async () => {
    expect(text()).toContain('Guests don’t see them.')
    await click('Guests see names')
    expect(bodies()).toEqual([['recognition', { home_id: 'h1', on: true, guests: true }]])
  })
})

describe('people page', () => {
  test('starts with the recognition switch while recognition is off', async () => {
    await show(home([SAM], { recognition: false }))
    const [first, second] = all('.people-grid > *')
    expect([first?.className, second?.className]).toEqual([expect.stringContaining('recognition-card'), 'people-main'])
    await click('Recognition')
    expect(bodies()).toEqual([['recognition', { home_id: 'h1', on: true, guests: false }]])
  })

  test('without a plan that includes people, shows no faces, names such plans and still forgets', async () => {
    await show(home([SAM], { cameras: [] }))
    expect([all('img'), named('Explore plans').getAttribute('href')]).toEqual([[], '/account/products/choose'])
    const missing = PLANS.filter(({ people, name }) => people && !text().includes(name))
    expect(missing).toEqual([])
    expect(named('Forget everyone')).toBeDefined()
  })

  test('explains to a guest who can name people', async () => {
    await show()
    expect(text()).toContain('Only the owner of a home names the people on its clips.')
  })

  test('can be retried after a failure', async () => {
    answerWith({ people: { code: 429 } })
    await act(async () => root.render(<PeoplePage />))
    expect(document.querySelector('[role=alert]')?.textContent).toMatch(/We couldn’t load people/)
    await show(home([SAM]))
    await click('Try again')
    expect(text()).toContain('Sam')
  })

  test('shows names as plain text', async () => {
    await show(home([person('p1', '<img src=x>')]))
    expect(all('[aria-label="Named people"] h3')[0]?.textContent).toBe('<img src=x>')
  })
})

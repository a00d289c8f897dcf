import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Event } from '../../../../../contract/events/events.ts'
import { NameUndo } from '../../../../../src/islands/events/person-names/NameUndo.tsx'
import { WhoIsThis } from '../../../../../src/islands/events/person-names/WhoIsThis.tsx'
import { $homePeople } from '../../../../../src/stores/people/people.ts'
import { closePeopleUndo } from '../../../../../src/stores/people/undo.ts'
import { stubApiResponses, type SentRequest } from '../../../../support/client.ts'
import { WAIT_OPTIONS } from '../../../../support/patience.ts'
import { createHomePeople, createHomesResponse, createPerson } from '../../../../support/people.ts'

const EVENT: Event = {
  event_id: 'e1',
  device_id: 'a',
  event_ts: 1,
  tags: ['12'],
  event_values: ['Person 2'],
  title: 'Person',
  reviewed: true,
  event_resources: [],
}
const PEOPLE = [createPerson('p1', 'Dan'), createPerson('p2', 'Person 2', { events: 3 })]
const DONE_RESPONSE = { code: 200, data: {} }

/**
 * Current result of the media query. The page calls `matchMedia` once and reads `matches` each time, so tests can
 * change it.
 */
let isPhone = false
const mediaListeners = { addEventListener: () => undefined, removeEventListener: () => undefined }
const matchMedia = () => ({
  ...mediaListeners,
  get matches() {
    return isPhone
  },
})

let root: Root
let requests: SentRequest[]
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true, matchMedia })
  Element.prototype.scrollIntoView = () => undefined
  isPhone = false
  $homePeople.set({ state: 'loading' })
  closePeopleUndo()
  const calls = { 'person-name': DONE_RESPONSE, 'person-merge': DONE_RESPONSE, 'person-hide': DONE_RESPONSE }
  requests = stubApiResponses({ people: createHomesResponse(createHomePeople(PEOPLE)), ...calls })
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root')!)
})
afterEach(() => act(() => root.unmount()))

async function renderQuestion(): Promise<void> {
  await act(async () =>
    root.render(
      <>
        <WhoIsThis event={EVENT} name="Person 2" instead={<p>Is this label right?</p>} />
        <NameUndo />
      </>,
    ),
  )
  await act(() => vi.waitFor(() => expect($homePeople.get().state).not.toBe('loading'), WAIT_OPTIONS))
}
const nameField = () => document.querySelector<HTMLInputElement>('[role=combobox]')!
const readSuggestions = () => [...document.querySelectorAll('[role=option] b')].map((row) => row.textContent)
const readMarkedSuggestion = () =>
  document.getElementById(nameField().getAttribute('aria-activedescendant') ?? '')?.textContent
const findButton = (text: string) =>
  [...document.querySelectorAll('button')].find((element) => element.textContent === text)!
const listSentCalls = () => requests.flatMap(({ path, body }) => (body ? [[path.split('/').at(-1), body]] : []))

function typeName(text: string): Promise<void> {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!
  return act(async () => {
    set?.call(nameField(), text)
    nameField().dispatchEvent(new InputEvent('input', { bubbles: true }))
  })
}
/** Presses a key in the name field. Returns true if the `keydown` event also reaches the document. */
async function pressKey(key: string): Promise<boolean> {
  let isHeard = false
  const markHeard = () => (isHeard = true)
  document.addEventListener('keydown', markHeard)
  await act(async () =>
    nameField().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })),
  )
  document.removeEventListener('keydown', markHeard)
  return isHeard
}

describe('OPEN-166 person naming on a clip', () => {
  test('suggests the typed name first, then known people whose names contain it', async () => {
    await renderQuestion()
    expect([readSuggestions(), nameField().getAttribute('aria-expanded')]).toEqual([[], 'false'])
    await typeName('d')
    expect(readSuggestions()).toEqual(['Add “d”', 'Dan'])
    expect(readMarkedSuggestion()).toContain('Add “d”')
  })

  test('Enter accepts the marked row as a new name, which can be undone', async () => {
    await renderQuestion()
    await typeName('Sam')
    expect(await pressKey('Enter')).toBe(false)
    const target = { home_id: 'h1', person_id: 'p2' }
    expect(listSentCalls()).toEqual([['person-name', { ...target, name: 'Sam' }]])
    expect(document.querySelector('[role=status]')?.textContent).toBe('Named Sam in 3 clips')
    await act(async () => findButton('Undo').click())
    expect(listSentCalls().at(-1)).toEqual(['person-name', { ...target, name: null }])
  })

  test('choosing a known person merges the two people instead', async () => {
    await renderQuestion()
    await typeName('d')
    await pressKey('ArrowDown')
    expect(readMarkedSuggestion()).toContain('Dan')
    await pressKey('Enter')
    expect(listSentCalls()).toEqual([['person-merge', { home_id: 'h1', person_id: 'p2', into: 'p1' }]])
  })

  test('Save name accepts the typed name, also of a known person, and rejects an empty field', async () => {
    await renderQuestion()
    await act(async () => findButton('Save name').click())
    expect([listSentCalls(), document.querySelector('[role=alert]')?.textContent]).toEqual([[], 'Enter a name first.'])
    await typeName('dan')
    await act(async () => findButton('Save name').click())
    expect(listSentCalls().map(([call]) => call)).toEqual(['person-merge'])
  })

  test('the first Escape changes nothing and keeps the clip open; the next reaches the page', async () => {
    await renderQuestion()
    await typeName('Sam')
    expect([await pressKey('Escape'), nameField().value, readSuggestions()]).toEqual([false, '', []])
    expect([await pressKey('Escape'), listSentCalls()]).toEqual([true, []])
  })

  test('hides a person whom the owner chooses not to name', async () => {
    await renderQuestion()
    await act(async () => findButton('Don’t name').click())
    expect(listSentCalls()).toEqual([['person-hide', { home_id: 'h1', person_id: 'p2', hidden: true }]])
  })

  test('opens from a button on a phone, in a dialog outside the dark stage', async () => {
    isPhone = true
    HTMLDialogElement.prototype.showModal = function () {
      this.open = true
    }
    HTMLDialogElement.prototype.close = function () {
      this.open = false
    }
    await renderQuestion()
    expect(nameField()).toBeNull()
    await act(async () => findButton('Who is this?').click())
    expect(document.querySelector('body > dialog h2')?.textContent).toBe('Who is this?')
    await typeName('Sam')
    expect(readSuggestions()).toEqual(['Add “Sam”'])
  })

  test.each([
    ['recognition is off', createHomesResponse(createHomePeople(PEOPLE, { recognition: false }))],
    ['the plan of the camera has no people', createHomesResponse(createHomePeople(PEOPLE, { cameras: [] }))],
    ['no response arrives', { code: 429 }],
  ])('is replaced by the label question if %s', async (_, people) => {
    requests = stubApiResponses({ people })
    await renderQuestion()
    expect(document.body.textContent).toBe('Is this label right?')
  })
})

import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Event } from '../../../../../contract/events/events.ts'
import { NameUndo } from '../../../../../src/islands/events/person-names/NameUndo.tsx'
import { WhoIsThis } from '../../../../../src/islands/events/person-names/WhoIsThis.tsx'
import { $homePeople } from '../../../../../src/stores/people/people.ts'
import { closeUndo } from '../../../../../src/stores/people/undo.ts'
import { answerWith, type SentRequest } from '../../../../support/client.ts'
import { patience } from '../../../../support/patience.ts'
import { home, homes, person } from '../../../../support/people.ts'

const EVENT: Event = {
  ...{ event_id: 'e1', device_id: 'a', event_ts: 1, tags: ['12'], event_values: ['Person 2'], title: 'Person' },
  ...{ reviewed: true, event_resources: [] },
}
const PEOPLE = [person('p1', 'Dan'), person('p2', 'Person 2', { events: 3 })]
const DONE = { code: 200, data: {} }

/**
 * Current result of the media query. The page calls `matchMedia` once and reads `matches` each time, so tests can
 * change it.
 */
let isPhone = false
const media = { addEventListener: () => undefined, removeEventListener: () => undefined }
const matchMedia = () => ({
  ...media,
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
  closeUndo()
  const calls = { 'person-name': DONE, 'person-merge': DONE, 'person-hide': DONE }
  requests = answerWith({ people: homes(home(PEOPLE)), ...calls })
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root')!)
})
afterEach(() => act(() => root.unmount()))

async function show(): Promise<void> {
  await act(async () =>
    root.render(
      <>
        <WhoIsThis event={EVENT} name="Person 2" instead={<p>Is this label right?</p>} />
        <NameUndo />
      </>,
    ),
  )
  await act(() => vi.waitFor(() => expect($homePeople.get().state).not.toBe('loading'), patience))
}
const field = () => document.querySelector<HTMLInputElement>('[role=combobox]')!
const rows = () => [...document.querySelectorAll('[role=option] b')].map((row) => row.textContent)
const marked = () => document.getElementById(field().getAttribute('aria-activedescendant') ?? '')?.textContent
const button = (text: string) =>
  [...document.querySelectorAll('button')].find((element) => element.textContent === text)!
const bodies = () => requests.flatMap(({ path, body }) => (body ? [[path.split('/').at(-1), body]] : []))

function type(text: string): Promise<void> {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!
  return act(async () => {
    set?.call(field(), text)
    field().dispatchEvent(new InputEvent('input', { bubbles: true }))
  })
}
/** Presses a key in the field. Returns true if the event reaches other listeners. */
async function press(key: string): Promise<boolean> {
  let isHeard = false
  const hear = () => (isHeard = true)
  document.addEventListener('keydown', hear)
  await act(async () => field().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })))
  document.removeEventListener('keydown', hear)
  return isHeard
}

describe('OPEN-166 person naming on a clip', () => {
  test('suggests the typed name first, then known people whose names contain it', async () => {
    await show()
    expect([rows(), field().getAttribute('aria-expanded')]).toEqual([[], 'false'])
    await type('d')
    expect(rows()).toEqual(['Add “d”', 'Dan'])
    expect(marked()).toContain('Add “d”')
  })

  test('Enter accepts the marked row as a new name, which can be undone', async () => {
    await show()
    await type('Sam')
    expect(await press('Enter')).toBe(false)
    const target = { home_id: 'h1', person_id: 'p2' }
    expect(bodies()).toEqual([['person-name', { ...target, name: 'Sam' }]])
    expect(document.querySelector('[role=status]')?.textContent).toBe('Named Sam in 3 clips')
    await act(async () => button('Undo').click())
    expect(bodies().at(-1)).toEqual(['person-name', { ...target, name: null }])
  })

  test('choosing a known person merges the two people instead', async () => {
    await show()
    await type('d')
    await press('ArrowDown')
    expect(marked()).toContain('Dan')
    await press('Enter')
    expect(bodies()).toEqual([['person-merge', { home_id: 'h1', person_id: 'p2', into: 'p1' }]])
  })

  test('Save name accepts the typed name, also of a known person, and rejects an empty field', async () => {
    await show()
    await act(async () => button('Save name').click())
    expect([bodies(), document.querySelector('[role=alert]')?.textContent]).toEqual([[], 'Type a name first.'])
    await type('dan')
    await act(async () => button('Save name').click())
    expect(bodies().map(([call]) => call)).toEqual(['person-merge'])
  })

  test('the first Escape changes nothing and keeps the clip open; the next reaches the page', async () => {
    await show()
    await type('Sam')
    expect([await press('Escape'), field().value, rows()]).toEqual([false, '', []])
    expect([await press('Escape'), bodies()]).toEqual([true, []])
  })

  test('hides a person whom the owner chooses not to name', async () => {
    await show()
    await act(async () => button('Don’t name').click())
    expect(bodies()).toEqual([['person-hide', { home_id: 'h1', person_id: 'p2', hidden: true }]])
  })

  test('opens from a button on a phone, in a dialog outside the dark stage', async () => {
    isPhone = true
    HTMLDialogElement.prototype.showModal = function () {
      this.open = true
    }
    HTMLDialogElement.prototype.close = function () {
      this.open = false
    }
    await show()
    expect(field()).toBeNull()
    await act(async () => button('Who is this?').click())
    expect(document.querySelector('body > dialog h2')?.textContent).toBe('Who is this?')
    await type('Sam')
    expect(rows()).toEqual(['Add “Sam”'])
  })

  test.each([
    ['recognition is off', homes(home(PEOPLE, { recognition: false }))],
    ['the plan of the camera has no people', homes(home(PEOPLE, { cameras: [] }))],
    ['no answer comes', { code: 429 }],
  ])('is replaced by the label question if %s', async (_, people) => {
    requests = answerWith({ people })
    await show()
    expect(document.body.textContent).toBe('Is this label right?')
  })
})

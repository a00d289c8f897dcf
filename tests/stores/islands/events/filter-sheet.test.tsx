// @vitest-environment jsdom
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FilterSheet } from '../../../../src/islands/events/timeline/FilterSheet.tsx'
import { DEFAULT_FILTER } from '../../../../src/domain/events/event-url.ts'
import { $eventFilter, changeFilter } from '../../../../src/stores/events/event-url.ts'
import { $devices, toDevice } from '../../../../src/stores/home/devices.ts'
import { stubApiResponses } from '../../../support/client.ts'

/** Controls of the days and of the seen status. */
const UNMEMOIZED_NAMES = ['14 days', '60 days', 'All', 'Seen', 'Unseen']

let root: Root
const onClose = vi.fn()

beforeEach(async () => {
  stubApiResponses({})
  HTMLDialogElement.prototype.showModal = () => undefined
  HTMLDialogElement.prototype.close = () => undefined
  history.replaceState(null, '', '/events')
  document.body.innerHTML = '<div id="react"></div>'
  root = createRoot(document.getElementById('react')!)
  onClose.mockReset()
  root.render(<FilterSheet onClose={onClose} />)
  // The single tags render after the first paint.
  await vi.waitFor(() => expect(document.querySelector('[aria-label="More"]')).not.toBeNull())
})
afterEach(() => {
  root.unmount()
  changeFilter(DEFAULT_FILTER)
  $devices.set({ state: 'loading' })
})

/** Returns the props that React rendered last for each control of the sheet. */
const readControlProps = () =>
  new Map(
    [...document.querySelectorAll('button, input')].map((control) => [
      control,
      Object.entries(control).find(([name]) => name.startsWith('__reactProps'))?.[1] as unknown,
    ]),
  )

/** Returns the texts of the controls that `press` rendered again. */
async function recordRenderedControls(press: () => void, isDone: () => boolean): Promise<(string | null)[]> {
  const before = readControlProps()
  press()
  await vi.waitFor(() => expect(isDone()).toBe(true))
  const rendered = [...readControlProps()].filter(([control, props]) => before.get(control) !== props)
  return rendered.map(([control]) => (control.closest('label') ?? control).textContent).toSorted()
}

test('a press on a type renders only the controls of that type again', async () => {
  expect(readControlProps().size).toBeGreaterThan(20)
  const chip = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Package')
  const names = await recordRenderedControls(
    () => chip?.click(),
    () => chip?.getAttribute('aria-pressed') === 'true',
  )
  expect($eventFilter.get().tags).toHaveLength(1)
  expect(names).toEqual([...UNMEMOIZED_NAMES, 'Package', 'Package'].toSorted())
})

test('a press on a camera renders only the row of that camera again', async () => {
  const findCamera = (name: string) =>
    [...document.querySelectorAll('label')].find(({ textContent }) => textContent === name)?.querySelector('input')
  const devices = ['Yard', 'Hall', 'Gate'].map((name) =>
    toDevice({
      device_id: name,
      device_model: 'M',
      nickname: name,
      device_order: 0,
      role: 1,
      device_category: 'camera',
    }),
  )
  $devices.set({ state: 'ready', devices })
  await vi.waitFor(() => expect(findCamera('Gate')).toBeTruthy())
  const names = await recordRenderedControls(
    () => findCamera('Hall')?.click(),
    () => findCamera('Hall')?.checked === true,
  )
  expect($eventFilter.get().cameras).toEqual(['Hall'])
  expect(names).toEqual([...UNMEMOIZED_NAMES, 'Hall'].toSorted())
})

test('Escape hides the sheet with the key press, and closes it once after the paint', async () => {
  const dialog = document.querySelector('dialog')!
  const escape = () => dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
  escape()
  // React renders after an input event in a microtask.
  await Promise.resolve()
  expect([dialog.hidden, onClose.mock.calls.length]).toEqual([true, 0])
  escape()
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

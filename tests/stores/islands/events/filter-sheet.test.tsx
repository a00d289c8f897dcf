// @vitest-environment jsdom
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FilterSheet } from '../../../../src/islands/events/timeline/FilterSheet.tsx'
import { DEFAULT_FILTER } from '../../../../src/domain/events/event-url.ts'
import { $eventFilter, changeFilter } from '../../../../src/stores/events/event-url.ts'
import { stubApiResponses } from '../../../support/client.ts'

let root: Root

beforeEach(async () => {
  stubApiResponses({})
  HTMLDialogElement.prototype.showModal = () => undefined
  HTMLDialogElement.prototype.close = () => undefined
  history.replaceState(null, '', '/events')
  document.body.innerHTML = '<div id="react"></div>'
  root = createRoot(document.getElementById('react')!)
  root.render(<FilterSheet onClose={() => undefined} />)
  // The single tags render after the first paint.
  await vi.waitFor(() => expect(document.querySelector('[aria-label="More"]')).not.toBeNull())
})
afterEach(() => {
  root.unmount()
  changeFilter(DEFAULT_FILTER)
})

/** Returns the props that React rendered last for each control of the sheet. */
const readControlProps = () =>
  new Map(
    [...document.querySelectorAll('button, input')].map((control) => [
      control,
      Object.entries(control).find(([name]) => name.startsWith('__reactProps'))?.[1] as unknown,
    ]),
  )

test('a press on a type renders only the controls of that type again', async () => {
  const before = readControlProps()
  expect(before.size).toBeGreaterThan(20)
  const chip = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Package')
  chip?.click()
  await vi.waitFor(() => expect(chip?.getAttribute('aria-pressed')).toBe('true'))
  expect($eventFilter.get().tags).toHaveLength(1)
  const rendered = [...readControlProps()].filter(([control, props]) => before.get(control) !== props)
  const names = rendered.map(([control]) => (control.closest('label') ?? control).textContent)
  // The days and the seen status are not memoized.
  expect(names.toSorted()).toEqual(['14 days', '60 days', 'All', 'Package', 'Package', 'Seen', 'Unseen'])
})

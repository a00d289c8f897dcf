// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { NoEventsYet } from '../../../../src/islands/events/parts/NoEventsYet.tsx'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

test('the events page without a camera offers next steps, and says what the page will show', () => {
  const container = document.createElement('div')
  const root = createRoot(container)
  act(() => root.render(<NoEventsYet />))
  expect(container.querySelectorAll('a')).toHaveLength(2)
  expect([...container.querySelectorAll('h2')].map(({ textContent }) => textContent)).toEqual([
    'Every event, day by day',
    'A strip of the whole day',
    'Search in your own words',
  ])
  act(() => root.unmount())
})

// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { DatesPanel } from '../../../../src/ui/DatesPanel.tsx'

test('the calendar opens at the month of the last chosen day, and another month stays while the page renders', async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  const host = document.body.appendChild(document.createElement('div'))
  const root = createRoot(host)
  const render = () =>
    act(async () =>
      root.render(
        <DatesPanel
          selectedRange={{ start: '2025-11-20', end: '2025-12-01', hours: [0, 23] }}
          kept={{ days: 365, keptSince: Date.UTC(2025, 0, 1) }}
          months={1}
          onChange={() => undefined}
        />,
      ),
    )
  await render()
  const calendar = host.querySelector('calendar-range')?.shadowRoot
  await expect.poll(() => calendar?.textContent).toContain('December 2025')
  act(() => calendar?.querySelector<HTMLElement>('[part~=previous]')?.click())
  await expect.poll(() => calendar?.textContent).toContain('November 2025')
  await render()
  await expect.poll(() => calendar?.textContent).toContain('November 2025')
  act(() => root.unmount())
})

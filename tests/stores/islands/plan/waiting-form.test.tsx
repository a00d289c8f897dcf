import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PlanPage } from '../../../../src/islands/plan/parts/PlanPage.tsx'
import { $checkout } from '../../../../src/stores/billing/checkout.ts'
import { getCheckout, openNewTab } from '../../../support/checkout.ts'

let root: Root
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  openNewTab({})
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root')!)
})
afterEach(() => root.unmount())

const findForm = () => document.querySelector('.plan-form')
const findRadio = (title: string) =>
  [...document.querySelectorAll<HTMLLabelElement>('label.choice')]
    .find((label) => label.querySelector('b')?.textContent === title)
    ?.querySelector('input')

/** Resolves after the next change of the checkout, when React has rendered only what cannot wait. */
const waitForOpenedCheckout = () =>
  new Promise<void>((resolve) => {
    const stop = $checkout.listen((checkout) => {
      if (checkout === null) return
      stop()
      queueMicrotask(() => queueMicrotask(resolve))
    })
  })

test('a choice stays selected if the checkout has opened, but the form still waits', async () => {
  const opened = waitForOpenedCheckout()
  root.render(<PlanPage segment="unlimited" sku="unlimited" />)
  await opened
  expect(findForm()?.getAttribute('aria-busy')).toBe('true')
  findRadio('Annual')?.click()
  // React has handled the press.
  await Promise.resolve()
  expect(findForm()?.getAttribute('aria-busy')).toBe('true')
  expect(findRadio('Annual')?.checked).toBe(true)
  await vi.waitFor(() => expect(findForm()?.getAttribute('aria-busy')).toBe('false'))
  expect([findRadio('Annual')?.checked, getCheckout().form.period]).toEqual([true, 'annual'])
})

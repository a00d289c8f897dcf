import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { LicenseManager } from '../../../../src/islands/cover/parts/LicenseManager.tsx'
import { $bindCart } from '../../../../src/stores/billing/license-cart.ts'
import { $userId } from '../../../../src/stores/session/session.ts'
import { toDevice } from '../../../../src/stores/home/devices.ts'
import { stubApiResponses } from '../../../support/client.ts'
import { WAIT_OPTIONS } from '../../../support/patience.ts'

const plan: Subscription = {
  subscription_id: 's1',
  sku: 'cam-ai',
  status: 'active',
  quantity: 2,
  period: 'monthly',
  billing_provider: 'card',
  renews_at: 0,
  running: true,
  channel: 'web',
  revision: 3,
  since: 0,
  scheduled: null,
  next: null,
  paused_until: null,
  leaving: null,
  open: null,
  clock: 0,
}
const wireFields = { device_model: 'PL-CAM-V1', device_order: 0, device_category: 'camera', role: 1 }
const device = toDevice({ ...wireFields, device_id: 'a', nickname: 'a' })
const camera = { device, isBound: false, isCovered: false, other: null, keepsDays: 1 }

let root: Root
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  localStorage.clear()
  $userId.set('user_1')
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root')!)
})
afterEach(() => act(() => root.unmount()))

test('each failed attempt moves the focus to the camera that failed', async () => {
  const devices = [{ device_mac: 'a', bound: false, why: 'bound' }]
  stubApiResponses({ active: { code: 4301, status: 200, data: { devices } } })
  $bindCart.set([{ device_id: 'a' }])
  await act(async () => root.render(<LicenseManager cover={{ state: 'ready', plan, cameras: [camera], free: 2 }} />))
  const press = (name: string) =>
    act(async () => [...document.querySelectorAll('button')].find((element) => element.textContent === name)?.click())
  const findFailedCamera = () => document.querySelector('.cover-result[data-failed]') ?? 'nothing failed'
  await press('Cover 1 camera')
  await vi.waitFor(() => expect(document.activeElement).toBe(findFailedCamera()), WAIT_OPTIONS)
  document.querySelector<HTMLElement>('.cover-side a')?.focus()
  expect(document.activeElement).not.toBe(findFailedCamera())
  await press('Try again')
  await vi.waitFor(() => expect(document.activeElement).toBe(findFailedCamera()), WAIT_OPTIONS)
})

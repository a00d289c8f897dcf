import { afterEach, expect, test } from 'vitest'
import { $models, loadCameraModels } from '../../src/stores/live/camera-models.ts'
import { loadDevices } from '../../src/stores/home/devices.ts'
import { $eventCameras } from '../../src/stores/events/event-cameras.ts'
import { $auth, $userRole, storeCurrentUser } from '../../src/stores/session/session.ts'
import { $currency, setCurrency } from '../../src/stores/billing/currency.ts'
import { $subscriptions, loadSubscriptions } from '../../src/stores/billing/subscriptions.ts'
import { stubApiResponses } from '../support/client.ts'

afterEach(() => localStorage.clear())

test('STORE-21 currency, status, subs, roles, cameras and models each have a store with the latest value', async () => {
  const model = { device_model: 'PL-CAM-V1', name: 'Camera', dual: false, battery: false, resolutions: ['720'] }
  const camera = { device_id: 'a', device_model: 'PL-CAM-V1', nickname: 'Hall', device_order: 0, role: 2 }
  const subscription = {
    subscription_id: 's',
    sku: 'pro',
    status: 'active',
    quantity: 1,
    period: 'annual',
    billing_provider: 'card',
    renews_at: 0,
    running: true,
    channel: 'web',
    revision: 0,
    since: 0,
    scheduled: null,
    next: null,
    paused_until: null,
    leaving: null,
    open: null,
    clock: 0,
  }
  stubApiResponses({
    home: { code: 1, data: [] },
    'get-home-devices': {
      code: 1,
      data: { device_list: [{ ...camera, device_category: 'camera' }], sort_type: 0, sort_direction: 0 },
    },
    devices: { code: 200, data: [{ name: 'Cameras', devices: [model] }] },
    user_1: { code: 200, data: { subscriptions: [subscription] } },
  })
  const readSlices = () => ({
    currency: $currency.get(),
    status: $auth.get(),
    subs: $subscriptions.get(),
    roles: $userRole.get(),
    cameras: $eventCameras.get().map(({ nickname }) => nickname),
    models: $models.get(),
  })
  expect(readSlices()).toEqual({
    currency: 'USD',
    status: { isLogin: false, loaded: false },
    subs: { state: 'loading' },
    roles: '',
    cameras: [],
    models: undefined,
  })
  storeCurrentUser({ code: 200, user_account: 'sam@example.com', user_id: 'user_1', web_app_token: 'handle' })
  setCurrency('EUR')
  await Promise.all([loadSubscriptions(), loadDevices(), loadCameraModels()])
  expect(readSlices()).toEqual({
    currency: 'EUR',
    status: { isLogin: true, loaded: true },
    subs: { state: 'ready', subscriptions: [subscription] },
    roles: 'shared',
    cameras: ['Hall'],
    models: [model],
  })
})

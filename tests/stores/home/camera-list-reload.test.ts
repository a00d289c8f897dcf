import { expect, test, vi } from 'vitest'
import { reloadLicenses } from '../../../src/stores/billing/load-license-assignments.ts'
import { reloadOnPlanChanges } from '../../../src/stores/events/deferred-loading.ts'
import { $homeId, loadDevices } from '../../../src/stores/home/devices.ts'
import { openFeed } from '../../../src/stores/home/feed.ts'
import { stubApiResponses } from '../../support/client.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const NO_DEVICES_RESPONSE = { code: 1, data: { device_list: [], sort_type: 0, sort_direction: 0 } }
const RESPONSES = {
  home: { code: 1, data: [{ home_id: 'h1', role: 1, name: 'Home' }] },
  'get-home-devices': NO_DEVICES_RESPONSE,
  'feed-ticket': { code: 200, data: { url: 'wss://feed.example/' } },
}

async function countListRequests(change: () => unknown): Promise<number> {
  const requests = stubApiResponses(RESPONSES)
  const lists = () => requests.filter(({ path }) => path.endsWith('get-home-devices')).length
  $homeId.set('h1')
  const before = loadDevices()
  change()
  await before
  await vi.waitFor(() => expect(lists()).toBe(2), WAIT_OPTIONS)
  return lists()
}

test('the camera list reloads when a plan covers other cameras, even during a pending load', async () => {
  expect(await countListRequests(reloadLicenses)).toBe(2)
})

test('the camera list reloads when the feed reports changed camera access', async () => {
  stubApiResponses(RESPONSES)
  const sockets: { onmessage?: (event: { data: string }) => void }[] = []
  vi.stubGlobal('WebSocket', function (this: (typeof sockets)[number]) {
    sockets.push(this)
  })
  openFeed()
  await vi.waitFor(() => expect(sockets).toHaveLength(1), WAIT_OPTIONS)
  const stop = reloadOnPlanChanges()
  expect(await countListRequests(() => sockets[0]?.onmessage?.({ data: JSON.stringify({ type: 'access' }) }))).toBe(2)
  stop()
  vi.unstubAllGlobals()
})

import { expect, test, vi } from 'vitest'
import { loadCoverage } from '../../../src/stores/billing/load-license-assignments.ts'
import { watchPlans } from '../../../src/stores/events/plan-changes.ts'
import { $homeId, loadDevices } from '../../../src/stores/home/devices.ts'
import { openFeed } from '../../../src/stores/home/feed.ts'
import { answerWith } from '../../support/client.ts'
import { patience } from '../../support/patience.ts'

const NONE = { code: 1, data: { device_list: [], sort_type: 0, sort_direction: 0 } }
const LISTS = {
  home: { code: 1, data: [{ home_id: 'h1', role: 1, name: 'Home' }] },
  'get-home-devices': NONE,
  'feed-ticket': { code: 200, data: { url: 'wss://feed.example/' } },
}

/** Runs `change` while the camera list is loading. Returns the number of list requests. */
async function listsAfter(change: () => unknown): Promise<number> {
  const requests = answerWith(LISTS)
  const lists = () => requests.filter(({ path }) => path.endsWith('get-home-devices')).length
  $homeId.set('h1')
  const before = loadDevices()
  change()
  await before
  await vi.waitFor(() => expect(lists()).toBe(2), patience)
  return lists()
}

test('the camera list reloads when a plan covers other cameras, even during a pending load', async () => {
  expect(await listsAfter(loadCoverage)).toBe(2)
})

test('the camera list reloads when the feed reports changed camera access', async () => {
  answerWith(LISTS)
  const lines: { onmessage?: (event: { data: string }) => void }[] = []
  vi.stubGlobal('WebSocket', function (this: (typeof lines)[number]) {
    lines.push(this)
  })
  openFeed()
  await vi.waitFor(() => expect(lines).toHaveLength(1), patience)
  const stop = watchPlans()
  expect(await listsAfter(() => lines[0]?.onmessage?.({ data: JSON.stringify({ type: 'access' }) }))).toBe(2)
  stop()
  vi.unstubAllGlobals()
})

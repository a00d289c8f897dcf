import { batchGetBindings } from '../../contract/billing/licenses.ts'
import { requestNewSnapshot } from '../../contract/live/camera-control-calls.ts'
import { getStorage } from '../../contract/cameras/storage-calls.ts'
import { eventHistory } from '../../contract/events/events.ts'
import { anomalyBatch } from '../../contract/events/event-calls.ts'
import { timeline } from '../../contract/events/timeline.ts'
import { formatGatewayPath, type Call } from '../../contract/wire/call.ts'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

/** By page: maximum number of portal calls of a visit (docs/scale.md), and the calls that the page sends last. */
const VISITS: Readonly<Record<string, { readonly maxCalls: number; readonly lastCalls: readonly Call[] }>> = {
  '/live': { maxCalls: 16, lastCalls: [eventHistory, timeline] },
  '/events': { maxCalls: 15, lastCalls: [anomalyBatch, timeline] },
  '/account/services': { maxCalls: 10, lastCalls: [batchGetBindings, getStorage] },
  '/account/products/camera-ai': { maxCalls: 11, lastCalls: [batchGetBindings] },
}
/** A tile without video requests it every second. */
const SNAPSHOT_PATH = formatGatewayPath(requestNewSnapshot)

for (const [path, { maxCalls, lastCalls }] of Object.entries(VISITS))
  test(`a repeated visit of ${path} makes at most ${maxCalls} calls and refreshes no token`, async ({ page }) => {
    const calls: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/') && pathname !== SNAPSHOT_PATH) calls.push(pathname)
    })
    const expectLastCalls = () =>
      expect.poll(() => calls).toEqual(expect.arrayContaining(lastCalls.map((call) => formatGatewayPath(call))))
    await page.goto(path)
    await expectLastCalls()
    calls.length = 0
    await page.reload()
    await expectLastCalls()
    expect(calls).not.toContain('/api/auth/refresh')
    expect(calls.length).toBeLessThanOrEqual(maxCalls)
  })

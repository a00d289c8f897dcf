import {
  LAYOUT_ROUTES,
  NOT_FOUND_PROBLEM,
  openWithoutShift,
  SIMILAR_ROUTES,
  VARIANT_ROUTES,
} from '../support/checked-routes.ts'
import { removeExpectedProblems, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { recordLayoutShifts } from '../support/shifts.ts'

/** A slow 4G connection: 1.6 Mbit/s down, 750 kbit/s up (in bytes per second) and a latency of 150 ms. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }

test.use({ storageState: SIGNED_IN_STATES.owner })

for (const width of [390, 1440])
  for (const routes of [LAYOUT_ROUTES, SIMILAR_ROUTES.slice(0, 5), SIMILAR_ROUTES.slice(5), VARIANT_ROUTES])
    test(
      `pages of ${width} px do not move on a slow network, on the first visit and the next: ${routes.map(([path]) => path).join(' ')}`,
      { tag: '@all' },
      async ({ page, problems }) => {
        test.slow()
        await recordLayoutShifts(page)
        const network = await page.context().newCDPSession(page)
        await network.send('Network.enable')
        await network.send('Network.emulateNetworkConditions', SLOW_4G)
        for (const route of routes)
          await test.step(route[0], async () => {
            await network.send('Network.clearBrowserCache')
            await openWithoutShift(page, route, width)
            await openWithoutShift(page, route, width)
          })
        removeExpectedProblems(problems, NOT_FOUND_PROBLEM)
      },
    )

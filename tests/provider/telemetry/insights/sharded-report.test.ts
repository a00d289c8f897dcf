import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Env } from '../../../../provider/env.ts'
import { storeEvents } from '../../../../provider/telemetry/insights/insights-objects.ts'
import { buildEventReport } from '../../../../provider/telemetry/insights/merged-report.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import { eventsArbitrary } from '../../../support/insights-events.ts'
import { computeFigures } from '../../../support/insights-oracle.ts'
import { deleteStoredEvents } from '../../../support/measured.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

const NOW = Date.now()
const DAYS = 4

let deployment: TestDeployment
let bindings: Env
beforeAll(async () => {
  deployment = await openTestDeployment()
  bindings = (await deployment.provider.getWorker().getEnv()) as Env
})
afterAll(() => deployment.close())

const shardCountArbitrary = fc.constantFrom('1', '2', '4')

test('reports are exact over days and shards, even if the number of shards or the sample rate changed', async () => {
  const changeArbitrary = fc.record({
    shards: fc.tuple(shardCountArbitrary, shardCountArbitrary),
    rate: fc.constantFrom(1, 3),
  })
  const runArbitrary = fc.asyncProperty(
    eventsArbitrary(NOW, DAYS),
    changeArbitrary,
    async (events, { shards, rate }) => {
      await deleteStoredEvents(bindings)
      const middle = Math.floor(events.length / 2)
      await storeEvents({ ...bindings, ANALYTICS_SHARDS: shards[0] }, events.slice(0, middle), 1, NOW)
      await storeEvents({ ...bindings, ANALYTICS_SHARDS: shards[1] }, events.slice(middle), rate, NOW)
      const span = { from: NOW - 3 * DAY_MS, to: NOW + 1 }
      const { from, to, kept_since, left_out, ...figures } = await buildEventReport(bindings, span, null)
      expect({ from, to, kept_since, left_out }).toEqual({
        ...span,
        kept_since: Math.min(...events.map(({ at }) => at)),
        left_out: [],
      })
      const highestRate = Math.max(1, figures.sample_rate)
      expect(figures).toEqual(
        computeFigures(
          events.filter(({ at }) => at >= span.from),
          highestRate,
        ),
      )
    },
  )
  await fc.assert(runArbitrary, { numRuns: 6 })
})

import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import { AUTOMATIC_EVENTS } from '../../../../contract/telemetry/analytics-events.ts'
import { insightsResponse } from '../../../../contract/telemetry/insights-report.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'
import { makeSecrets } from '../../../../scripts/lib/secrets.ts'
import { writeEnvironment, writePrivateFile } from '../../../../scripts/lib/secrets-file.ts'
import { backUp, restore } from '../../../support/backups.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import { computeFigures } from '../../../support/insights-oracle.ts'
import { createStoredEvent, createUuid, sendSignedBatch } from '../../../support/measured.ts'

const PROVIDER_STATE = 'state/provider/v3'
const DAYS = 5
const NOW = Date.now()

let deployment: TestDeployment
let folder: string
beforeAll(async () => {
  deployment = await openTestDeployment({ change: () => ({ ANALYTICS_SHARDS: '2' }) })
  folder = mkdtempSync(join(tmpdir(), 'porchlight-insights-'))
})
afterAll(async () => {
  await deployment.close()
  rmSync(folder, { recursive: true })
})

async function fetchReport() {
  const { env } = deployment
  const response = await fetch(`${env.PROVIDER_ORIGIN}${ADMIN_PATHS.insights}?days=${DAYS + 1}`, {
    headers: { authorization: `Admin ${env.ADMIN_KEY}` },
  })
  const {
    from: _from,
    to: _to,
    errors: _errors,
    elsewhere: _elsewhere,
    ...report
  } = v.parse(insightsResponse, await response.json()).data
  return report
}

test('a backup contains the objects of all days, and a restore gives the same reports', async () => {
  const { env, provider } = deployment
  const events = Array.from({ length: DAYS * 20 }, (_, n) =>
    createStoredEvent(n, NOW - (n % DAYS) * DAY_MS, { type: AUTOMATIC_EVENTS.pageViewed, device: createUuid(n % 12) }),
  )
  expect((await sendSignedBatch(env, { events })).status).toBe(200)
  const report = await fetchReport()
  expect(report).toEqual({ ...computeFigures(events, 1), kept_since: NOW - (DAYS - 1) * DAY_MS, left_out: [] })

  await provider.stop()
  const [data, restored, file] = ['data', 'restored', 'home.backup'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  mkdirSync(join(data, 'state'), { recursive: true })
  cpSync(provider.stateFolder, join(data, PROVIDER_STATE), { recursive: true })
  writeEnvironment(data, env)
  writePrivateFile(join(data, 'secrets.env'), makeSecrets(env))
  await backUp(data, file)
  rmSync(data, { recursive: true })
  rmSync(provider.stateFolder, { recursive: true })
  await restore(file, restored)
  cpSync(join(restored, PROVIDER_STATE), provider.stateFolder, { recursive: true })
  await provider.restart({ ...env })

  expect(await fetchReport()).toEqual(report)
  const more = createStoredEvent(9000, NOW, { type: AUTOMATIC_EVENTS.pageViewed, device: createUuid(0) })
  expect((await sendSignedBatch(env, { events: [...events, more] })).status).toBe(200)
  expect((await fetchReport()).views).toBe(events.length + 1)
})

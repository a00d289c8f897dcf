import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import type { Env } from '../../../provider/env.ts'
import { openEnvelopeSink, type EnvelopeSink } from '../../support/envelope-sink.ts'
import { openTestDeployment, type TestDeployment } from '../../support/harness.ts'
import { scaleTimeout } from '../../support/machine.ts'

const CANARY = 'somebody@example.com'
/** Error reports are on only if the portal's host does not contain `local`. */
const remotePortal = { PORTAL_ORIGIN: 'https://cam.example.com' }
let deployment: TestDeployment

function sendAdminRequest(path: string, init: RequestInit = {}) {
  return fetch(deployment.env.PROVIDER_ORIGIN + path, {
    ...init,
    headers: { authorization: `Admin ${deployment.env.ADMIN_KEY}`, 'content-type': 'application/json' },
  })
}

/** Makes a call fail: deletes an account while the table `accounts` is missing. The URL contains `CANARY`. */
async function provokeServerError(): Promise<Response> {
  const { DB } = (await deployment.provider.getWorker().getEnv()) as Env
  await DB.prepare('ALTER TABLE accounts RENAME TO away').run()
  const answer = await sendAdminRequest(`${ADMIN_PATHS.accounts}/${CANARY}`, { method: 'DELETE' })
  await DB.prepare('ALTER TABLE away RENAME TO accounts').run()
  return answer
}

const listErrorReports = async () =>
  (
    (await (await sendAdminRequest(ADMIN_PATHS.errors)).json()) as {
      data: { errors: { build: string; report: unknown }[] }
    }
  ).data.errors

describe('provider error reporting with an external collector', () => {
  let sink: EnvelopeSink
  beforeAll(async () => {
    sink = await openEnvelopeSink()
    deployment = await openTestDeployment({ change: () => ({ ...remotePortal, SENTRY_DSN: sink.dsn }) })
  })
  afterAll(async () => {
    await deployment.close()
    await sink.close()
  })

  test('sends an error as a masked event with its route; the response is a plain 500', async () => {
    const answer = await provokeServerError()
    expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining('accounts')])
    await expect.poll(() => sink.events().length, { timeout: scaleTimeout(20_000) }).toBe(1)
    const [sent] = sink.events()
    expect(sent?.event).toMatchObject({
      release: 'test',
      environment: 'beta',
      tags: { from: 'provider', route: 'DELETE /admin/v1/accounts/:email' },
    })
    expect(sent?.text).toContain('no such table: accounts')
    expect(sent?.text).not.toContain(CANARY)
    expect(sent?.text).not.toContain(deployment.env.ADMIN_KEY)
    expect(sink.rejectedRequests).toEqual([])
    expect(await listErrorReports()).toEqual([])
  })

  test('sends about one request in ten as a duration', async () => {
    const REQUEST_COUNT = 200
    for (let n = 0; n < REQUEST_COUNT; n++) await fetch(`${deployment.env.PROVIDER_ORIGIN}/healthz`)
    // The sink may also have recorded requests of an earlier test.
    const listTransactions = () => sink.items.filter(({ event }) => event['transaction'] === 'GET /healthz')
    await expect.poll(() => listTransactions().length, { timeout: scaleTimeout(20_000) }).toBeGreaterThan(0)
    expect(listTransactions().length).toBeLessThan(REQUEST_COUNT / 2)
    expect(listTransactions()[0]).toMatchObject({ type: 'transaction', project: '7', key: 'public' })
    expect(listTransactions()[0]?.event).toMatchObject({
      contexts: { trace: { data: { 'http.response.status_code': 200 } } },
    })
  })
})

describe('provider error reporting without a collector', () => {
  beforeAll(async () => {
    deployment = await openTestDeployment({ change: () => remotePortal })
  })
  afterAll(() => deployment.close())

  test('stores an error in its own sink, masked', async () => {
    expect((await provokeServerError()).status).toBe(500)
    await expect.poll(async () => (await listErrorReports()).length, { timeout: scaleTimeout(20_000) }).toBe(1)
    const [row] = await listErrorReports()
    expect(row).toMatchObject({ build: 'test', report: { level: 'error', page: 'DELETE /admin/v1/accounts/:email' } })
    expect(JSON.stringify(row)).not.toContain(CANARY)
  })
})

test('nothing is reported if the portal name contains local', async () => {
  deployment = await openTestDeployment()
  try {
    expect((await provokeServerError()).status).toBe(500)
    expect(await listErrorReports()).toEqual([])
  } finally {
    await deployment.close()
  }
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { BRIDGE_PATHS } from '../../../contract/bridge/bridge-protocol.ts'
import { openEnvelopeSink } from '../../support/envelope-sink.ts'
import { openNeighborhood, TestBridge, type Neighborhood } from '../../support/home.ts'
import { scaleTimeout } from '../../support/machine.ts'

/** Error reports are on only if the portal's host does not contain `local`. */
const nonLocalPortal = { PORTAL_ORIGIN: 'https://cam.example.com' }
const errorReport = {
  level: 'error',
  from: 'browser',
  at: 1_790_000_000_000,
  page: 'viewer',
  errors: [{ name: 'TypeError', message: 'lost owner@example.com', frames: ['at bridge/main.ts:1:2'] }],
  trail: [],
}
const bridgeReport = { version: '0.1.0', report: errorReport }
const sendReport = (bridge: TestBridge, payload: unknown = bridgeReport) =>
  bridge.send('POST', BRIDGE_PATHS.failures, payload)

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood({ change: () => nonLocalPortal })
})
afterAll(() => neighborhood.close())

async function listErrorReports({ stage: deployment }: Neighborhood = neighborhood) {
  const headers = { authorization: `Admin ${deployment.env.ADMIN_KEY}` }
  const answer = await fetch(deployment.env.PROVIDER_ORIGIN + ADMIN_PATHS.errors, { headers })
  return ((await answer.json()) as { data: { errors: object[] } }).data.errors
}

test('a bridge’s error report is stored with the others, masked and labeled with its bridge version', async () => {
  expect((await sendReport(neighborhood.a.bridge)).status).toBe(200)
  expect((await sendReport(neighborhood.b.bridge)).status).toBe(200)
  const errors = [{ ...errorReport.errors[0], message: 'lost [masked]' }]
  expect(await listErrorReports()).toMatchObject([
    { count: 2, build: 'bridge-0.1.0', report: { from: 'bridge', page: 'viewer', errors } },
  ])
})

test('an unsigned or invalid error report is rejected and not stored', async () => {
  const before = await listErrorReports()
  const { bridge } = neighborhood.a
  const stranger = new TestBridge(bridge.origin, bridge.id)
  expect((await sendReport(stranger)).status).toBe(401)
  for (const payload of [
    {},
    { ...bridgeReport, version: '../x' },
    { version: '1', report: { ...errorReport, errors: [] } },
  ])
    expect((await sendReport(bridge, payload)).status).toBe(400)
  expect(await listErrorReports()).toEqual(before)
})

test('a bridge that reports too often is rate limited, and other bridges are not', async () => {
  const statuses = new Set<number>()
  for (let n = 0; n < 61; n++) statuses.add((await sendReport(neighborhood.a.bridge)).status)
  expect([...statuses]).toEqual([200, 429])
  expect((await sendReport(neighborhood.b.bridge)).status).toBe(200)
})

test('with an external collector, an error report is sent as an event and not stored', async () => {
  const sink = await openEnvelopeSink()
  const other = await openNeighborhood({ change: () => ({ ...nonLocalPortal, SENTRY_DSN: sink.dsn }) })
  try {
    expect((await sendReport(other.a.bridge)).status).toBe(200)
    await expect.poll(() => sink.events().length, { timeout: scaleTimeout(20_000) }).toBe(1)
    const [sent] = sink.events()
    expect(sent?.event).toMatchObject({ release: 'bridge-0.1.0', tags: { from: 'bridge' }, level: 'error' })
    expect(sent?.text).not.toContain('owner@example.com')
    expect([await listErrorReports(other), sink.rejectedRequests]).toEqual([[], []])
  } finally {
    await other.close()
    await sink.close()
  }
})

test('no error report is stored if the name of the portal contains local', async () => {
  const other = await openNeighborhood()
  try {
    expect((await sendReport(other.a.bridge)).status).toBe(200)
    expect(await listErrorReports(other)).toEqual([])
  } finally {
    await other.close()
  }
})

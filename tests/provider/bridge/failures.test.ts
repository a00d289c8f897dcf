import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { BRIDGE_PATHS } from '../../../contract/bridge/bridge-protocol.ts'
import { openEnvelopeSink } from '../../support/envelope-sink.ts'
import { openNeighborhood, TestBridge, type Neighborhood } from '../../support/home.ts'
import { scaled } from '../../support/machine.ts'

/** Error reports are on only if the portal's host does not contain `local`. */
const elsewhere = { PORTAL_ORIGIN: 'https://cam.example.com' }
const report = {
  level: 'error',
  from: 'browser',
  at: 1_790_000_000_000,
  page: 'viewer',
  errors: [{ name: 'TypeError', message: 'lost owner@example.com', frames: ['at bridge/main.ts:1:2'] }],
  trail: [],
}
const failure = { version: '0.1.0', report }
const send = (bridge: TestBridge, payload: unknown = failure) => bridge.send('POST', BRIDGE_PATHS.failures, payload)

let town: Neighborhood
beforeAll(async () => {
  town = await openNeighborhood({ change: () => elsewhere })
})
afterAll(() => town.close())

async function listErrorReports({ stage }: Neighborhood = town) {
  const headers = { authorization: `Admin ${stage.env.ADMIN_KEY}` }
  const answer = await fetch(stage.env.PROVIDER_ORIGIN + ADMIN_PATHS.errors, { headers })
  return ((await answer.json()) as { data: { errors: object[] } }).data.errors
}

test('a bridge’s error report is stored with the others, masked and labeled with its bridge version', async () => {
  expect((await send(town.a.bridge)).status).toBe(200)
  expect((await send(town.b.bridge)).status).toBe(200)
  const errors = [{ ...report.errors[0], message: 'lost [masked]' }]
  expect(await listErrorReports()).toMatchObject([
    { count: 2, build: 'bridge-0.1.0', report: { from: 'bridge', page: 'viewer', errors } },
  ])
})

test('an unsigned or invalid error report is rejected and not stored', async () => {
  const before = await listErrorReports()
  const { bridge } = town.a
  const stranger = new TestBridge(bridge.origin, bridge.id)
  expect((await send(stranger)).status).toBe(401)
  for (const payload of [{}, { ...failure, version: '../x' }, { version: '1', report: { ...report, errors: [] } }])
    expect((await send(bridge, payload)).status).toBe(400)
  expect(await listErrorReports()).toEqual(before)
})

test('a bridge that reports too often is rate limited, and other bridges are not', async () => {
  const statuses = new Set<number>()
  for (let n = 0; n < 61; n++) statuses.add((await send(town.a.bridge)).status)
  expect([...statuses]).toEqual([200, 429])
  expect((await send(town.b.bridge)).status).toBe(200)
})

test('with an external collector, an error report is sent as an event and not stored', async () => {
  const sink = await openEnvelopeSink()
  const other = await openNeighborhood({ change: () => ({ ...elsewhere, SENTRY_DSN: sink.dsn }) })
  try {
    expect((await send(other.a.bridge)).status).toBe(200)
    await expect.poll(() => sink.events().length, { timeout: scaled(20_000) }).toBe(1)
    const [sent] = sink.events()
    expect(sent?.event).toMatchObject({ release: 'bridge-0.1.0', tags: { from: 'bridge' }, level: 'error' })
    expect(sent?.text).not.toContain('owner@example.com')
    expect([await listErrorReports(other), sink.broken]).toEqual([[], []])
  } finally {
    await other.close()
    await sink.close()
  }
})

test('no error report is stored if the name of the portal contains local', async () => {
  const other = await openNeighborhood()
  try {
    expect((await send(other.a.bridge)).status).toBe(200)
    expect(await listErrorReports(other)).toEqual([])
  } finally {
    await other.close()
  }
})

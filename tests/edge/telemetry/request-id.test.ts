import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { REQUEST_ID_HEADER } from '../../../contract/wire/call.ts'
import type { errorGroup } from '../../../contract/telemetry/telemetry-calls.ts'
import type { InferOutput } from 'valibot'
import type { Env } from '../../../provider/env.ts'
import { buildErrorReport } from '../../../src/services/error-reports.ts'
import { createLoggedFetch, type LoggedRequest } from '../../../src/services/logged-fetch.ts'
import { computeBuildId } from '../../../scripts/lib/build.ts'
import { FrameResolver } from '../../../scripts/lib/frames.ts'
import { openEdge, signInThroughEdge, type EdgeDeployment } from '../../support/edge.ts'
import { projectRoot } from '../../support/ground.ts'
import { openEnvelopeSink, type EnvelopeSink } from '../../support/envelope-sink.ts'
import { scaleTimeout } from '../../support/machine.ts'
import type { Visitor } from '../../support/visitor.ts'

const HOME_PATH = '/app/v4/home'
const POLL_OPTIONS = { timeout: scaleTimeout(20_000) }
/** Values that the edge and the provider see but no report may contain. */
const CANARY_TEXTS = ['owner@example.com', 'canary-of-a-cookie', 'canary-of-a-token']

let edge: EdgeDeployment
let visitor: Visitor

/** Opens an edge with the portal host 127.0.0.1: error reports are off if the host contains `local`. */
async function openEdgeWithReports(change: Record<string, string> = {}): Promise<void> {
  edge = await openEdge((env) =>
    Promise.resolve({ PORTAL_ORIGIN: env.PORTAL_ORIGIN.replace('localhost', '127.0.0.1'), ...change }),
  )
  visitor = edge.visitor()
  await signInThroughEdge(visitor)
  visitor.setCookie('other', 'canary-of-a-cookie')
}

/**
 * Makes a call that fails in the provider because a table is missing. Returns the status, the request id and the logged
 * requests.
 */
async function makeFailingCall() {
  const { DB } = (await edge.deployment.provider.getWorker().getEnv()) as Env
  await DB.prepare('ALTER TABLE home_members RENAME TO away').run()
  const exchanges: LoggedRequest[] = []
  const sendLogged = createLoggedFetch(
    () => visitor.get(`/api/p/new-device${HOME_PATH}?access_token=canary-of-a-token`),
    (exchange) => exchanges.push(exchange),
  )
  const { status, headers } = await sendLogged(`/api/p/new-device${HOME_PATH}`)
  await DB.prepare('ALTER TABLE away RENAME TO home_members').run()
  return { status, id: headers.get(REQUEST_ID_HEADER) ?? '', exchanges }
}

async function reportExchange({ method, url, status, requestId }: LoggedRequest): Promise<void> {
  const page = `${edge.portalOrigin}/live`
  const report = buildErrorReport(
    new Error(`${method} ${url} ${status}`),
    { at: 1, page, trail: [], requestId },
    'warning',
  )
  const frames = report?.errors.map((error) => ({ ...error, frames: [] }))
  const answer = await visitor.fetch('/t/errors', {
    method: 'POST',
    body: JSON.stringify({ ...report, errors: frames }),
    headers: { 'content-type': 'text/plain', origin: visitor.portalOrigin, 'sec-fetch-site': 'same-origin' },
  })
  expect(answer.status).toBe(204)
}

describe('a request that fails inside the provider, without an external error collector', () => {
  beforeAll(() => openEdgeWithReports())
  afterAll(() => edge.close())

  async function listErrors() {
    const headers = { authorization: `Admin ${edge.deployment.env.ADMIN_KEY}` }
    const answer = await fetch(edge.deployment.env.PROVIDER_ORIGIN + ADMIN_PATHS.errors, { headers })
    return ((await answer.json()) as { data: { errors: InferOutput<typeof errorGroup>[] } }).data.errors
  }

  test('has one ID in the response, at the provider, in its log, and in both error reports', async () => {
    const { status, id, exchanges } = await makeFailingCall()
    expect([status, id]).toEqual([500, expect.stringMatching(/^[\da-f-]{36}$/)])
    expect(edge.proxy.requests.findLast(({ path }) => path.startsWith(HOME_PATH))?.headers[REQUEST_ID_HEADER]).toBe(id)
    expect(exchanges).toMatchObject([{ status: 500, requestId: id }])
    for (const exchange of exchanges) await reportExchange(exchange)
    await expect.poll(async () => (await listErrors()).length, POLL_OPTIONS).toBe(2)
    expect(
      (await listErrors()).map(({ build, report: { from, request_id } }) => [from, build, request_id]).toSorted(),
    ).toEqual([
      ['browser', 'test', id],
      ['provider', 'test', id],
    ])
    // The source map of the build resolves a Worker's stack to source lines.
    const maps = new FrameResolver(projectRoot, computeBuildId(projectRoot))
    const failed = (await listErrors()).find(({ report }) => report.from === 'provider')?.report.errors[0]
    expect(failed?.frames.map((frame) => maps.resolve(frame, 'provider').text)).toContainEqual(
      expect.stringMatching(/^at .*\(provider\/.+\.ts:\d+:\d+\)$/),
    )
    const printed = () => edge.deployment.provider.outputLines.join('\n')
    await expect.poll(printed, POLL_OPTIONS).toContain(`"build":"test","request_id":"${id}"`)
    for (const canary of CANARY_TEXTS) expect(JSON.stringify(await listErrors())).not.toContain(canary)
  })

  test('sends its ID to the provider for the last picture, too', async () => {
    const { headers } = await visitor.get('/m/last/camera_1')
    const pictureCalls = edge.proxy.requests.filter(
      (call) => call.headers[REQUEST_ID_HEADER] === headers.get(REQUEST_ID_HEADER),
    )
    expect(pictureCalls).toMatchObject([{ path: expect.stringContaining('camera_1') as string }])
  })

  test('gets a new ID each time, and never one that the browser chose', async () => {
    const sendRequest = () => visitor.fetch('/api/nothing', { headers: { [REQUEST_ID_HEADER]: 'mine' } })
    const ids = [
      (await sendRequest()).headers.get(REQUEST_ID_HEADER),
      (await sendRequest()).headers.get(REQUEST_ID_HEADER),
    ]
    expect(new Set([...ids, 'mine', null]).size).toBe(4)
  })
})

describe('a request that fails inside the provider, with an external error collector', () => {
  let sink: EnvelopeSink
  beforeAll(async () => {
    sink = await openEnvelopeSink()
    await openEdgeWithReports({ SENTRY_DSN: sink.dsn })
  })
  afterAll(async () => {
    await edge.close()
    await sink.close()
  })

  test('creates one provider event and one page event, with the same request ID and release', async () => {
    const { id, exchanges } = await makeFailingCall()
    for (const exchange of exchanges) await reportExchange(exchange)
    await expect.poll(() => sink.events().length, POLL_OPTIONS).toBe(2)
    const named = sink.events().map(({ event }) => event as { tags: { from: string }; release: string })
    expect(named.toSorted((a, b) => a.tags.from.localeCompare(b.tags.from))).toMatchObject([
      { release: 'test', level: 'warning', tags: { from: 'browser', [REQUEST_ID_HEADER]: id } },
      { release: 'test', tags: { from: 'provider', route: `GET ${HOME_PATH}`, [REQUEST_ID_HEADER]: id } },
    ])
    expect(sink.rejectedRequests).toEqual([])
    for (const { text } of sink.items) for (const canary of CANARY_TEXTS) expect(text).not.toContain(canary)
  })
})

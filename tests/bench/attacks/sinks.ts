import { ANALYTICS_API_KEY } from '../../../contract/telemetry/analytics-events.ts'
import { RATE_LIMITS } from '../../../contract/wire/edge-rate-limits.ts'
import type { VisitorWithAddress } from '../../support/visitor.ts'
import { type Attempts, expectEqual, expectStatus, requireControl } from './attempts.ts'
import type { AttackEnvironment } from './attack-environment.ts'

const REPORT_COUNT = RATE_LIMITS.REPORTS + 30
const SINK_PATHS = ['/t/errors', '/t/events', '/t/revenue'] as const
const HOSTILE_BODIES: readonly string[] = [
  '',
  'null',
  '[]',
  '{',
  '7',
  '"text"',
  '{"__proto__":{"a":1}}',
  '{"api_key":{}}',
  '\u0000',
  '{"events":[{}]}',
  JSON.stringify({ api_key: ANALYTICS_API_KEY, events: Array.from({ length: 501 }, () => null) }),
  JSON.stringify({
    api_key: ANALYTICS_API_KEY,
    events: [{ event_type: '<script>', insert_id: "' OR 1=1 --", time: -1e308 }],
  }),
  JSON.stringify({ level: 'error', at: 1e308, page: 'javascript:alert(1)', errors: [{ name: {} }], trail: {} }),
  JSON.stringify({ token: 'x'.repeat(5000), person: ['a'] }),
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
]

const sendReport = (browser: VisitorWithAddress, path: string, body: string, change: Record<string, string> = {}) =>
  browser.fetch(path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'text/plain', origin: browser.portalOrigin, 'sec-fetch-site': 'same-origin', ...change },
  })

const createReport = (at: number) =>
  JSON.stringify({
    level: 'error',
    at,
    page: 'http://a/',
    errors: [{ name: 'Error', message: 'x', frames: [] }],
    trail: [],
  })

export const telemetryAttacks = {
  name: 'sinks',
  guarantee: 'reports and analytics events are rate-limited, validated and accepted only from own pages',
  async run(attempts: Attempts, environment: AttackEnvironment) {
    const { browser } = await environment.createMember()
    for (const path of SINK_PATHS) {
      await attempts.tryEach(`${path} with`, HOSTILE_BODIES, async (body) => {
        const { status } = await sendReport(browser, path, body)
        return status < 500 || `got ${status}`
      })
      await attempts.tryEach(`${path} from`, ['https://evil.example', 'null'], async (origin) =>
        expectStatus(await sendReport(browser, path, createReport(1), { origin, 'sec-fetch-site': 'cross-site' }), 403),
      )
      await attempts.try(`${path} at the provider`, createReport(1), async () => {
        const url = environment.env.PROVIDER_ORIGIN + path
        return expectStatus(await fetch(url, { method: 'POST', body: createReport(1) }), 401, 403, 400)
      })
    }
    await attempts.try('reports from one IP address', REPORT_COUNT, async () => {
      const flooder = environment.createVisitor()
      const answers = await Promise.all(
        Array.from({ length: REPORT_COUNT }, (_, n) => sendReport(flooder, '/t/errors', createReport(n + 1))),
      )
      const accepted = answers.filter(({ status }) => status === 204).length
      const limited = answers.filter(({ status, headers }) => status === 429 && headers.has('retry-after')).length
      return expectEqual([accepted, limited], [RATE_LIMITS.REPORTS, REPORT_COUNT - RATE_LIMITS.REPORTS])
    })
    requireControl(
      'other browsers can still report',
      await expectStatus(await sendReport(environment.createVisitor(), '/t/errors', createReport(1)), 204),
    )
  },
}

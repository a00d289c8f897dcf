import { MEASURE_KEY } from '../../../contract/telemetry/analytics-events.ts'
import { RATE_LIMITS } from '../../../contract/wire/edge-rate-limits.ts'
import type { Person } from '../../support/visitor.ts'
import { type Attempts, expectSame, expectStatus, requireControl } from './attempts.ts'
import type { Ground } from './ground.ts'

const REPORTS = RATE_LIMITS.REPORTS + 30
const PATHS = ['/t/errors', '/t/events', '/t/revenue'] as const
const HOSTILE: readonly string[] = [
  ...['', 'null', '[]', '{', '7', '"text"', '{"__proto__":{"a":1}}', '{"api_key":{}}', '\u0000', '{"events":[{}]}'],
  JSON.stringify({ api_key: MEASURE_KEY, events: Array.from({ length: 501 }, () => null) }),
  JSON.stringify({
    api_key: MEASURE_KEY,
    events: [{ event_type: '<script>', insert_id: "' OR 1=1 --", time: -1e308 }],
  }),
  JSON.stringify({ level: 'error', at: 1e308, page: 'javascript:alert(1)', errors: [{ name: {} }], trail: {} }),
  JSON.stringify({ token: 'x'.repeat(5000), person: ['a'] }),
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
]

const send = (browser: Person, path: string, body: string, change: Record<string, string> = {}) =>
  browser.fetch(path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'text/plain', origin: browser.portal, 'sec-fetch-site': 'same-origin', ...change },
  })

const report = (at: number) =>
  JSON.stringify({
    level: 'error',
    at,
    page: 'http://a/',
    errors: [{ name: 'Error', message: 'x', frames: [] }],
    trail: [],
  })

export const sinks = {
  name: 'sinks',
  promise: 'reports and measured events are limited, checked and taken from own pages only',
  async run(attempts: Attempts, ground: Ground) {
    const { browser } = await ground.member()
    for (const path of PATHS) {
      await attempts.each(`${path} with`, HOSTILE, async (body) => {
        const { status } = await send(browser, path, body)
        return status < 500 || `got ${status}`
      })
      await attempts.each(`${path} from`, ['https://evil.example', 'null'], async (origin) =>
        expectStatus(await send(browser, path, report(1), { origin, 'sec-fetch-site': 'cross-site' }), 403),
      )
      await attempts.try(`${path} at the provider`, report(1), async () => {
        const address = ground.env.PROVIDER_ORIGIN + path
        return expectStatus(await fetch(address, { method: 'POST', body: report(1) }), 401, 403, 400)
      })
    }
    await attempts.try('reports of one address', REPORTS, async () => {
      const flooder = ground.person()
      const answers = await Promise.all(
        Array.from({ length: REPORTS }, (_, n) => send(flooder, '/t/errors', report(n + 1))),
      )
      const accepted = answers.filter(({ status }) => status === 204).length
      const limited = answers.filter(({ status, headers }) => status === 429 && headers.has('retry-after')).length
      return expectSame([accepted, limited], [RATE_LIMITS.REPORTS, REPORTS - RATE_LIMITS.REPORTS])
    })
    requireControl(
      'others report afterwards',
      await expectStatus(await send(ground.person(), '/t/errors', report(1)), 204),
    )
  },
}

// @vitest-environment jsdom
// @vitest-environment-options {"url": "https://portal.example/live?ticket=canary"}
import * as v from 'valibot'
import { beforeEach, expect, test, vi } from 'vitest'
import { errorReport, errorReports } from '../../../../contract/telemetry/telemetry-calls.ts'
import { recordRequest } from '../../../../src/boot/telemetry/request-buffer.ts'
import { recordRequests } from '../../../../src/boot/telemetry/record-requests.ts'

const beacon = vi.fn<(url: string, body: string) => boolean>(() => true)
const readReports = () =>
  beacon.mock.calls.map(([url, body]) => [url, v.parse(v.strictObject(errorReport.entries), JSON.parse(body))] as const)

recordRequests()

beforeEach(() => {
  beacon.mockClear()
  navigator.sendBeacon = beacon as typeof navigator.sendBeacon
})

test('CALL-71 a page reports an uncaught error, masked, to its own edge', () => {
  dispatchEvent(new ErrorEvent('error', { error: new TypeError('no name for owner@example.com') }))
  expect(readReports()).toMatchObject([
    [errorReports.path, { level: 'error', errors: [{ name: 'TypeError', message: 'no name for [masked]' }] }],
  ])
  expect(readReports()[0]?.[1].page).toBe('https://portal.example/live?ticket=[masked]')
})

test('CALL-71 a page reports a failed request as a warning, with its trail', () => {
  recordRequest({ at: 1_790_000_000, method: 'GET', url: '/api/p/platform/x', status: 500, ms: 5, requestId: 'r1' })
  dispatchEvent(new Event('pagehide'))
  expect(readReports()).toMatchObject([
    [
      errorReports.path,
      {
        level: 'warning',
        request_id: 'r1',
        trail: expect.arrayContaining([{ at: 1_790_000_000, text: 'GET /api/p/platform/x 500' }]) as unknown,
      },
    ],
  ])
})

test('CALL-71 failed request URLs are masked in message and trail, and the report names its build', () => {
  const url = '/api/p/v4-event/replays/canary?device_id=canary&start_time=1'
  recordRequest({ at: 1, method: 'GET', url, status: 404, ms: 5, requestId: 'r2' })
  recordRequest({ at: 2, method: 'GET', url: '/api/p/platform/x?ticket=canary', status: 500, ms: 5, requestId: 'r3' })
  dispatchEvent(new Event('pagehide'))
  expect(readReports()).toHaveLength(2)
  for (const [, report] of readReports()) {
    expect(JSON.stringify(report)).not.toContain('canary')
    expect(report.build).toBe(String(import.meta.env['BUILD_ID']))
  }
})

test('REPORT-06 a page transition aborted by another navigation is not reported', () => {
  const reason = Object.assign(new Error('Transition was skipped. Navigation aborted'), { name: 'AbortError' })
  dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }))
  expect(readReports()).toEqual([])
  dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: new TypeError('x is undefined') }))
  expect(readReports()).toHaveLength(1)
})

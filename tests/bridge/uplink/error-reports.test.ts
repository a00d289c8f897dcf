import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { reportInternalError, setInternalErrorListener } from '../../../bridge/runtime/internal-errors.ts'
import { SoapAuthError } from '../../../bridge/discovery/soap.ts'
import { ErrorReporter, shouldReportTo, createErrorReport } from '../../../bridge/uplink/error-reports.ts'
import { ProviderError } from '../../../bridge/uplink/provider-client.ts'
import { postFailureRequest, type PostFailureRequest } from '../../../contract/bridge/bridge-protocol.ts'
import { errorReport } from '../../../contract/telemetry/telemetry-calls.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

describe('error reporting to a provider', () => {
  test.each([
    ['https://cam-id.example.com', undefined, true],
    ['https://cam-id.example.com', '0', false],
    ['http://127.0.0.1:8788', undefined, false],
    ['http://localhost:8788', undefined, false],
    ['http://[::1]:8788', undefined, false],
    ['https://porchlight.local', undefined, false],
    ['http://127.0.0.1:8788', '1', true],
  ])('%s with BRIDGE_REPORTS=%s is enabled: %s', (provider, setting, isEnabled) => {
    expect(shouldReportTo(provider, setting)).toBe(isEnabled)
  })
})

describe('bridge error report', () => {
  test('follows the contract and lists stack frames by their path in the project', () => {
    const report = v.parse(
      v.strictObject(errorReport.entries),
      createErrorReport('viewer', new TypeError('x is undefined')),
    )
    expect(report).toMatchObject({ level: 'error', from: 'bridge', page: 'viewer', trail: [] })
    expect(report.errors).toMatchObject([{ name: 'TypeError', message: '' }])
    expect(report.errors[0]?.frames[0]).toMatch(/^at tests\/bridge\/uplink\/error-reports\.test\.ts:\d+:\d+$/)
    expect(JSON.stringify(report)).not.toContain(process.cwd())
  })

  test.each([
    'rtsp://admin:hunter2@192.168.7.9/live failed for owner@example.com at fe80::1:2:3, ::1, 00:1a:2b:3c:4d:5e',
    'getaddrinfo ENOTFOUND nas.smith-family.lan',
    'spawn /home/ann/bin/ffmpeg ENOENT',
    'C:\\Users\\Ann\\clips is full',
    'no route to 001A2B3C4D5E',
  ])('contains nothing about the home: %s', (message) => {
    const error = Object.assign(new Error(message, { cause: new TypeError(message) }), {
      code: 'ENOTFOUND',
      stack: 'Error: x\n    at read (/home/ann/elsewhere/deep.js:1:2)\n    at file:///home/ann/o.js:3:4',
    })
    const { errors } = createErrorReport('journal', error)
    expect(errors).toMatchObject([
      { name: 'Error', message: 'ENOTFOUND', frames: [] },
      { name: 'TypeError', message: '' },
    ])
  })

  test('includes the message of our own errors without addresses, and runtime stack frames', () => {
    const error = Object.assign(new SoapAuthError('not authorized at 192.168.7.9'), {
      stack: 'Error: x\n    at connect (node:internal/net:1:2)',
    })
    expect(createErrorReport('journal', error).errors).toEqual([
      { name: 'Error', message: 'not authorized at [address]', frames: ['at connect (node:internal/net:1:2)'] },
    ])
  })

  test.each(['a text', null, undefined])('is valid for the thrown value %s', (thrown) => {
    expect(v.is(errorReport, createErrorReport('bridge', thrown))).toBe(true)
  })

  test('stays within the size that the provider accepts', () => {
    const error = Object.assign(new Error('m'.repeat(10_000)), { name: 'n'.repeat(300) })
    expect(v.is(errorReport, createErrorReport('bridge', error))).toBe(true)
  })
})

describe('error report delivery', () => {
  let now = 0
  const post = vi.fn<(failure: PostFailureRequest) => Promise<void>>()
  let reports: ErrorReporter
  beforeEach(() => {
    now = 0
    post.mockReset().mockResolvedValue()
    reports = new ErrorReporter({ postFailure: post }, () => now)
  })

  test('sends at most ten reports per hour', () => {
    for (let n = 0; n < 50; n++) reports.report('bridge', new Error(String(n)))
    expect(post).toHaveBeenCalledTimes(10)
    now = HOUR_MS - 1
    reports.report('bridge', new Error('soon'))
    expect(post).toHaveBeenCalledTimes(10)
    now = HOUR_MS
    reports.report('bridge', new Error('later'))
    expect(post).toHaveBeenCalledTimes(11)
    for (const [failure] of post.mock.calls) expect(v.is(postFailureRequest, failure)).toBe(true)
  })

  test('does not retry a rejected report and causes no unhandled rejection', async () => {
    post.mockRejectedValue(new ProviderError(429, 'too often'))
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    reports.report('bridge', new Error('once'))
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', unhandled)
    expect([post.mock.calls.length, unhandled.mock.calls.length]).toEqual([1, 0])
  })

  test('never reports to the provider that the provider was unreachable', () => {
    reports.report('bridge', new ProviderError(0, 'fetch failed'))
    expect(post).not.toHaveBeenCalled()
  })
})

describe('internal error', () => {
  beforeEach(() => void vi.spyOn(process.stdout, 'write').mockReturnValue(true))
  afterEach(() => {
    setInternalErrorListener(() => undefined)
    vi.restoreAllMocks()
  })

  test('writes one line to the log and notifies the listener', () => {
    const listener = vi.fn()
    setInternalErrorListener(listener)
    const error = new Error('rtsp://admin:hunter2@cam/ broke')
    reportInternalError('viewer', 'A viewer of Porch could not be served', error)
    expect(process.stdout.write).toHaveBeenCalledWith(
      'bridge: A viewer of Porch could not be served: rtsp://***@cam/ broke\n',
    )
    expect(listener.mock.calls).toEqual([['viewer', error]])
  })
})

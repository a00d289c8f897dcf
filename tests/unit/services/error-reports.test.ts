import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { errorReport } from '../../../contract/telemetry/telemetry-calls.ts'
import {
  addBreadcrumb,
  parseFrames,
  isNoise,
  isReportedHost,
  getReportLevel,
  buildErrorReport,
  type Breadcrumb,
} from '../../../src/services/error-reports.ts'

const context = { at: 1, page: 'https://portal.example/live?token=canary', trail: [] }

test.each(['portal.example', 'beta.portal.example'])('REPORT-01 reports are sent from %s', (host) => {
  expect(isReportedHost(host)).toBe(true)
})

test.each(['localhost', 'local.portal.example', 'porchlight.local'])(
  'REPORT-02 no reports are sent from %s',
  (host) => {
    expect(isReportedHost(host)).toBe(false)
  },
)

describe('failed requests', () => {
  test.each([400, 404, 500])('REPORT-03 a %i is a warning', (status) => {
    expect(getReportLevel('/api/p/platform/x', status)).toBe('warning')
  })

  test.each([
    '/api/auth/me',
    '/api/auth/refresh',
    '/api/v2/user/login?source=x',
    '/api/v2/user/status',
    '/api/v2/santa/refresh',
  ])('REPORT-04 a failure of %s is not reported', (url) => {
    expect(getReportLevel(url, 500)).toBeNull()
  })

  test('REPORT-05 a 403 is never reported, and neither is a success', () => {
    expect([403, 200, 401, 503].map((status) => getReportLevel('/api/p/platform/x', status))).toEqual([
      null,
      null,
      null,
      null,
    ])
  })
})

describe('noise', () => {
  test.each([
    ['REPORT-07', 'TypeError: Failed to fetch'],
    ['REPORT-07', 'NetworkError when attempting to fetch resource.'],
    ['REPORT-08', 'AbortError: The play() request was interrupted by a call to pause().'],
    ['REPORT-06', 'AbortError: Transition was skipped. Navigation aborted'],
    ['REPORT-06', 'InvalidStateError: Transition was aborted because of invalid state. Viewport size changed'],
    ['REPORT-09', 'Error: Extension context invalidated.'],
    ['REPORT-09', 'at chrome-extension://abc/content.js'],
  ])('%s %s is on the noise list', (_, message) => {
    expect(isNoise(message)).toBe(true)
  })

  test('REPORT-06 an error with a noise message is dropped, and others are not', () => {
    expect(buildErrorReport(new TypeError('Failed to fetch'), context)).toBeNull()
    expect(buildErrorReport(new TypeError('x is undefined'), context)).toMatchObject({ level: 'error' })
  })
})

test('REPORT-11 the trail keeps the last 100 breadcrumbs', () => {
  let trail: readonly Breadcrumb[] = []
  for (let at = 1; at <= 101; at++) trail = addBreadcrumb(trail, { at, text: '' })
  expect(trail).toHaveLength(100)
  expect(trail[0]?.at).toBe(2)
})

test('REPORT-12 a report includes at most 5 linked errors', () => {
  let error = new Error('root')
  for (let at = 0; at < 10; at++) error = new Error(`level ${at}`, { cause: error })
  expect(buildErrorReport(error, context)?.errors.map(({ message }) => message)).toEqual([
    'level 9',
    'level 8',
    'level 7',
    'level 6',
    'level 5',
    'level 4',
  ])
})

test('REPORT-13 at most 50 stack frames are kept', () => {
  const stack = ['Error: x', ...Array.from({ length: 60 }, (_, at) => `    at f${at} (app.js:${at}:1)`)].join('\n')
  expect(parseFrames(stack)).toHaveLength(50)
})

test('REPORT-14 a line of 1024 characters is kept, one of 1025 is skipped', () => {
  const line = (length: number) => 'at '.padEnd(length, 'x')
  expect(parseFrames(`${line(1024)}\n${line(1025)}`)).toEqual([line(1024)])
})

test('an anonymous function in a Safari stack is named by its position alone', () => {
  const stack = 'draw@https://portal.example/_astro/a.js:1:2\nhttps://portal.example/_astro/a.js:3:4\nsaid https://x:1'
  expect(parseFrames(stack)).toEqual([
    'draw@https://portal.example/_astro/a.js:1:2',
    'https://portal.example/_astro/a.js:3:4',
  ])
})

test('an overlong text is truncated, and no report is lost', () => {
  const error = Object.assign(new Error('m'.repeat(9000)), { name: 'n'.repeat(300) })
  const trail = [{ at: 1, text: 't'.repeat(9000) }]
  const page = `https://portal.example/${'p'.repeat(3000)}`
  expect(v.is(errorReport, buildErrorReport(error, { at: 1, page, trail, build: 'abcdef0' }))).toBe(true)
})

test('a report is masked', () => {
  const report = buildErrorReport(new Error('owner@example.com failed'), {
    ...context,
    trail: [{ at: 1, text: 'GET owner@example.com 500' }],
  })
  expect(JSON.stringify(report)).not.toMatch(/canary|owner@example/)
})

import * as v from 'valibot'
import { expect, test } from 'vitest'
import { toSentryEvent, buildErrorReport } from '../../../../contract/telemetry/sentry-client-options.ts'
import { errorReport } from '../../../../contract/telemetry/telemetry-calls.ts'

const createReport = (error: Error, where = 'GET /x') => buildErrorReport({ from: 'edge', where }, error, 1)

test('REPORT-12 a portal failure is reported with at most 5 linked errors', () => {
  let error = new Error('root')
  for (let at = 0; at < 10; at++) error = new Error(`level ${at}`, { cause: error })
  expect(createReport(error).errors.map(({ message }) => message)).toEqual([
    'level 9',
    'level 8',
    'level 7',
    'level 6',
    'level 5',
    'level 4',
  ])
})

test('lines of an error message are not stack frames', () => {
  const error = Object.assign(new Error('one\ntwo'), { stack: 'Error: one\ntwo\n    at f (index.js:1:2)' })
  expect(createReport(error).errors).toEqual([{ name: 'Error', message: 'one\ntwo', frames: ['at f (index.js:1:2)'] }])
})

test('a text that is too long is masked before it is cut, and its report is not lost', () => {
  const long = Object.assign(new Error(`${'m'.repeat(8185)} owner@example.com`), { name: 'n'.repeat(300) })
  const cut = createReport(long, `GET /${'p'.repeat(3000)}`)
  expect(v.is(errorReport, cut)).toBe(true)
  expect(cut.errors[0]?.message).not.toContain('owner')
})

test('a stack frame that is only a location becomes a frame of the collector too', () => {
  const errors = [{ name: 'Error', message: '', frames: ['https://portal.example/_astro/a.js:3:14'] }]
  expect(toSentryEvent({ level: 'error', at: 1, page: '/', errors, trail: [] })).toMatchObject({
    exception: {
      values: [{ stacktrace: { frames: [{ filename: 'https://portal.example/_astro/a.js', lineno: 3 }] } }],
    },
  })
})

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minifySync } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorGroup } from '../../../contract/telemetry/telemetry-calls.ts'
import { formatErrorGroup, resolveErrorGroups } from '../../../scripts/lib/error-lines.ts'
import { FrameResolver } from '../../../scripts/lib/frames.ts'
import { getSourceMapFolder, getWorkerMapFolder } from '../../../scripts/lib/source-maps.ts'

const BUILD = 'abcdef0'
const SOURCE = `/** A comment that the bundle leaves out. */
export function draw(picture) {
  if (!picture) {
    throw new TypeError('no picture')
  }
  return picture
}
`
let root: string
/** Line and column where the bundle throws, counted from 1 as in browsers. */
let throwLocation = ''

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'errors-'))
  const { code, map } = minifySync('draw.js', SOURCE, { module: true, sourcemap: true })
  const before = code.slice(0, code.indexOf('TypeError')).split('\n')
  throwLocation = `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
  mkdirSync(join(getSourceMapFolder(root, BUILD), '_astro'), { recursive: true })
  const storedMap = { ...map, sources: ['../../../../src/ui/draw.js'], sourcesContent: undefined }
  writeFileSync(join(getSourceMapFolder(root, BUILD), '_astro/draw.js.map'), JSON.stringify(storedMap))
  mkdirSync(getWorkerMapFolder(root, BUILD))
  writeFileSync(join(getWorkerMapFolder(root, BUILD), 'provider.js.map'), JSON.stringify(storedMap))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const resolveFrame = (frame: string, build = BUILD) => new FrameResolver(root, build).resolve(frame)

describe('stack frame', () => {
  test('of a minified bundle resolves to our source, in the format of either browser family', () => {
    const address = `https://cam.example.com/_astro/draw.js:${throwLocation}`
    expect(resolveFrame(`at t (${address})`)).toEqual({ text: 'at t (src/ui/draw.js:4:15)' })
    expect(resolveFrame(`at ${address}`)).toEqual({ text: 'at src/ui/draw.js:4:15' })
    expect(resolveFrame(`t@${address}`)).toEqual({ text: 'at t (src/ui/draw.js:4:15)' })
    expect(resolveFrame(`@${address}`)).toEqual({ text: 'at src/ui/draw.js:4:15' })
  })

  test('also resolves from a location alone, and in a chunk that another build shares', () => {
    const address = `https://cam.example.com/_astro/draw.js:${throwLocation}`
    expect(resolveFrame(address)).toEqual({ text: 'at src/ui/draw.js:4:15' })
    expect(resolveFrame(`at t (${address})`, 'older')).toEqual({ text: 'at t (src/ui/draw.js:4:15)' })
  })

  test('of a Worker resolves by the map of its own build, wherever it runs', () => {
    const resolveWorkerFrame = (frame: string, from: 'edge' | 'provider', build = BUILD) =>
      new FrameResolver(root, build).resolve(frame, from)
    for (const folder of ['', 'file:///home/ann/dist/workers/provider/'])
      expect(resolveWorkerFrame(`at async t (${folder}index.js:${throwLocation})`, 'provider')).toEqual({
        text: 'at async t (src/ui/draw.js:4:15)',
      })
    expect(resolveWorkerFrame(`at async file:///x/index.js:${throwLocation}`, 'provider')).toEqual({
      text: 'at src/ui/draw.js:4:15',
    })
    const own = { text: 'at t (index.js:1:2)' }
    expect(resolveWorkerFrame(own.text, 'edge')).toEqual({ ...own, why: 'The build has no source map for the portal.' })
    expect(resolveWorkerFrame(own.text, 'edge', 'older')).toEqual({
      ...own,
      why: "The source maps for build older aren't stored on this computer.",
    })
    expect(resolveWorkerFrame('at t (node:fs:1:2)', 'edge').why).toBe("This module isn't part of the portal.")
  })

  test('of a bridge already points to our source', () => {
    const text = 'at read (bridge/store/clips.ts:1:2)'
    expect(new FrameResolver(root, 'bridge-1.0.0').resolve(text, 'bridge')).toEqual({ text })
  })

  test.each([
    ['at t (<anonymous>)', BUILD, "This file isn't a portal script."],
    ['at fetch (index.js:1:2)', BUILD, "This file isn't a portal script."],
    ['at t (https://cam.example.com/live:1:2)', BUILD, "This file isn't a portal script."],
    ['at t (https://cam.example.com/../../_astro%2f..%2fa.js:1:2)', BUILD, "This file isn't a portal script."],
    [
      'at t (https://cam.example.com/_astro/gone.js:1:2)',
      'older',
      "The source maps for build older aren't stored on this computer.",
    ],
    [
      'at t (https://cam.example.com/_astro/gone.js:1:2)',
      '..',
      "The source maps for build .. aren't stored on this computer.",
    ],
    ['at t (https://cam.example.com/_astro/other.js:1:2)', BUILD, 'The build has no source map for /_astro/other.js.'],
  ])('%s of build %s stays unchanged, with the reason', (frame, build, why) => {
    expect(resolveFrame(frame, build)).toEqual({ text: frame, why })
  })
})

const buildErrorKind = (more: Partial<ErrorGroup>, report: Partial<ErrorGroup['report']> = {}): ErrorGroup => ({
  count: 1,
  first_at: Date.UTC(2026, 10, 2, 3, 4, 5),
  last_at: Date.UTC(2026, 10, 2, 3, 4, 5),
  build: BUILD,
  ...more,
  report: { level: 'error', at: 1, page: 'https://cam.example.com/live', errors: [], trail: [], ...report },
})

describe('error list', () => {
  test('shows the count, times, build, location, request and cause of an error group', () => {
    const frames = [
      `at t (https://cam.example.com/_astro/draw.js:${throwLocation})`,
      'at a (<anonymous>)',
      'at b (<anonymous>)',
    ]
    const errors = [
      { name: 'TypeError', message: 'no\u001b[2Jpicture', frames },
      { name: 'Error', message: 'lost', frames: [] },
    ]
    const errorGroup = buildErrorKind(
      { count: 3, last_at: Date.UTC(2026, 10, 3) },
      { from: 'browser', request_id: '0f6c', errors },
    )
    expect(resolveErrorGroups(root, [errorGroup]).map(formatErrorGroup)).toEqual([
      [
        `3 ×  2026-11-02 03:04:05 to 2026-11-03 00:00:00  build ${BUILD}  browser  error`,
        '  https://cam.example.com/live',
        '  request 0f6c',
        '  TypeError: no [2Jpicture',
        '    at t (src/ui/draw.js:4:15)',
        '    at a (<anonymous>)',
        '    at b (<anonymous>)',
        "      This file isn't a portal script.",
        '  caused by Error: lost',
      ],
    ])
  })

  test('shows the newest first, and only one build if it is named', () => {
    const kinds = [
      buildErrorKind({ last_at: 1 }),
      buildErrorKind({ last_at: 3, build: 'other' }),
      buildErrorKind({ last_at: 2 }),
    ]
    expect(resolveErrorGroups(root, kinds).map(({ last_at }) => last_at)).toEqual([3, 2, 1])
    expect(resolveErrorGroups(root, kinds, BUILD).map(({ last_at }) => last_at)).toEqual([2, 1])
  })

  test('works without a source, request or second time', () => {
    expect(resolveErrorGroups(root, [buildErrorKind({})]).map(formatErrorGroup)).toEqual([
      [`1 ×  2026-11-02 03:04:05  build ${BUILD}  error`, '  https://cam.example.com/live'],
    ])
  })
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** Reports the size of the body, as the browser does after the layout of a frame. */
let resize: () => void = () => undefined
let measurements = 0
let width = 1200

/** Runs the script that positions the tiles in a body with this many tiles. */
async function loadScript(tileCount: number): Promise<HTMLElement> {
  document.body.innerHTML = `<div class="live-body"><ul class="live-grid">${'<li class="live-tile"></li>'.repeat(tileCount)}</ul></div>`
  const body = document.querySelector<HTMLElement>('.live-body')!
  Object.defineProperties(body, {
    clientWidth: { get: () => ((measurements += 1), width) },
    clientHeight: { value: 800 },
  })
  await import('../../../src/stores/live/position-tiles.ts')
  return body
}
const readWidths = () =>
  [...document.querySelectorAll<HTMLElement>('.live-tile')].map(({ style }) => style.getPropertyValue('--w'))

beforeEach(() => {
  vi.resetModules()
  measurements = 0
  width = 1200
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(onResize: (entries: { target: Element }[]) => void) {
        resize = () => onResize([{ target: document.querySelector('.live-body')! }])
      }
      observe() {}
    },
  )
})
afterEach(() => {
  delete window.placeTiles
  document.head.innerHTML = ''
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('measures the page once in the first frame while the tiles are drawn, and again after a resize', async () => {
  const body = await loadScript(1)
  expect(measurements).toBe(0)
  resize()
  const [alone = ''] = readWidths()
  body.querySelector('.live-grid')!.append(document.createElement('li'))
  body.querySelector('li:last-child')!.className = 'live-tile'
  window.placeTiles?.()
  expect(readWidths()).toHaveLength(2)
  expect(Math.max(...readWidths().map(parseFloat))).toBeLessThan(parseFloat(alone))
  expect(measurements).toBe(1)
  const before = readWidths()
  width = 500
  resize()
  expect(measurements).toBe(2)
  expect(readWidths()).not.toEqual(before)
})

test('measures a new body', async () => {
  const body = await loadScript(2)
  resize()
  const copy = body.cloneNode(true) as HTMLElement
  Object.defineProperties(copy, { clientWidth: { value: 400 }, clientHeight: { value: 800 } })
  const before = readWidths()
  body.replaceWith(copy)
  window.placeTiles?.()
  resize()
  expect(readWidths()).not.toEqual(before)
})

test('measures the body immediately if the browser has no observer', async () => {
  vi.stubGlobal('ResizeObserver', undefined)
  await loadScript(1)
  expect(parseFloat(readWidths()[0] ?? '')).toBeGreaterThan(0)
})

const listPreloads = () => [...document.head.querySelectorAll('link')].map(({ media, href }) => `${media} ${href}`)

test('preloads the islands after the session is confirmed, and leaves other links', async () => {
  vi.useFakeTimers()
  document.head.innerHTML = `<link rel="modulepreload" media="(max-width: 767.98px)" href="http://x/react.js">
    <link rel="modulepreload" href="http://x/video.js">`
  await loadScript(1)
  const before = listPreloads()
  expect(before).toEqual(['(max-width: 767.98px) http://x/react.js', ' http://x/video.js'])
  dispatchEvent(new Event('porchlight:session'))
  expect(listPreloads()).toEqual(before)
  vi.runAllTimers()
  expect(listPreloads()).toEqual([' http://x/video.js', ' http://x/react.js'])
})

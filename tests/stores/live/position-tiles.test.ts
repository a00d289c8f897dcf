import { afterEach, beforeEach, expect, test, vi } from 'vitest'

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
  vi.unstubAllGlobals()
})

test('measures the page once while the tiles are drawn, and again after a resize', async () => {
  const body = await loadScript(1)
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
  const copy = body.cloneNode(true) as HTMLElement
  Object.defineProperties(copy, { clientWidth: { value: 400 }, clientHeight: { value: 800 } })
  const before = readWidths()
  body.replaceWith(copy)
  window.placeTiles?.()
  expect(readWidths()).not.toEqual(before)
})

import { beforeEach, expect, test } from 'vitest'
import { LIVE_EARLY_REQUESTS } from '../../../../src/early/requests/live.ts'
import { DEVICES_RESPONSE, runInlineScript, SIGNED_IN_COOKIES } from '../../../support/first-document.ts'

const USER = { code: 200, user_id: 'user-1', user_account: 'owner@example.com' }

beforeEach(() => {
  const placeholders = '<li class="skeleton"></li>'.repeat(3)
  document.body.innerHTML = `<div id="loading"></div><div id="content" hidden><ul class="live-grid">${placeholders}</ul></div>`
})

/** Runs the document's script of /live without any module. Returns the names in the visible tiles. */
async function openDocument({ stored = {}, search = '', data = {}, me = USER as object } = {}) {
  const answers = {
    me: () => Response.json(me),
    'get-home-devices': () => Response.json({ ...DEVICES_RESPONSE, data: { ...DEVICES_RESPONSE.data, ...data } }),
  }
  const { window: early } = await runInlineScript(
    LIVE_EARLY_REQUESTS,
    SIGNED_IN_COOKIES,
    stored,
    answers,
    search,
    document,
  )
  if (early.fillTiles) window.fillTiles = early.fillTiles
  return listNames()
}

const findTiles = () => [...document.querySelectorAll<HTMLElement>('.live-grid > :not([hidden])')]
const listNames = () => findTiles().map(({ dataset, textContent }) => `${dataset['camera'] ?? ''} ${textContent}`)

test('the response of the document fills the tiles and shows the page before any module loads', async () => {
  const [first, second] = DEVICES_RESPONSE.data.device_list
  expect(await openDocument({ data: { device_list: [second, first] } })).toEqual(['A1 Door', 'B2 Yard'])
  expect(document.querySelector<HTMLElement>('.live-grid')?.dataset['layout']).toBe('automatic')
  expect(document.getElementById('content')?.hidden).toBe(false)
  expect(document.getElementById('loading')).toBeNull()
})

test('without a user, the page stays hidden', async () => {
  await openDocument({ me: { code: 401 } })
  expect(document.getElementById('content')?.hidden).toBe(true)
})

test('the page stays hidden if it shows an error', async () => {
  document.getElementById('loading')?.remove()
  await openDocument()
  expect(document.getElementById('content')?.hidden).toBe(true)
})

test.each<[string, Parameters<typeof openDocument>[0]]>([
  ['a camera in the URL', { search: '?camera=A1' }],
  ['wall mode', { search: '?wall' }],
  ['a camera filter', { stored: { filterCamerasStore: '["B2"]' } }],
  ['another sort order', { data: { sort_type: 1 } }],
  ['a layout of an earlier version', { stored: { liveLayout: 'nine' } }],
])('with %s, the tiles wait for the stores', async (_, visit) => {
  expect(await openDocument(visit)).toEqual([' ', ' ', ' '])
})

test('the stored layout applies, and an empty filter is none', async () => {
  expect(await openDocument({ stored: { filterCamerasStore: '[]', liveLayout: 'grid' } })).toHaveLength(2)
  expect(document.querySelector<HTMLElement>('.live-grid')?.dataset['layout']).toBe('grid')
})

test('a tile of the same camera keeps its elements when its name changes', async () => {
  await openDocument()
  const video = document.createElement('video')
  findTiles()[0]?.prepend(video)
  window.fillTiles?.([{ device_id: 'A1', nickname: 'Gate' }], 'automatic')
  expect(listNames()).toEqual(['A1 Gate'])
  expect(findTiles()[0]?.contains(video)).toBe(true)
})

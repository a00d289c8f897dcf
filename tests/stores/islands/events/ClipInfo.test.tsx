import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Event } from '../../../../contract/events/events.ts'
import { ClipInfo } from '../../../../src/islands/events/parts/ClipInfo.tsx'
import { $devices, toDevice } from '../../../../src/stores/home/devices.ts'
import { stubApiResponses } from '../../../support/client.ts'

const wireFields = { device_model: 'PL-CAM-V1', device_order: 0, device_category: 'camera' }
const createEvent = (event_id: string): Event => ({
  event_id,
  device_id: 'a',
  event_ts: Date.UTC(2026, 10, 20, 9, 41),
  tags: ['101'],
  event_values: [],
  title: 'Person',
  reviewed: true,
  event_resources: [],
})

/** Replaces the `ResizeObserver` that jsdom lacks. */
class FakeResizeObserver {
  observe(): void {}
  disconnect(): void {}
}

let root: Root
beforeEach(() => {
  const matchMedia = () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined })
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true, matchMedia, ResizeObserver: FakeResizeObserver })
  $devices.set({ state: 'ready', devices: [toDevice({ ...wireFields, device_id: 'a', nickname: 'Door', role: 1 })] })
  stubApiResponses({})
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root')!)
})
afterEach(() => act(() => root.unmount()))

describe('the info panel of the open clip', () => {
  test('asks once whether the label is right and offers one download, however many events were opened before', async () => {
    for (const id of ['one', 'two', 'three', 'one']) {
      await act(async () => root.render(<ClipInfo event={createEvent(id)} canDownload isShown />))
      expect(document.querySelectorAll('[aria-label="Is this label right?"]')).toHaveLength(1)
      const downloads = [...document.querySelectorAll<HTMLAnchorElement>('a[download]')]
      expect(downloads.map((link) => link.getAttribute('href'))).toEqual([`/m/clip/${id}`])
    }
  })

  test.each([
    ['a guest about an unnamed person', 2, 'Person 3'],
    ['an owner about a named person', 1, 'Dan'],
  ])('asks %s whether the label is right, and nothing about people', async (_, role, name) => {
    $devices.set({ state: 'ready', devices: [toDevice({ ...wireFields, device_id: 'a', nickname: 'Door', role })] })
    const requests = stubApiResponses({})
    const seen: Event = { ...createEvent('seen'), tags: ['12'], event_values: [name] }
    await act(async () => root.render(<ClipInfo event={seen} canDownload isShown />))
    expect(document.querySelectorAll('[aria-label="Is this label right?"]')).toHaveLength(1)
    expect(requests.filter(({ path }) => path.endsWith('/people'))).toEqual([])
  })
})

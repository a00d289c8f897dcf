import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Event } from '../../../../contract/events/events.ts'
import { removeEarlyStage, showEarlyStage } from '../../../../src/islands/events/parts/early-stage.ts'
import { $eventUrl } from '../../../../src/stores/events/event-url.ts'
import { DEFAULT_FILTER } from '../../../../src/domain/events/event-url.ts'

const EVENT: Event = {
  event_id: 'one',
  device_id: 'a',
  event_ts: Date.UTC(2026, 10, 20, 9, 41),
  tags: [],
  event_values: [],
  title: 'Person at the door',
  reviewed: true,
  event_resources: [],
}
const getColumn = () => document.querySelector('[data-column]')!
const listColumn = () => [...getColumn().children].map(({ className }) => className.split(' ')[0])

beforeEach(
  () => (document.body.innerHTML = '<div data-column class="flex max-lg:hidden"><div class="overview"></div></div>'),
)
afterEach(() => {
  removeEarlyStage()
  $eventUrl.set({ filter: DEFAULT_FILTER, open: null })
})

test('a video and its title appear above the overview before React renders, and only once', () => {
  const video = document.createElement('video')
  expect(showEarlyStage(EVENT, video)).not.toBeNull()
  // A double click.
  expect(showEarlyStage(EVENT, video)).not.toBeNull()
  expect(listColumn()).toEqual(['stage', 'overview'])
  expect(getColumn().querySelector('video')).toBe(video)
  expect([video.autoplay, video.getAttribute('aria-label')]).toEqual([true, 'Clip: Person at the door'])
  expect(getColumn().querySelector('h2')?.textContent).toBe('Person at the door')
})

test('an event without a stored clip shows its thumbnail', () => {
  void showEarlyStage(EVENT, null)
  expect(getColumn().querySelector('img')?.getAttribute('src')).toBe('/m/thumb/one')
})

test('another event replaces the first one', () => {
  void showEarlyStage(EVENT, document.createElement('video'))
  const video = document.createElement('video')
  void showEarlyStage({ ...EVENT, event_id: 'two' }, video)
  expect(listColumn()).toEqual(['stage', 'overview'])
  expect(getColumn().querySelector('video')).toBe(video)
})

test('in narrow windows, the column is visible while a stage is in it', () => {
  void showEarlyStage(EVENT, null)
  expect(getColumn().className).toBe('flex')
  removeEarlyStage()
  expect(getColumn().className).toBe('flex max-lg:hidden')
  void showEarlyStage(EVENT, null)
  $eventUrl.set({ filter: DEFAULT_FILTER, open: { eventId: 'one', deviceId: 'a' } })
  removeEarlyStage()
  expect(getColumn().className).toBe('flex')
})

test('an open clip is replaced by React alone', () => {
  getColumn().insertAdjacentHTML('afterbegin', '<section class="stage"></section>')
  expect(showEarlyStage(EVENT, document.createElement('video'))).toBeNull()
  expect(listColumn()).toEqual(['stage', 'overview'])
})

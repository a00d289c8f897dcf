// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { VISIT_GAP_MS } from '../../../contract/events/events.ts'
import { DAY_MS } from '../../../contract/time-units.ts'
import { showAllClips } from '../../../src/stores/events/visit-actions.ts'
import { $allClipsHomes, $showsAllClips, $visitGapMs } from '../../../src/stores/events/visits.ts'
import {
  $lacksZone,
  $zoneDismissals,
  dismissZoneSuggestion,
  loadHasZone,
} from '../../../src/stores/events/zone-suggestion.ts'
import { $homeId } from '../../../src/stores/home/devices.ts'
import { stubApiResponses } from '../../support/client.ts'

beforeEach(() => {
  $homeId.set('home_a')
  $allClipsHomes.set([])
  $zoneDismissals.set({})
  $lacksZone.set(new Map())
})
afterEach(() => {
  vi.useRealTimers()
})

test('“All clips” is stored for each home', () => {
  expect([$showsAllClips.get(), $visitGapMs.get()]).toEqual([false, VISIT_GAP_MS])
  showAllClips(true)
  showAllClips(true)
  expect([$showsAllClips.get(), $visitGapMs.get()]).toEqual([true, -Infinity])
  $homeId.set('home_b')
  expect($showsAllClips.get()).toBe(false)
  showAllClips(true)
  expect(JSON.parse(localStorage.getItem('allClips') ?? '')).toEqual(['home_a', 'home_b'])
  showAllClips(false)
  expect($showsAllClips.get()).toBe(false)
  $homeId.set('home_a')
  expect($showsAllClips.get()).toBe(true)
})

test('a dismissed suggestion of a motion zone stays away for 30 days', () => {
  vi.useFakeTimers({ now: 1_790_000_000_000 })
  dismissZoneSuggestion('street')
  expect($zoneDismissals.get()).toEqual({ street: 1_790_000_000_000 + 30 * DAY_MS })
})

test.each([
  [{ motion: true, sensitivity: 50, zones: [] }, true],
  [{ motion: false, sensitivity: 50, zones: [] }, false],
  [
    {
      motion: true,
      sensitivity: 50,
      zones: [
        [
          [0, 0],
          [1, 0],
          [1, 1],
        ],
      ],
    },
    false,
  ],
])('a camera with the settings %j lacks a motion zone: %s', async (settings, lacksZone) => {
  stubApiResponses({ 'camera-settings': { code: 200, data: settings } })
  await loadHasZone('street')
  expect($lacksZone.get().get('street')).toBe(lacksZone)
})

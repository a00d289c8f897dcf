// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import type { Event } from '../../../../contract/events/events.ts'
import { SyncedClips } from '../../../../src/islands/events/parts/SyncedClips.tsx'
import { $events } from '../../../../src/stores/events/events.ts'
import { $playhead } from '../../../../src/stores/events/timeline.ts'

const BEGIN_MS = Date.UTC(2026, 10, 1, 12)
const createEvent = (event_id: string, device_id: string): Event => ({
  event_id,
  device_id,
  event_ts: BEGIN_MS,
  tags: [],
  event_values: [],
  title: 'Motion',
  event_resources: [{ begin_time: BEGIN_MS, end_time: BEGIN_MS + 9000, resource_version: 1, resource_type: 's3' }],
  reviewed: true,
})

afterEach(() => {
  $playhead.set(null)
  $events.set({ state: 'loading' })
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('the clips of other cameras load when the open clip plays, not when its position appears', () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  vi.useFakeTimers()
  const play = vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(() => undefined)
  const [open, other] = [createEvent('a', 'door'), createEvent('b', 'yard')]
  $events.set({ state: 'ready', events: [open, other], isFilling: false, shortfall: null })
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  act(() => root.render(<SyncedClips event={open} />))
  expect(document.querySelectorAll('video')).toHaveLength(1)
  const movePlayhead = (second: number) => {
    $playhead.set(BEGIN_MS + second * 1000)
    vi.advanceTimersByTime(1000)
  }
  movePlayhead(0)
  expect(play).not.toHaveBeenCalled()
  movePlayhead(0.2)
  expect(play).toHaveBeenCalled()
  act(() => root.unmount())
})

import { expect, test } from 'vitest'
import type { Event } from '../../../../contract/events/events.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../contract/time-units.ts'
import { findBusyCamera } from '../../../../src/domain/events/busy-camera.ts'

const NOW = Math.floor(1_790_000_000_000 / HOUR_MS) * HOUR_MS

const createEvents = (device_id: string, count: number, hoursAgo: number): Event[] =>
  Array.from({ length: count }, (_, i) => ({
    event_id: `${device_id}${hoursAgo}-${i}`,
    device_id,
    event_ts: NOW - hoursAgo * HOUR_MS + i * MINUTE_MS,
    tags: ['4'],
    event_values: [],
    title: 'Motion',
    event_resources: [],
    reviewed: true,
  }))

test('a camera is busy with more than 20 clips in one hour', () => {
  expect(findBusyCamera(createEvents('street', 20, 2), ['street'], NOW)).toBeNull()
  expect(findBusyCamera(createEvents('street', 21, 2), ['street'], NOW)).toEqual({
    deviceId: 'street',
    clipsPerHour: 21,
  })
  expect(findBusyCamera([...createEvents('street', 50, 2), ...createEvents('street', 30, 5)], ['street'], NOW)).toEqual(
    {
      deviceId: 'street',
      clipsPerHour: 50,
    },
  )
  expect(
    findBusyCamera([...createEvents('street', 20, 2), ...createEvents('street', 20, 5)], ['street'], NOW),
  ).toBeNull()
})

test('the busiest of the given cameras counts, within the last 24 hours', () => {
  const events = [...createEvents('street', 30, 2), ...createEvents('door', 40, 3), ...createEvents('yard', 50, 4)]
  expect(findBusyCamera(events, ['street', 'door'], NOW)?.deviceId).toBe('door')
  expect(findBusyCamera(events, [], NOW)).toBeNull()
  expect(findBusyCamera(events, ['street', 'door'], NOW + DAY_MS)).toBeNull()
})

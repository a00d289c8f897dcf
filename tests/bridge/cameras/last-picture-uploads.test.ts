import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LastPictureUploads } from '../../../bridge/cameras/last-picture-uploads.ts'
import { DAY_MS, MINUTE_MS } from '../../../contract/time-units.ts'

let uploads: LastPictureUploads
let uploadCount = 0
let isWatched = false
beforeEach(() => {
  vi.useFakeTimers()
  uploadCount = 0
  isWatched = false
  uploads = new LastPictureUploads({
    store: () => {
      uploadCount += 1
      return Promise.resolve()
    },
    isWatched: () => isWatched,
  })
})
afterEach(() => {
  uploads.stop()
  vi.useRealTimers()
})

test('a camera that no one watches uploads its picture at the start and each hour', async () => {
  await uploads.start()
  expect(uploadCount).toBe(1)
  vi.advanceTimersByTime(DAY_MS)
  expect(uploadCount).toBe(25)
})

test('a camera uploads its picture within a minute after the last viewer has left', async () => {
  await uploads.start()
  isWatched = true
  vi.advanceTimersByTime(10 * MINUTE_MS)
  expect(uploadCount).toBe(1)
  isWatched = false
  vi.advanceTimersByTime(MINUTE_MS)
  expect(uploadCount).toBe(2)
  vi.advanceTimersByTime(59 * MINUTE_MS)
  expect(uploadCount).toBe(2)
  vi.advanceTimersByTime(MINUTE_MS)
  expect(uploadCount).toBe(3)
})

test('a camera uploads its picture immediately when it becomes live or stops sending, but only after the start', async () => {
  uploads.uploadIfStarted()
  expect(uploadCount).toBe(0)
  await uploads.start()
  uploads.uploadIfStarted()
  expect(uploadCount).toBe(2)
  uploads.stop()
  uploads.uploadIfStarted()
  vi.advanceTimersByTime(DAY_MS)
  expect(uploadCount).toBe(2)
})

test('a new start replaces the earlier one', async () => {
  await uploads.start()
  await uploads.start()
  vi.advanceTimersByTime(60 * MINUTE_MS)
  expect(uploadCount).toBe(3)
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PendingRequests } from '../../../../provider/bridge/pending-requests.ts'
import type { MotionPreviewResult } from '../../../../provider/bridge/motion-preview-result.ts'

const MOTION_PREVIEW_ANSWER = { state: 'tried' as const, since: 1, watched_ms: 2, events: [] }
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('each request gets the response with its own id, in any order', async () => {
  const previews = new PendingRequests<MotionPreviewResult>()
  const ids: string[] = []
  const requestPreview = () => previews.sendRequest((id) => Promise.resolve(ids.push(id) > 0))
  const answers = Promise.all([requestPreview(), requestPreview()])
  await vi.advanceTimersByTimeAsync(0)
  previews.handleResponse(ids[1] ?? '', { ...MOTION_PREVIEW_ANSWER, since: 9 })
  previews.handleResponse('unknown_id', MOTION_PREVIEW_ANSWER)
  previews.handleResponse(ids[0] ?? '', MOTION_PREVIEW_ANSWER)
  expect(await answers).toEqual([MOTION_PREVIEW_ANSWER, { ...MOTION_PREVIEW_ANSWER, since: 9 }])
})

test('a disconnected bridge or 8 s of silence also settles the request', async () => {
  const previews = new PendingRequests<MotionPreviewResult>()
  expect(await previews.sendRequest(() => Promise.resolve(false))).toEqual({ state: 'bridge_off' })
  const silent = previews.sendRequest(() => Promise.resolve(true))
  await vi.advanceTimersByTimeAsync(8000)
  expect(await silent).toEqual({ state: 'no_answer' })
  expect(vi.getTimerCount()).toBe(0)
})

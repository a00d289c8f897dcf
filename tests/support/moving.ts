import type { Locator } from 'playwright/test'
import { expect } from './e2e.ts'

/** Waits until the video's current time advances. A transport handover may reset that time without failing the wait. */
export async function expectPlaying(video: Locator): Promise<void> {
  let last = Infinity
  const hasAdvanced = async () => {
    const now = await video.evaluate((element: HTMLVideoElement) => element.currentTime)
    const moved = now > last
    last = now
    return moved
  }
  await expect.poll(hasAdvanced).toBe(true)
}

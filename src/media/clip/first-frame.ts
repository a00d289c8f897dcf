/**
 * Maximum wait, ms. The browser does not count layout changes within 500 ms of a click as layout shift, so the content
 * that waits renders well before.
 */
export const FIRST_FRAME_WAIT_MS = 300

/**
 * Calls `onDone` once: when the video has displayed a frame or failed, but no later than `maxMs`. Returns a cancel
 * function.
 */
export function waitForFirstFrame(
  video: HTMLVideoElement,
  onDone: () => void,
  maxMs = FIRST_FRAME_WAIT_MS,
): () => void {
  const events = new AbortController()
  const finish = () => {
    cancel()
    onDone()
  }
  let timer = setTimeout(finish, maxMs)
  // The callback runs before the paint of its frame, which work in the callback would delay.
  const onFrame = () => {
    clearTimeout(timer)
    timer = setTimeout(finish)
  }
  const frame = 'requestVideoFrameCallback' in video ? video.requestVideoFrameCallback(onFrame) : null
  video.addEventListener('error', finish, { signal: events.signal })
  if (frame === null) video.addEventListener('playing', finish, { signal: events.signal })
  function cancel(): void {
    clearTimeout(timer)
    events.abort()
    if (frame !== null) video.cancelVideoFrameCallback(frame)
  }
  return cancel
}

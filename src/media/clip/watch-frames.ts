interface FrameSize {
  readonly width: number
  readonly height: number
}

/**
 * Reports the clip time of each displayed frame, in seconds; returns an unsubscribe function. In browsers without
 * `requestVideoFrameCallback`, reports the playback position instead.
 */
export function watchFrames(video: HTMLVideoElement, onFrame: (second: number) => void): () => void {
  if (!('requestVideoFrameCallback' in video)) return watchPlaybackPosition(video, onFrame)
  let handle = 0
  const requestNext = () => {
    handle = video.requestVideoFrameCallback((_now, { mediaTime }) => {
      onFrame(mediaTime)
      requestNext()
    })
  }
  requestNext()
  // Reports the current position, because the browser does not report a frame displayed before this call.
  onFrame(video.currentTime)
  return () => video.cancelVideoFrameCallback(handle)
}

function watchPlaybackPosition(video: HTMLVideoElement, onFrame: (second: number) => void): () => void {
  let handle = 0
  let last = NaN
  const tick = () => {
    handle = requestAnimationFrame(tick)
    if (video.currentTime === last) return
    last = video.currentTime
    onFrame(last)
  }
  tick()
  return () => cancelAnimationFrame(handle)
}

/** Returns the rectangle that an image with `object-fit: contain` fills in a box of size `frame`, in the same unit. */
export function getContainedRect(
  frame: FrameSize,
  image: FrameSize,
): { left: number; top: number; width: number; height: number } {
  const scale = Math.min(frame.width / image.width, frame.height / image.height)
  const [width, height] = [image.width * scale, image.height * scale]
  return { left: (frame.width - width) / 2, top: (frame.height - height) / 2, width, height }
}

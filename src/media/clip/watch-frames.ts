interface Size {
  readonly width: number
  readonly height: number
}

/**
 * Reports the clip time of each displayed frame, in seconds; returns an unsubscribe function. In browsers without
 * `requestVideoFrameCallback`, reports the playback position instead.
 */
export function watchFrames(video: HTMLVideoElement, show: (second: number) => void): () => void {
  if (!('requestVideoFrameCallback' in video)) return watchClock(video, show)
  let handle = 0
  const next = () => {
    handle = video.requestVideoFrameCallback((_now, { mediaTime }) => {
      show(mediaTime)
      next()
    })
  }
  next()
  // Reports the current position, because the browser does not report a frame displayed before this call.
  show(video.currentTime)
  return () => video.cancelVideoFrameCallback(handle)
}

function watchClock(video: HTMLVideoElement, show: (second: number) => void): () => void {
  let handle = 0
  let last = NaN
  const tick = () => {
    handle = requestAnimationFrame(tick)
    if (video.currentTime === last) return
    last = video.currentTime
    show(last)
  }
  tick()
  return () => cancelAnimationFrame(handle)
}

/**
 * Returns the rectangle that an image occupies in its frame if it is shown whole (`object-fit: contain`), in the
 * frame's pixels.
 */
export function containedIn(frame: Size, picture: Size): { left: number; top: number; width: number; height: number } {
  const scale = Math.min(frame.width / picture.width, frame.height / picture.height)
  const [width, height] = [picture.width * scale, picture.height * scale]
  return { left: (frame.width - width) / 2, top: (frame.height - height) / 2, width, height }
}

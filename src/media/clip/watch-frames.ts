interface Size {
  readonly width: number
  readonly height: number
}

/**
 * Reports the clip second of each shown frame; returns an unsubscribe function. Without `requestVideoFrameCallback`, it
 * reports the playback position.
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
  // The browser does not report a frame that was shown before this call.
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

/** Returns the rectangle of an image shown whole (`object-fit: contain`) in its frame, in the frame's pixels. */
export function containedIn(frame: Size, picture: Size): { left: number; top: number; width: number; height: number } {
  const scale = Math.min(frame.width / picture.width, frame.height / picture.height)
  const [width, height] = [picture.width * scale, picture.height * scale]
  return { left: (frame.width - width) / 2, top: (frame.height - height) / 2, width, height }
}

/** A size in pixels. */
interface Size {
  readonly width: number
  readonly height: number
}

/**
 * Tells the second of the clip of each picture that is shown, until the returned function is called. Where the browser does not say
 * which picture that is, it is where the playback stands.
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
  // A picture that stood here before anybody watched is not told of any more.
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

/** Where a picture that is shown whole (`object-fit: contain`) lies in its frame, in the frame's pixels. */
export function containedIn(frame: Size, picture: Size): { left: number; top: number; width: number; height: number } {
  const scale = Math.min(frame.width / picture.width, frame.height / picture.height)
  const [width, height] = [picture.width * scale, picture.height * scale]
  return { left: (frame.width - width) / 2, top: (frame.height - height) / 2, width, height }
}

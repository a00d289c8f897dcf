/**
 * Elements of one camera. The container holds, from bottom to top, the image with the last picture, `still` with the
 * last played frame or snapshot, and `video`.
 */
export interface LiveViewElements {
  readonly container: HTMLElement
  readonly still: HTMLCanvasElement
  readonly video: HTMLVideoElement
}

/** The image is hidden until it has an address, because browsers draw a border around an image without one. */
const LIVE_VIEW_HTML =
  '<img hidden alt="" decoding="async" draggable="false"><canvas width="0" height="0" aria-hidden="true"></canvas>' +
  '<video muted playsinline autoplay disableremoteplayback></video>'

/**
 * Time that a video has to show a frame before its camera's last picture loads, ms. Loading the pictures earlier would
 * delay the videos.
 */
const PICTURE_DELAY_MS = 300

/**
 * Creates the elements of one camera. The video keeps playing when the container moves in the DOM. `lastPictureUrl`:
 * URL of the last picture, which loads immediately if the document has already requested it.
 */
export function createLiveView(lastPictureUrl: string): LiveViewElements {
  const container = document.createElement('div')
  container.className = 'live-picture'
  container.innerHTML = LIVE_VIEW_HTML
  const [image, still, video] = container.children as unknown as [HTMLImageElement, HTMLCanvasElement, HTMLVideoElement]
  image.onerror = () => image.remove()
  const loadImage = () => {
    if (video.videoWidth) return
    image.src = lastPictureUrl
    image.hidden = false
  }
  if (window.pictures?.some(({ src }) => src.endsWith(lastPictureUrl))) loadImage()
  else setTimeout(loadImage, PICTURE_DELAY_MS)
  return { container: container, still, video }
}

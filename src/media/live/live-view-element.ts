/**
 * Elements of one camera. From bottom to top, they show the last picture, the last played frame, and the live video.
 */
export interface LiveViewElements {
  readonly box: HTMLElement
  readonly still: HTMLCanvasElement
  readonly video: HTMLVideoElement
}

const MARKUP =
  '<img alt="" decoding="async" draggable="false"><canvas width="0" height="0" aria-hidden="true"></canvas>' +
  '<video muted playsinline autoplay disableremoteplayback></video>'

/**
 * Creates the elements, once per camera. The video keeps playing while they are moved. `last`: URL of the last picture.
 */
export function makePicture(last: string): LiveViewElements {
  const box = document.createElement('div')
  box.className = 'live-picture'
  box.innerHTML = MARKUP
  const [image, still, video] = box.children as unknown as [HTMLImageElement, HTMLCanvasElement, HTMLVideoElement]
  image.onerror = () => image.remove()
  image.src = last
  return { box, still, video }
}

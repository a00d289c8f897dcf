/** What shows one camera: the last known picture, over it the frame that playing ended with, over that the live one. */
export interface Picture {
  readonly box: HTMLElement
  readonly still: HTMLCanvasElement
  readonly video: HTMLVideoElement
}

const MARKUP =
  '<img alt="" decoding="async" draggable="false"><canvas width="0" height="0" aria-hidden="true"></canvas>' +
  '<video muted playsinline autoplay disableremoteplayback></video>'

/** Made once for a camera and moved from place to place, so that it plays on. `last`: address of the last picture. */
export function makePicture(last: string): Picture {
  const box = document.createElement('div')
  box.className = 'live-picture'
  box.innerHTML = MARKUP
  const [image, still, video] = box.children as unknown as [HTMLImageElement, HTMLCanvasElement, HTMLVideoElement]
  image.onerror = () => image.remove()
  image.src = last
  return { box, still, video }
}

import type { LiveViewElements } from './live-view-element.ts'

const JPEG_QUALITY = 0.95

/**
 * Returns the current video frame of a camera in its original size, as JPEG; while no video plays, the last frame or
 * snapshot. Rejects if there is none, or if the browser cannot encode it.
 */
export async function captureFrame({ video, still }: LiveViewElements): Promise<Blob> {
  if (video.dataset['shown'] === 'true' && video.readyState >= video.HAVE_CURRENT_DATA && video.videoWidth > 0)
    return captureVideo(video)
  return encodeJpeg(still, still.width, still.height)
}

/**
 * Returns the current frame of a clip or live video, as JPEG in its original size. Rejects if there is no frame, or if
 * the browser cannot encode it.
 */
export async function captureVideo(video: HTMLVideoElement): Promise<Blob> {
  return encodeJpeg(video, video.videoWidth, video.videoHeight)
}

function encodeJpeg(source: CanvasImageSource, width: number, height: number): Promise<Blob> {
  if (width === 0 || height === 0) throw new Error('The source has no frame yet.')
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  canvas.getContext('2d')?.drawImage(source, 0, 0)
  return new Promise((resolve, reject) => {
    const handleBlob = (blob: Blob | null) => (blob ? resolve(blob) : reject(new Error('JPEG encoding failed.')))
    canvas.toBlob(handleBlob, 'image/jpeg', JPEG_QUALITY)
  })
}

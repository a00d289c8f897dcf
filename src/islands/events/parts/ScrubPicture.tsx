import { useEffect, useRef } from 'react'
import { durationLabel } from '../../../domain/time/date-formats.ts'
import { ClipFramePreview } from '../../../media/clip/scrub-preview.ts'

interface ScrubPictureProps {
  readonly url: string
  /**
   * Position under the pointer, in seconds of the clip; null while the pointer is outside the track. The preview then
   * stays mounted but hidden, for reuse.
   */
  readonly second: number | null
  /** Position under the pointer, as a share of the track, 0 to 1. */
  readonly share: number
}

/** Preview of the frame at the position under the pointer, shown above the track. */
export function ScrubPicture({ url, second, share }: ScrubPictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const framePreview = useRef<ClipFramePreview | null>(null)
  useEffect(() => {
    if (!canvas.current) return
    const preview = new ClipFramePreview(url, canvas.current)
    framePreview.current = preview
    return () => preview.close()
  }, [url])
  useEffect(() => {
    if (second !== null) framePreview.current?.show(second)
  }, [second, url])
  return (
    <div
      aria-hidden
      hidden={second === null}
      className="scrub-picture"
      style={{ left: `clamp(80px, ${share * 100}%, calc(100% - 80px))` }}
    >
      <canvas ref={canvas} width={320} height={180} />
      <p>{durationLabel((second ?? 0) * 1000)}</p>
    </div>
  )
}

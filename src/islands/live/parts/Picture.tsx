import { useEffect, useRef, useState, type RefObject } from 'react'
import type { Phase } from '../../../media/tile-machine.ts'

interface Props {
  deviceId: string
  nickname: string
  phase: Phase
  video: RefObject<HTMLVideoElement | null>
}

/** The last known picture first, the live one over it as soon as there is one; when that ends, its last frame stays. */
export function Picture({ deviceId, nickname, phase, video }: Props) {
  const still = useRef<HTMLCanvasElement>(null)
  const [hasPicture, setHasPicture] = useState(true)
  const isShown = phase === 'playing' || phase === 'stalled'
  useEffect(() => {
    const [element, canvas] = [video.current, still.current]
    if (!isShown || !element || !canvas) return
    return () => keepFrame(element, canvas)
  }, [isShown, video])
  return (
    <div className="live-picture">
      {hasPicture && (
        <img
          src={`/m/last/${deviceId}`}
          alt=""
          decoding="async"
          draggable={false}
          onError={() => setHasPicture(false)}
        />
      )}
      <canvas ref={still} width="0" height="0" aria-hidden="true" />
      <video
        ref={video}
        data-shown={isShown}
        muted
        playsInline
        autoPlay
        disableRemotePlayback
        aria-label={`${nickname}, live picture`}
      />
    </div>
  )
}

function keepFrame(video: HTMLVideoElement, canvas: HTMLCanvasElement): void {
  if (video.videoWidth === 0) return
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  canvas.getContext('2d')?.drawImage(video, 0, 0)
}

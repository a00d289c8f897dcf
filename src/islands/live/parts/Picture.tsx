import { Suspense, useState, type RefObject } from 'react'
import type { Phase } from '../../../media/tile-machine.ts'
import { Inset } from './lazy.ts'

interface Props {
  deviceId: string
  nickname: string
  phase: Phase
  video: RefObject<HTMLVideoElement | null>
  still: RefObject<HTMLCanvasElement | null>
}

/** The last known picture first, the live one over it as soon as there is one; when that ends, its last frame stays. */
export function Picture({ deviceId, nickname, phase, video, still }: Props) {
  const [hasPicture, setHasPicture] = useState(true)
  return (
    <>
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
          data-shown={phase === 'playing'}
          muted
          playsInline
          autoPlay
          disableRemotePlayback
          aria-label={`${nickname}, live picture`}
        />
      </div>
      <Suspense>{phase === 'playing' && <Inset deviceId={deviceId} nickname={nickname} />}</Suspense>
    </>
  )
}

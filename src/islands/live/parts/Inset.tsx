import { useStore } from '@nanostores/react'
import ArrowUpDown from 'lucide-react/icons/arrow-up-down'
import { useEffect, useRef } from 'react'
import { $streams } from '../../../stores/live-streams.ts'
import { swapPictures } from '../../../stores/live-swap.ts'
import { attachInset } from '../../../stores/live-tiles.ts'

interface Props {
  deviceId: string
  nickname: string
}

/** The second picture of a dual camera, in the corner of the first. */
export function Inset(props: Props) {
  const stream = useStore($streams, { keys: [props.deviceId], deps: [props.deviceId] })[props.deviceId]
  return stream?.dual ? <SecondPicture {...props} /> : null
}

function SecondPicture({ deviceId, nickname }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    attachInset(deviceId, video.current)
    return () => attachInset(deviceId, null)
  }, [deviceId])
  return (
    <div className="live-inset">
      <video
        ref={video}
        muted
        playsInline
        autoPlay
        disableRemotePlayback
        disablePictureInPicture
        aria-label={`${nickname}, second live picture`}
      />
      <button
        type="button"
        className="tile-btn live-swap"
        aria-label={`${nickname}: swap the two pictures`}
        title="Swap the two pictures"
        onClick={() => void swapPictures(deviceId)}
      >
        <ArrowUpDown size={16} aria-hidden="true" />
      </button>
    </div>
  )
}

import { useStore } from '@nanostores/react'
import ArrowUpDown from 'lucide-react/icons/arrow-up-down'
import { useEffect, useRef, useState } from 'react'
import { $streams } from '../../../stores/live/live-streams.ts'
import { swapPictures } from '../../../stores/live/live-swap.ts'
import { attachInset } from '../../../stores/live/live-tiles.ts'

interface Props {
  deviceId: string
  nickname: string
}

/** The second picture of a dual camera, in the corner of the first; where it does not come the button stays. */
export function Inset(props: Props) {
  const stream = useStore($streams, { keys: [props.deviceId], deps: [props.deviceId] })[props.deviceId]
  return stream?.dual ? <SecondPicture {...props} /> : null
}

function SecondPicture({ deviceId, nickname }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  const [isShown, setIsShown] = useState(false)
  useEffect(() => {
    attachInset(deviceId, video.current)
    return () => attachInset(deviceId, null)
  }, [deviceId])
  return (
    <div className="live-inset" data-shown={isShown}>
      <video
        ref={video}
        muted
        playsInline
        autoPlay
        disableRemotePlayback
        disablePictureInPicture
        onLoadedData={() => setIsShown(true)}
        onEmptied={() => setIsShown(false)}
        aria-label={`${nickname}, second live picture`}
      />
      <button
        type="button"
        className="live-swap"
        aria-label={`${nickname}: swap the two pictures`}
        title="Swap the two pictures"
        onClick={() => void swapPictures(deviceId)}
      >
        <ArrowUpDown size={16} aria-hidden="true" />
      </button>
    </div>
  )
}

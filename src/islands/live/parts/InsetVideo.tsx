import { useStore } from '@nanostores/react'
import ArrowUpDown from 'lucide-react/icons/arrow-up-down'
import { useEffect, useRef, useState } from 'react'
import { OWNER_ROLE } from '../../../../contract/auth/roles.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { $singleCameraId } from '../../../stores/live/live-layout.ts'
import { $streams } from '../../../stores/live/stream-tickets.ts'
import { swapLenses } from '../../../stores/live/swap-lenses.ts'
import { attachInset } from '../../../stores/live/live-tiles.ts'

interface InsetVideoProps {
  camera: Device
  /** True for the inset in the large video of the open camera, false for the inset in its tile. */
  isOpen?: boolean
}

/**
 * Inset video of a dual-lens camera. If no video arrives, the owner still sees the button that swaps the two lenses.
 */
export function InsetVideo({ camera, isOpen = false }: InsetVideoProps) {
  const { device_id } = camera
  const isInsetHere = (useStore($singleCameraId) === device_id) === isOpen
  const stream = useStore($streams, { keys: [device_id], deps: [device_id] })[device_id]
  return stream?.dual && isInsetHere ? <SecondLensVideo camera={camera} /> : null
}

function SecondLensVideo({ camera: { device_id: deviceId, nickname, user_role } }: InsetVideoProps) {
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
        aria-label={`${nickname}, second lens`}
      />
      {user_role === OWNER_ROLE && (
        <button
          type="button"
          className="live-swap"
          aria-label={`${nickname}: swap lenses`}
          title="Swap lenses"
          onClick={() => void swapLenses(deviceId)}
        >
          <ArrowUpDown size={16} aria-hidden="true" />
        </button>
      )}
    </div>
  )
}

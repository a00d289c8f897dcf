import { NoCamera } from '../../../ui/NoCamera.tsx'

/** /live of a home without cameras. */
export function EmptyHome() {
  return (
    <div className="live-note">
      <NoCamera as="h2">
        Add one with its address: any camera that speaks RTSP, as almost all network cameras do. Its live picture
        appears here by itself.
      </NoCamera>
    </div>
  )
}

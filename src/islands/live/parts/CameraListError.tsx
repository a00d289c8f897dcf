import { BRAND_NAME } from '../../../../contract/brand.ts'
import { loadDevices } from '../../../stores/home/devices.ts'

/** Error shown when the camera list did not load. The store retries automatically; the button retries immediately. */
export function CameraListError({ msg }: { msg: string }) {
  return (
    <div className="live-note" role="alert">
      <h2>We couldn’t load your cameras</h2>
      <p>{msg || `Can’t reach ${BRAND_NAME}. Retrying…`}</p>
      <button type="button" className="btn btn-dark" onClick={() => void loadDevices()}>
        Try again
      </button>
    </div>
  )
}

import { BRAND_NAME } from '../../../../contract/brand.ts'
import { loadDevices } from '../../../stores/home/devices.ts'

/** Error shown when the camera list did not load. The store retries automatically; the button retries immediately. */
export function CameraListError({ msg }: { msg: string }) {
  return (
    <div className="live-note" role="alert">
      <h2>The list of cameras did not arrive</h2>
      <p>{msg || `${BRAND_NAME} does not answer. It is asked again every second.`}</p>
      <button type="button" className="btn btn-dark" onClick={() => void loadDevices()}>
        Try again
      </button>
    </div>
  )
}

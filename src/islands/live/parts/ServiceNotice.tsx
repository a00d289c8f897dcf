import { useStore } from '@nanostores/react'
import { BRAND_NAME } from '../../../../contract/brand.ts'
import { $gridCameras } from '../../../stores/live/live-page.ts'
import { $tiles, getTileState, retryCamera } from '../../../stores/live/live-tiles.ts'

/** One message for all tiles that cannot reach the provider. These tiles show only their dimmed last frame. */
export function ServiceNotice() {
  const tiles = useStore($tiles)
  const ids = useStore($gridCameras).flatMap(({ device_id }) => {
    const { phase, reason } = getTileState(tiles, device_id)
    return phase === 'failed' && reason === 'no-service' ? [device_id] : []
  })
  return (
    <div className="live-service" role="status">
      {ids.length > 0 && (
        <>
          <span>Can’t reach {BRAND_NAME}. Retrying…</span>
          <button type="button" className="btn btn-sm btn-dark" onClick={() => ids.forEach(retryCamera)}>
            Try again
          </button>
        </>
      )}
    </div>
  )
}

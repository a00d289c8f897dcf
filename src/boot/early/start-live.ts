import { $devices } from '../../stores/home/devices.ts'
import { $isFirstScreenPlaying, openLivePage, $gridCameras } from '../../stores/live/live-page.ts'
import '../session/api-client.ts'
import { $layout } from '../../stores/live/live-layout.ts'
import { loadTileLayout, placeAllTiles } from '../../stores/live/load-tile-layout.ts'
import { getLiveView } from '../../stores/live/live-tiles.ts'

/**
 * Starts the video of /live once the current user is known: cameras connect while React still loads. React waits until
 * the visible cameras play, but at most 700 ms (boot/session/session-directive.ts), and not at all if no camera is awake.
 */
export function startLive(): void {
  addEventListener('porchlight:session', openLivePage, { once: true })
  syncEarlyTiles()
  const dispatchPicturesEvent = () => dispatchEvent(new Event('porchlight:pictures'))
  $isFirstScreenPlaying.listen((isPlaying) => isPlaying && dispatchPicturesEvent())
  $devices.listen(
    (list) => 'devices' in list && !list.devices.some(({ state }) => state === 'awake') && dispatchPicturesEvent(),
  )
}

/**
 * Keeps the tiles that the document has drawn up to date until React renders, and puts last pictures and videos into
 * them.
 */
function syncEarlyTiles(): void {
  loadTileLayout()
  $gridCameras.subscribe((cameras) => {
    window.fillTiles?.(cameras, $layout.get())
    for (const [index, tile] of document.querySelectorAll('.live-grid > .skeleton').entries()) {
      const camera = cameras[index]
      const container = camera && getLiveView(camera.device_id).container
      if (container && container.parentNode !== tile) tile.prepend(container)
    }
    placeAllTiles()
  })
}

import { $devices } from '../../stores/home/devices.ts'
import { $isFirstScreenPlaying, openLivePage, $gridCameras } from '../../stores/live/live-page.ts'
import '../session/api-client.ts'
import { $layout } from '../../stores/live/live-layout.ts'
import { loadTileLayout, placeAllTiles } from '../../stores/live/load-tile-layout.ts'
import { getLiveView } from '../../stores/live/live-tiles.ts'

const VIDEO_TIMEOUT_MS = 700

/**
 * Starts the video of /live once the current user is known: cameras connect while React still loads. React and the
 * deferred tasks wait for `window.firstScreen`: until the visible cameras play, but at most `VIDEO_TIMEOUT_MS`, and not
 * at all if no camera is awake.
 */
export function startLive(): void {
  window.firstScreen = new Promise((resolve) => {
    const open = () => {
      setTimeout(resolve, VIDEO_TIMEOUT_MS)
      openLivePage()
    }
    addEventListener('porchlight:session', open, { once: true })
    $isFirstScreenPlaying.listen((isPlaying) => isPlaying && resolve())
    $devices.listen((list) => 'devices' in list && !list.devices.some(({ state }) => state === 'awake') && resolve())
  })
  syncEarlyTiles()
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

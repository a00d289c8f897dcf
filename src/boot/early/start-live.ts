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
addEventListener('porchlight:session', openLivePage, { once: true })
syncEarlyTiles()
const dispatchPicturesEvent = () => dispatchEvent(new Event('porchlight:pictures'))
$isFirstScreenPlaying.listen((isPlaying) => isPlaying && dispatchPicturesEvent())
$devices.listen(
  (list) => 'devices' in list && !list.devices.some(({ state }) => state === 'awake') && dispatchPicturesEvent(),
)

/**
 * Puts names and last pictures of cameras into the placeholders of /live before React renders. `TileSkeletons` in
 * Live.tsx keeps this content. Does nothing if React has already rendered.
 */
function syncEarlyTiles(): void {
  loadTileLayout()
  $gridCameras.subscribe((cameras) => {
    const grid = document.querySelector<HTMLElement>('.live-grid:has(> .skeleton)')
    if (!grid || cameras.length === 0) return
    grid.dataset['layout'] = $layout.get()
    for (const [index, placeholder] of [...grid.querySelectorAll('li')].entries()) {
      const camera = cameras[index]
      placeholder.hidden = !camera
      if (!camera) continue
      placeholder.innerHTML = '<div class="tile-bottom"><div class="live-caption"><h2 class="tile-name">'
      placeholder.querySelector('h2')!.textContent = camera.nickname
      placeholder.prepend(getLiveView(camera.device_id).container)
      placeholder.dataset['camera'] = camera.device_id
    }
    placeAllTiles()
  })
}

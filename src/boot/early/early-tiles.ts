import { $layout } from '../../stores/live/live-layout.ts'
import { loadTileLayout, placeAll } from '../../stores/live/load-tile-layout.ts'
import { $gridCameras } from '../../stores/live/live-page.ts'
import { getPicture } from '../../stores/live/live-tiles.ts'

/**
 * Puts names and last pictures of cameras into the placeholders of /live before React renders: `Skeletons` of Live.tsx
 * keeps existing content. Does nothing if React was first.
 */
export function syncEarlyTiles(): void {
  loadTileLayout()
  $gridCameras.subscribe((cameras) => {
    const grid = document.querySelector<HTMLElement>('.live-grid:has(> .skeleton)')
    if (!grid || cameras.length === 0) return
    grid.dataset['layout'] = $layout.get()
    for (const [index, place] of [...grid.querySelectorAll('li')].entries()) {
      const camera = cameras[index]
      place.hidden = !camera
      if (!camera) continue
      place.innerHTML = '<div class="tile-bottom"><div class="live-caption"><h2 class="tile-name">'
      place.querySelector('h2')!.textContent = camera.nickname
      place.prepend(getPicture(camera.device_id).box)
      place.dataset['camera'] = camera.device_id
    }
    placeAll()
  })
}

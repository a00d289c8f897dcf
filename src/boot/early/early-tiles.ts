import { $layout } from '../../stores/live/live-layout.ts'
import { loadTileLayout, placeAllTiles } from '../../stores/live/load-tile-layout.ts'
import { $gridCameras } from '../../stores/live/live-page.ts'
import { getLiveView } from '../../stores/live/live-tiles.ts'

/**
 * Puts names and last pictures of cameras into the placeholders of /live before React renders. `Skeletons` in Live.tsx
 * keeps this content. Does nothing if React has already rendered.
 */
export function syncEarlyTiles(): void {
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

import type { getHomeDevices } from '../../../contract/cameras/devices.ts'
import type { ResponseOf } from '../../../contract/wire/call.ts'
import type { AnyEarlyRequest, EarlyRequest } from '../early-request.ts'
import { showPageOfUser } from '../show-page.ts'
import { devices, type DevicesSubject } from './devices.ts'

interface TileConstants {
  readonly fillTiles: typeof fillTiles
  readonly showPageOfUser: typeof showPageOfUser
}

type DeviceList = NonNullable<ResponseOf<typeof getHomeDevices>['data']>

/**
 * Early request for the cameras of /live. Its response fills the placeholders of the tiles with names. The first
 * camera's last picture is the largest image of the first screen.
 */
const devicesWithTiles: EarlyRequest<typeof getHomeDevices, DevicesSubject, TileConstants, DeviceList> = {
  ...devices,
  fixed: { fillTiles, showPageOfUser },
  sent: ({ fillTiles, showPageOfUser }) => {
    window.fillTiles = fillTiles
    showPageOfUser()
    // The first link is the layout code (scripts/lib/module-preload.ts).
    const link = document.querySelector<HTMLLinkElement>('link[rel=modulepreload]')
    if (link && matchMedia(link.media).matches)
      document.head.append(Object.assign(document.createElement('script'), { type: 'module', src: link.href }))
  },
  answered: drawEarlyTiles,
  pictures: ({ device_list: [first] }) => (first ? [`/m/last/${first.device_id}`] : []),
}
export const LIVE_DEVICES: AnyEarlyRequest = devicesWithTiles

/**
 * Fills the tiles, unless the URL or a stored choice selects other cameras or another order.
 * boot/early/start-live.ts fills those. The names of stored choices never change.
 */
function drawEarlyTiles({ device_list, sort_type, sort_direction }: DeviceList): void {
  const layout = localStorage.getItem('liveLayout') ?? 'automatic'
  const choices = location.search + layout + localStorage.getItem('filterCamerasStore')
  if (sort_type || sort_direction || /[?&](camera|wall)|four|nine|"/.test(choices)) return
  const draw = () => {
    window.fillTiles?.(
      device_list.toSorted((a, b) => a.device_order - b.device_order),
      layout,
    )
    window.placeTiles?.()
  }
  if (document.readyState === 'loading') document.addEventListener('readystatechange', draw, { once: true })
  else draw()
}

/**
 * Puts the names of cameras into the placeholders of the tiles. React's `TileSkeletons` keeps this content. Does nothing
 * if React has already rendered the tiles.
 */
function fillTiles(
  cameras: readonly { readonly device_id: string; readonly nickname: string }[],
  layout: string,
): void {
  const grid = document.querySelector<HTMLElement>('.live-grid:has(> .skeleton)')
  if (!grid || cameras.length === 0) return
  grid.dataset['layout'] = layout
  for (const [index, tile] of ([...grid.children] as HTMLElement[]).entries()) {
    const camera = cameras[index]
    tile.hidden = !camera
    if (!camera) continue
    // A tile of the same camera keeps its video.
    if (tile.dataset['camera'] !== camera.device_id)
      tile.innerHTML = '<div class="tile-bottom"><div class="live-caption"><h2 class="tile-name">'
    const name = tile.querySelector('h2')!
    if (name.textContent !== camera.nickname) name.textContent = camera.nickname
    tile.dataset['camera'] = camera.device_id
  }
}

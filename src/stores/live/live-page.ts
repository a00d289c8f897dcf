import { atom, computed } from 'nanostores'
import { hasLiveVideo } from '../../domain/live/has-live-video.ts'
import { needsHelp } from '../../media/live/tile-state-machine.ts'
import { $devices, loadDevices, updateCameraState, reloadDevices, type Device } from '../home/devices.ts'
import { onFeed, openFeed } from '../home/feed.ts'
import { $alone, $chosenCameras, $layout } from './live-layout.ts'
import { $tiles, expectCameras, watchPage, hearCamera, retainCameras, getTile } from './live-tiles.ts'
import { setLive } from './connection-results.ts'

export type Filter = 'all' | 'help'

/**
 * Maximum number of tiles that any layout shows without scrolling. Their cameras start before the page has rendered the
 * tiles.
 */
const AT_ONCE = 6
const RELOAD_MS = 1000
/** Maximum time that the feed waits for the first frame before it opens, ms. */
const FEED_LATEST_MS = 1000

export const $liveFilter = atom<Filter>('all')

export const $liveCameras = computed($devices, (devices): readonly Device[] =>
  'devices' in devices ? devices.devices : [],
)
export const $playing = computed(
  [$liveCameras, $tiles],
  (cameras, tiles) => cameras.filter(({ device_id }) => getTile(tiles, device_id).phase === 'playing').length,
)
/** Number of live cameras: playing, or ready to play while their tile is off screen. */
export const $liveCount = computed(
  [$liveCameras, $tiles],
  (cameras, tiles) =>
    cameras.filter(({ device_id, state }) => {
      const { phase } = getTile(tiles, device_id)
      return phase === 'playing' || (phase === 'idle' && state === 'awake')
    }).length,
)
/** Ids of the cameras that need help. For a tile that was never on screen, the state in the camera list counts. */
const $helpIds = computed([$liveCameras, $tiles], (cameras, tiles) =>
  cameras
    .filter((camera) => {
      const { device_id, state } = camera
      const tile = getTile(tiles, device_id)
      if (tile.reason === 'no-stream' && !hasLiveVideo(camera)) return false
      return tile.phase === 'idle' ? state === 'offline' || state === 'bridge_off' : needsHelp(tile)
    })
    .map(({ device_id }) => device_id)
    .join(' '),
)
export const $needHelp = computed($helpIds, (ids) => (ids === '' ? [] : ids.split(' ')))

export const $listed = computed([$liveCameras, $chosenCameras], (cameras, chosen) => {
  const listed = cameras.filter(({ device_id }) => chosen.includes(device_id))
  return listed.length > 0 ? listed : cameras
})
/** Cameras in the grid. The filter does not hide the camera that is shown alone. */
export const $gridCameras = computed(
  [$liveCameras, $listed, $liveFilter, $needHelp, $layout, $alone],
  (cameras, listed, filter, helpless, layout, alone) => {
    const filtered = filter === 'help' ? cameras.filter(({ device_id }) => helpless.includes(device_id)) : listed
    const camera = cameras.find(({ device_id }) => device_id === alone) ?? filtered[0]
    return layout === 'one' && camera ? [camera] : filtered
  },
)

let opened = false

/**
 * Starts the page: camera list, first cameras, home feed. Can run before anything is rendered; a second call does
 * nothing.
 */
export function openLive(): void {
  if (opened) return
  opened = true
  watchPage()
  $liveCameras.subscribe((cameras) => {
    const ids = cameras.map(({ device_id }) => device_id)
    setLive(ids)
    retainCameras(ids)
    expectCameras(
      $gridCameras
        .get()
        .slice(0, AT_ONCE)
        .map(({ device_id }) => device_id),
    )
  })
  void retryLoading()
  hearFeed()
}

async function retryLoading(load = loadDevices): Promise<void> {
  if (!(await load())) setTimeout(() => void retryLoading(load), RELOAD_MS)
}

function hearFeed(): void {
  onFeed((message) => {
    if (message.type === 'camera-state') {
      updateCameraState(message.device_id, message.state, message.reason, message.since)
      hearCamera(message.device_id, message)
    }
    // Reload on `hello` too: the feed opens after the list has loaded, so changes made in between appear in neither.
    if (message.type === 'access' || message.type === 'hello') void retryLoading(reloadDevices)
  })
  void firstPicture().then(openFeed)
}

/**
 * Resolves at the first frame, or after a maximum wait. Sockets to one server open one after the other, and those of
 * the cameras should open first.
 */
function firstPicture(): Promise<void> {
  return new Promise((resolve) => {
    const stop = $playing.listen(done)
    const timer = setTimeout(done, FEED_LATEST_MS)
    function done() {
      clearTimeout(timer)
      stop()
      resolve()
    }
  })
}

import { atom, computed } from 'nanostores'
import { hasLivePicture } from '../../domain/live/has-live-video.ts'
import { needsHelp } from '../../media/live/tile-state-machine.ts'
import { $devices, loadDevices, updateCameraState, reloadDevices, type Device } from '../home/devices.ts'
import { onFeed, openFeed } from '../home/feed.ts'
import { $alone, $chosenCameras, $layout } from './live-layout.ts'
import { $tiles, expectCameras, watchPage, hearCamera, retainCameras, getTile } from './live-tiles.ts'
import { setLive } from './connection-results.ts'

export type Filter = 'all' | 'help'

/** Tiles that any layout shows without scrolling: they start before the page has drawn them. */
const AT_ONCE = 6
const RELOAD_MS = 1000
/** The feed waits for the first picture, yet not longer than this. */
const FEED_LATEST_MS = 1000

export const $filter = atom<Filter>('all')

/** The listed cameras, empty while none is known. */
export const $cameras = computed($devices, (devices): readonly Device[] =>
  'devices' in devices ? devices.devices : [],
)
/** How many pictures are on the screen. */
export const $playing = computed(
  [$cameras, $tiles],
  (cameras, tiles) => cameras.filter(({ device_id }) => getTile(tiles, device_id).phase === 'playing').length,
)
/** How many cameras are live: playing, or ready to while their tile is out of sight. */
export const $liveCount = computed(
  [$cameras, $tiles],
  (cameras, tiles) =>
    cameras.filter(({ device_id, state }) => {
      const { phase } = getTile(tiles, device_id)
      return phase === 'playing' || (phase === 'idle' && state === 'awake')
    }).length,
)
/** A tile that was never on the screen knows nothing; then what the list said of the camera counts. */
const $helpIds = computed([$cameras, $tiles], (cameras, tiles) =>
  cameras
    .filter((camera) => {
      const { device_id, state } = camera
      const tile = getTile(tiles, device_id)
      if (tile.reason === 'no-stream' && !hasLivePicture(camera)) return false
      return tile.phase === 'idle' ? state === 'offline' || state === 'bridge_off' : needsHelp(tile)
    })
    .map(({ device_id }) => device_id)
    .join(' '),
)
export const $needHelp = computed($helpIds, (ids) => (ids === '' ? [] : ids.split(' ')))

/** The cameras that the account wants to see: all, until some are chosen. */
export const $listed = computed([$cameras, $chosenCameras], (cameras, chosen) => {
  const listed = cameras.filter(({ device_id }) => chosen.includes(device_id))
  return listed.length > 0 ? listed : cameras
})
/** What the grid shows. The one that stands alone may be one that the filter leaves out. */
export const $shown = computed(
  [$cameras, $listed, $filter, $needHelp, $layout, $alone],
  (cameras, listed, filter, helpless, layout, alone) => {
    const filtered = filter === 'help' ? cameras.filter(({ device_id }) => helpless.includes(device_id)) : listed
    const camera = cameras.find(({ device_id }) => device_id === alone) ?? filtered[0]
    return layout === 'one' && camera ? [camera] : filtered
  },
)

let opened = false

/**
 * Starts the page: the list, its first cameras, the home feed. May be called before anything is drawn; a second call
 * does nothing.
 */
export function openLive(): void {
  if (opened) return
  opened = true
  watchPage()
  $cameras.subscribe((cameras) => {
    const ids = cameras.map(({ device_id }) => device_id)
    setLive(ids)
    retainCameras(ids)
    expectCameras(
      $shown
        .get()
        .slice(0, AT_ONCE)
        .map(({ device_id }) => device_id),
    )
  })
  void retryLoading()
  hearFeed()
}

/** Asks until the list has arrived. */
async function retryLoading(load = loadDevices): Promise<void> {
  if (!(await load())) setTimeout(() => void retryLoading(load), RELOAD_MS)
}

function hearFeed(): void {
  onFeed((message) => {
    if (message.type === 'camera-state') {
      updateCameraState(message.device_id, message.state, message.reason, message.since)
      hearCamera(message.device_id, message)
    }
    // What was shared, or changed, between the list and a greeting is told by neither: the feed opens after the list.
    if (message.type === 'access' || message.type === 'hello') void retryLoading(reloadDevices)
  })
  void firstPicture().then(openFeed)
}

/** Sockets to one server open one after the other, and those of the cameras go first. */
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

import { atom, computed } from 'nanostores'
import { hasLiveVideo } from '../../domain/live/has-live-video.ts'
import { needsHelp, type TilePhase } from '../../media/live/tile-state-machine.ts'
import { isWideWindow } from './load-tile-layout.ts'
import { $devices, loadDevices, updateCameraState, reloadDevices, type Device } from '../home/devices.ts'
import { onFeed, openFeed } from '../home/feed.ts'
import { $singleCameraId, $chosenCameras, $layout } from './live-layout.ts'
import {
  $tiles,
  startExpectedCameras,
  watchPageVisibility,
  applyCameraState,
  retainCameras,
  getTileState,
} from './live-tiles.ts'
import { retainConnectionResults } from './connection-results.ts'

export type LiveFilter = 'all' | 'help'

/** Maximum number of tiles on the first screen. Their cameras start before the page renders the tiles. */
const getFirstScreenSize = () => (isWideWindow() ? 9 : 4)
const LOAD_RETRY_MS = 1000
/** Maximum time that the feed waits for the visible cameras before it opens, ms. */
const MAX_FEED_DELAY_MS = 1000

export const $liveFilter = atom<LiveFilter>('all')

export const $liveCameras = computed($devices, (devices): readonly Device[] =>
  'devices' in devices ? devices.devices : [],
)
export const $playingCount = computed(
  [$liveCameras, $tiles],
  (cameras, tiles) => cameras.filter(({ device_id }) => getTileState(tiles, device_id).phase === 'playing').length,
)
/** Number of cameras with live video: cameras that play, and awake cameras whose tile is off screen. */
export const $liveCount = computed(
  [$liveCameras, $tiles],
  (cameras, tiles) =>
    cameras.filter(({ device_id, state }) => {
      const { phase } = getTileState(tiles, device_id)
      return phase === 'playing' || (phase === 'idle' && state === 'awake')
    }).length,
)
/**
 * Ids of the cameras that need help, separated by spaces. For a camera whose tile is off screen, uses the state in the
 * camera list.
 */
const $cameraIdsNeedingHelp = computed([$liveCameras, $tiles], (cameras, tiles) =>
  cameras
    .filter((camera) => {
      const { device_id, state } = camera
      const tile = getTileState(tiles, device_id)
      if (tile.reason === 'no-stream' && !hasLiveVideo(camera)) return false
      return tile.phase === 'idle' ? state === 'offline' || state === 'bridge_off' : needsHelp(tile)
    })
    .map(({ device_id }) => device_id)
    .join(' '),
)
export const $camerasNeedingHelp = computed($cameraIdsNeedingHelp, (ids) => (ids === '' ? [] : ids.split(' ')))

export const $listedCameras = computed([$liveCameras, $chosenCameras], (cameras, chosen) => {
  const listed = cameras.filter(({ device_id }) => chosen.includes(device_id))
  return listed.length > 0 ? listed : cameras
})
/** Cameras in the grid. The filter never hides the camera that is shown alone. */
export const $gridCameras = computed(
  [$liveCameras, $listedCameras, $liveFilter, $camerasNeedingHelp, $layout, $singleCameraId],
  (cameras, listed, filter, helpIds, layout, alone) => {
    const filtered = filter === 'help' ? cameras.filter(({ device_id }) => helpIds.includes(device_id)) : listed
    const camera = cameras.find(({ device_id }) => device_id === alone) ?? filtered[0]
    return layout === 'one' && camera ? [camera] : filtered
  },
)

const CONNECTING_PHASES: readonly TilePhase[] = ['starting', 'signalling', 'connected', 'waiting-for-keyframe']

/** True once a camera on the first screen plays and no other camera there is still connecting. */
export const $isFirstScreenPlaying = computed([$gridCameras, $tiles], (cameras, tiles) => {
  const phases = cameras.slice(0, getFirstScreenSize()).map(({ device_id, state }) => {
    const { phase } = getTileState(tiles, device_id)
    return phase === 'idle' && state === 'awake' ? 'starting' : phase
  })
  return phases.includes('playing') && !CONNECTING_PHASES.some((phase) => phases.includes(phase))
})

let isLivePageOpened = false

/**
 * Loads the camera list, starts the first cameras and subscribes to the home feed. It can run before the page renders;
 * a second call does nothing.
 */
export function openLivePage(): void {
  if (isLivePageOpened) return
  isLivePageOpened = true
  watchPageVisibility()
  $liveCameras.subscribe((cameras) => {
    const ids = cameras.map(({ device_id }) => device_id)
    retainConnectionResults(ids)
    retainCameras(ids)
    startExpectedCameras(
      $gridCameras
        .get()
        .slice(0, getFirstScreenSize())
        .map(({ device_id }) => device_id),
    )
  })
  void loadUntilSuccess()
  subscribeToFeed()
}

async function loadUntilSuccess(load = loadDevices): Promise<void> {
  if (!(await load())) setTimeout(() => void loadUntilSuccess(load), LOAD_RETRY_MS)
}

function subscribeToFeed(): void {
  onFeed((message) => {
    if (message.type === 'camera-state') {
      updateCameraState(message.device_id, message.state, message.reason, message.since)
      applyCameraState(message.device_id, message)
    }
    // Reloads on `hello` too, because the feed does not replay changes from before it connected.
    if (message.type === 'access' || message.type === 'hello') void loadUntilSuccess(reloadDevices)
  })
  void waitForFirstScreen().then(openFeed)
}

/**
 * Resolves when the visible cameras play, or after `MAX_FEED_DELAY_MS`. The browser opens the sockets to one server in
 * sequence, so an earlier feed socket would delay the cameras' sockets.
 */
function waitForFirstScreen(): Promise<void> {
  return new Promise((resolve) => {
    const stop = $isFirstScreenPlaying.listen((isPlaying) => isPlaying && finish())
    const timer = setTimeout(finish, MAX_FEED_DELAY_MS)
    function finish() {
      clearTimeout(timer)
      stop()
      resolve()
    }
  })
}

import { atom, computed } from 'nanostores'
import { dropSparePeers, warmPeers } from '../media/peer.ts'
import { needsHelp } from '../media/tile-machine.ts'
import { $devices, $userCameras, loadDevices, noteCameraState, type Device } from './devices.ts'
import { onFeed, openFeed } from './feed.ts'
import { $tiles, expectCameras, followPage, hearCamera, keepCameras, tileOf } from './live-tiles.ts'
import { setLive } from './live.ts'
import { keptText } from './persistent.ts'
import { KEYS } from './storage.ts'

export const LAYOUTS = ['focus', 'four', 'nine', 'one'] as const
export type Layout = (typeof LAYOUTS)[number]
export type Filter = 'all' | 'help'

/** Tiles that any layout shows without scrolling: they start before the page has drawn them. */
const AT_ONCE = 6
const RELOAD_MS = 1000
/** The feed waits for the first picture, yet not longer than this. */
const FEED_LATEST_MS = 1000

const $keptLayout = keptText(KEYS.liveLayout, 'focus')
/** How the tiles are laid out; remembered. */
export const $layout = computed($keptLayout, (layout): Layout => LAYOUTS.find((known) => known === layout) ?? 'focus')
/** The camera that stands large, '' for the first. */
export const $chosen = atom('')
export const $filter = atom<Filter>('all')

/** The listed cameras, empty while none is known. */
export const $cameras = computed($devices, (devices): readonly Device[] =>
  'devices' in devices ? devices.devices : [],
)
/** How many pictures are on the screen. */
export const $playing = computed(
  [$cameras, $tiles],
  (cameras, tiles) => cameras.filter(({ device_id }) => tileOf(tiles, device_id).phase === 'playing').length,
)
/** How many cameras are live: playing, or ready to while their tile is out of sight. */
export const $liveCount = computed(
  [$cameras, $tiles],
  (cameras, tiles) =>
    cameras.filter(({ device_id, state }) => {
      const { phase } = tileOf(tiles, device_id)
      return phase === 'playing' || (phase === 'idle' && state === 'awake')
    }).length,
)
/** A tile that was never on the screen knows nothing; then what the list said of the camera counts. */
const $helpIds = computed([$cameras, $tiles], (cameras, tiles) =>
  cameras
    .filter(({ device_id, state }) => {
      const tile = tileOf(tiles, device_id)
      return tile.phase === 'idle' ? state === 'offline' || state === 'bridge_off' : needsHelp(tile)
    })
    .map(({ device_id }) => device_id)
    .join(' '),
)
export const $needHelp = computed($helpIds, (ids) => (ids === '' ? [] : ids.split(' ')))

/** What the grid shows, the large one first. */
export const $shown = computed(
  [$cameras, $filter, $needHelp, $layout, $chosen],
  (cameras, filter, helpless, layout, chosen) => {
    const kept = filter === 'help' ? cameras.filter(({ device_id }) => helpless.includes(device_id)) : cameras
    const large = kept.find(({ device_id }) => device_id === chosen) ?? kept[0]
    return layout === 'one' && large ? [large] : kept
  },
)

let before: Layout = 'focus'

export function setLayout(layout: Layout): void {
  if (layout !== 'one') before = layout
  $keptLayout.set(layout)
}

/** Shows one camera alone, or, if it stands alone already, all of them again. */
export function toggleAlone(deviceId: string): void {
  if ($layout.get() === 'one') return setLayout(before)
  before = $layout.get()
  $chosen.set(deviceId)
  setLayout('one')
}

/** The n-th camera of the list (from 0), alone. */
export function showAlone(index: number): void {
  const camera = $cameras.get()[index]
  if (!camera) return
  $chosen.set(camera.device_id)
  if ($layout.get() !== 'one') before = $layout.get()
  setLayout('one')
}

/** Back from one camera to all; answers whether there was anything to leave. */
export function leaveAlone(): boolean {
  if ($layout.get() !== 'one') return false
  setLayout(before)
  return true
}

let opened = false

/** Gets ready, without a word to anybody, for as many cameras as there were last time. */
export function warmLive(): void {
  warmPeers(Math.min(AT_ONCE, $userCameras.get().length))
}

/**
 * Starts the page: the list, its first cameras, the home feed. May be called before anything is drawn; a second call
 * does nothing.
 */
export function openLive(): void {
  if (opened) return
  opened = true
  followPage()
  $cameras.subscribe((cameras) => {
    const ids = cameras.map(({ device_id }) => device_id)
    setLive(ids)
    keepCameras(ids)
    if ($layout.get() !== 'one') expectCameras(ids.slice(0, AT_ONCE))
  })
  void keepLoading()
  hearFeed()
}

/** Asks until the list has arrived once. */
async function keepLoading(): Promise<void> {
  if (await loadDevices()) dropSparePeers()
  else setTimeout(() => void keepLoading(), RELOAD_MS)
}

function hearFeed(): void {
  let greeted = false
  onFeed((message) => {
    if (message.type === 'camera-state') {
      noteCameraState(message.device_id, message.state, message.reason, message.since)
      hearCamera(message.device_id, message)
    }
    // The first greeting comes with the page itself; a later one after a break, in which the list may have changed.
    if (message.type === 'access' || (message.type === 'hello' && greeted)) void loadDevices()
    if (message.type === 'hello') greeted = true
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

import { map } from 'nanostores'
import type { CameraStatePayload } from '../../../contract/live/signaling.ts'
import { LiveDriver } from '../../media/live/live-driver.ts'
import { makePicture, type LiveViewElements } from '../../media/live/live-view-element.ts'
import type { QualityPreference } from '../../media/live/quality-selection.ts'
import { IDLE_TILE, nextTile, type TileState, type TileEvent } from '../../media/live/tile-state-machine.ts'
import { $streams, acquireStream } from './stream-tickets.ts'
import { $liveConnection, resetLive, updateLive } from './connection-results.ts'
import type { MarkName } from '../../../contract/telemetry/telemetry-calls.ts'

/** Tile state of each watched camera, by device id. */
export const $tiles = map<Record<string, TileState>>({})

interface Watched {
  readonly driver: LiveDriver
  picture: LiveViewElements | null
  /** True while the video should play: its tile is on screen, in a floating window, or expected on screen. */
  wanted: boolean
  leaving: ReturnType<typeof setTimeout> | undefined
}

/** Delay before disconnecting: keeps the connection of a tile that scrolls past, or of a page hidden for a moment. */
const GRACE_MS = 1500

const NO_WISH: QualityPreference = { offered: [], chosen: null, pin: null }

const watched = new Map<string, Watched>()

export const getTile = (tiles: Record<string, TileState>, deviceId: string): TileState => tiles[deviceId] ?? IDLE_TILE

function emit(deviceId: string, event: TileEvent): void {
  const tile = getTile($tiles.get(), deviceId)
  const next = nextTile(tile, event, performance.now())
  const video = watched.get(deviceId)?.picture?.video
  if (video) video.dataset['shown'] = `${next.phase === 'playing'}`
  if (next !== tile) $tiles.setKey(deviceId, next)
  if (event.type === 'playing') {
    updateLive({ success: true, address: deviceId })
    performance.mark('First Picture' satisfies MarkName)
  }
  if (event.type === 'failed') updateLive({ success: false, address: deviceId })
}

function watch(deviceId: string): Watched {
  const existing = watched.get(deviceId)
  if (existing) return existing
  const driver = new LiveDriver({
    ticket: () => acquireStream(deviceId),
    // A failed import is retried on the next call.
    snapshot: () =>
      import('./request-snapshot.ts').then(
        (code) => code.fetchSnapshot(deviceId),
        () => null,
      ),
    wish: () =>
      import('./pinned-renditions.ts').then(
        (code) => code.getQualityPreference(deviceId),
        () => NO_WISH,
      ),
    chosen: (rendition) => setStreamRendition(deviceId, rendition),
    wake: () =>
      import('./wake-camera.ts').then(
        (code) => code.wakeUp(deviceId),
        () => false,
      ),
    emit: (event) => emit(deviceId, event),
    random: Math.random,
  })
  const made: Watched = { driver, picture: null, wanted: false, leaving: undefined }
  watched.set(deviceId, made)
  return made
}

/** Stores the rendition that was chosen for all viewers of the camera. */
function setStreamRendition(deviceId: string, rendition: string): void {
  const stream = $streams.get()[deviceId]
  if (stream) $streams.setKey(deviceId, { ...stream, rendition })
}

export function getPicture(deviceId: string): LiveViewElements {
  const item = watch(deviceId)
  if (!item.picture) {
    item.picture = makePicture(`/m/last/${deviceId}`)
    item.driver.attach(item.picture.video, item.picture.still)
  }
  return item.picture
}

/** Marks a camera as visible or not. Playback starts immediately and stops after a short delay. */
export function wantCamera(deviceId: string, isWanted: boolean): void {
  const item = watch(deviceId)
  item.wanted = isWanted
  settle(item)
}

function settle(item: Watched): void {
  clearTimeout(item.leaving)
  const isWatched = item.wanted && !document.hidden
  if (isWatched) item.driver.start()
  else item.leaving = setTimeout(() => item.driver.stop(), GRACE_MS)
}

export const retryCamera = (deviceId: string): void => watched.get(deviceId)?.driver.retry()
export const wakeCamera = (deviceId: string): void => void watched.get(deviceId)?.driver.wake()

export const muteCamera = (deviceId: string, muted: boolean): void => watched.get(deviceId)?.driver.setMuted(muted)

/** Shows the inset of a dual-lens camera in this element; null removes it. */
export const attachInset = (deviceId: string, video: HTMLVideoElement | null): void =>
  watched.get(deviceId)?.driver.attachInset(video)

export function hearCamera(deviceId: string, camera: CameraStatePayload): void {
  watched.get(deviceId)?.driver.hearCamera(camera)
}

/** Starts the first cameras of the list before anything is on screen. */
export function expectCameras(deviceIds: readonly string[]): void {
  for (const deviceId of deviceIds) if (!watched.has(deviceId)) wantCamera(deviceId, true)
}

export function retainCameras(deviceIds: readonly string[]): void {
  for (const [deviceId, item] of watched) {
    if (deviceIds.includes(deviceId)) continue
    clearTimeout(item.leaving)
    item.driver.stop()
    item.driver.attach(null)
    watched.delete(deviceId)
  }
}

/**
 * Stops playback while the page is hidden and resumes it when the page is visible. Retries failed cameras when the
 * browser is online again. Returns a function that stops watching.
 */
export function watchPage(): () => void {
  const onVisibility = () => watched.forEach(settle)
  const onOnline = () => {
    for (const deviceId of $liveConnection.get().failure)
      if (getTile($tiles.get(), deviceId).phase === 'failed') retryCamera(deviceId)
  }
  const onHide = () => {
    watched.forEach(({ driver }) => driver.stop())
    resetLive()
  }
  document.addEventListener('visibilitychange', onVisibility)
  window.addEventListener('online', onOnline)
  window.addEventListener('pagehide', onHide)
  window.addEventListener('pageshow', onVisibility)
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    window.removeEventListener('online', onOnline)
    window.removeEventListener('pagehide', onHide)
    window.removeEventListener('pageshow', onVisibility)
    onHide()
  }
}

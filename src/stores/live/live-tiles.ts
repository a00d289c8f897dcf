import { map } from 'nanostores'
import type { CameraStatePayload } from '../../../contract/live/signaling.ts'
import { LiveDriver } from '../../media/live/live-driver.ts'
import { createLiveView, type LiveViewElements } from '../../media/live/live-view-element.ts'
import type { QualityPreference } from '../../media/live/quality-selection.ts'
import { IDLE_TILE, nextTileState, type TileState, type TileEvent } from '../../media/live/tile-state-machine.ts'
import { $streams, acquireStream } from './stream-tickets.ts'
import { $connectionResults, clearConnectionResults, recordConnectionResult } from './connection-results.ts'
import type { MarkName } from '../../../contract/telemetry/telemetry-calls.ts'

/** Tile state of each watched camera, by device id. */
export const $tiles = map<Record<string, TileState>>({})

interface WatchedCamera {
  readonly driver: LiveDriver
  picture: LiveViewElements | null
  /** True if the video should play: its tile is on screen, in a floating window, or expected on screen. */
  isWanted: boolean
  leaving: ReturnType<typeof setTimeout> | undefined
}

/**
 * Delay before a connection closes, ms. A tile that scrolls past, or a page that is hidden briefly, keeps its
 * connection.
 */
const STOP_DELAY_MS = 1500

const NO_PREFERENCE: QualityPreference = { offered: [], chosen: null, pin: null }

const watchedCameras = new Map<string, WatchedCamera>()

export const getTileState = (tiles: Record<string, TileState>, deviceId: string): TileState =>
  tiles[deviceId] ?? IDLE_TILE

function applyTileEvent(deviceId: string, event: TileEvent): void {
  const tile = getTileState($tiles.get(), deviceId)
  const next = nextTileState(tile, event, performance.now())
  const video = watchedCameras.get(deviceId)?.picture?.video
  if (video) video.dataset['shown'] = `${next.phase === 'playing'}`
  if (next !== tile) $tiles.setKey(deviceId, next)
  if (event.type === 'playing') {
    recordConnectionResult({ success: true, address: deviceId })
    performance.mark('First Picture' satisfies MarkName)
  }
  if (event.type === 'failed') recordConnectionResult({ success: false, address: deviceId })
}

function getWatchedCamera(deviceId: string): WatchedCamera {
  const existing = watchedCameras.get(deviceId)
  if (existing) return existing
  const driver = new LiveDriver({
    requestStream: () => acquireStream(deviceId),
    // If an import fails, the next call retries it.
    requestSnapshot: () =>
      import('./request-snapshot.ts').then(
        (code) => code.fetchSnapshot(deviceId),
        () => null,
      ),
    getQualityPreference: () =>
      import('./pinned-renditions.ts').then(
        (code) => code.getQualityPreference(deviceId),
        () => NO_PREFERENCE,
      ),
    onRenditionChosen: (rendition) => setStreamRendition(deviceId, rendition),
    wakeCamera: () =>
      import('./wake-camera.ts').then(
        (code) => code.wakeBatteryCamera(deviceId),
        () => false,
      ),
    emit: (event) => applyTileEvent(deviceId, event),
    random: Math.random,
  })
  const newCamera: WatchedCamera = { driver, picture: null, isWanted: false, leaving: undefined }
  watchedCameras.set(deviceId, newCamera)
  return newCamera
}

function setStreamRendition(deviceId: string, rendition: string): void {
  const stream = $streams.get()[deviceId]
  if (stream) $streams.setKey(deviceId, { ...stream, rendition })
}

export function getLiveView(deviceId: string): LiveViewElements {
  const camera = getWatchedCamera(deviceId)
  if (!camera.picture) {
    camera.picture = createLiveView(`/m/last/${deviceId}`)
    camera.driver.attach(camera.picture.video, camera.picture.still)
  }
  return camera.picture
}

/**
 * Marks a camera's video as wanted or not. On a visible page, a wanted video starts immediately. Otherwise, the video
 * stops after `STOP_DELAY_MS`.
 */
export function setCameraWanted(deviceId: string, isWanted: boolean): void {
  const camera = getWatchedCamera(deviceId)
  camera.isWanted = isWanted
  updatePlayback(camera)
}

function updatePlayback(camera: WatchedCamera): void {
  clearTimeout(camera.leaving)
  const isWatched = camera.isWanted && !document.hidden
  if (isWatched) camera.driver.start()
  else camera.leaving = setTimeout(() => camera.driver.stop(), STOP_DELAY_MS)
}

export const retryCamera = (deviceId: string): void => watchedCameras.get(deviceId)?.driver.retry()
export const wakeCamera = (deviceId: string): void => void watchedCameras.get(deviceId)?.driver.wake()

export const muteCamera = (deviceId: string, muted: boolean): void =>
  watchedCameras.get(deviceId)?.driver.setMuted(muted)

/** Shows the inset of a dual-lens camera in this element; null detaches it. */
export const attachInset = (deviceId: string, video: HTMLVideoElement | null): void =>
  watchedCameras.get(deviceId)?.driver.attachInset(video)

export function applyCameraState(deviceId: string, camera: CameraStatePayload): void {
  watchedCameras.get(deviceId)?.driver.applyCameraState(camera)
}

/**
 * Starts cameras whose tiles will be on screen but are not rendered yet. Skips cameras that are already in
 * `watchedCameras`.
 */
export function startExpectedCameras(deviceIds: readonly string[]): void {
  for (const deviceId of deviceIds) if (!watchedCameras.has(deviceId)) setCameraWanted(deviceId, true)
}

export function retainCameras(deviceIds: readonly string[]): void {
  for (const [deviceId, item] of watchedCameras) {
    if (deviceIds.includes(deviceId)) continue
    clearTimeout(item.leaving)
    item.driver.stop()
    item.driver.attach(null)
    watchedCameras.delete(deviceId)
  }
}

/**
 * Stops playback while the page is hidden and resumes it when the page is visible. Retries failed cameras when the
 * browser is online again. Returns a function that removes the listeners and stops all cameras.
 */
export function watchPageVisibility(): () => void {
  const onVisibility = () => watchedCameras.forEach(updatePlayback)
  const onOnline = () => {
    for (const deviceId of $connectionResults.get().failure)
      if (getTileState($tiles.get(), deviceId).phase === 'failed') retryCamera(deviceId)
  }
  const onPageHide = () => {
    watchedCameras.forEach(({ driver }) => driver.stop())
    clearConnectionResults()
  }
  document.addEventListener('visibilitychange', onVisibility)
  window.addEventListener('online', onOnline)
  window.addEventListener('pagehide', onPageHide)
  window.addEventListener('pageshow', onVisibility)
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    window.removeEventListener('online', onOnline)
    window.removeEventListener('pagehide', onPageHide)
    window.removeEventListener('pageshow', onVisibility)
    onPageHide()
  }
}

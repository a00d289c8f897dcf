import type { LiveStream } from '../../../contract/live/live-calls.ts'
import type { QualityPreference } from './quality-selection.ts'
import type { Snapshot } from './snapshot-player.ts'
import type { PlaybackFailureReason, TileEvent } from './tile-state-machine.ts'

/** Services of the page that a driver depends on. */
export interface DriverPorts {
  /** Returns a new stream description that has not been used yet, or the reason why there is none. */
  requestStream(): Promise<LiveStream | PlaybackFailureReason>
  /** Wakes the camera; false if that failed. */
  wakeCamera(): Promise<boolean>
  /** Requests a snapshot; null if the request failed. */
  requestSnapshot(): Promise<Snapshot | null>
  /** Returns the offered renditions, and the choices of the owner and the viewer. */
  getQualityPreference(): Promise<QualityPreference>
  /** Called when this rendition was chosen for all viewers of the camera. */
  onRenditionChosen(name: string): void
  emit(event: TileEvent): void
  /** Random number in [0, 1). */
  random(): number
}

import type { LiveStream } from '../../../contract/live/live-calls.ts'
import type { QualityPreference } from './quality-selection.ts'
import type { Snapshot } from './snapshot-player.ts'
import type { Reason, TileEvent } from './tile-state-machine.ts'

/** Services of the page that a driver depends on. */
export interface DriverPorts {
  /** Returns a new stream description that has not been used yet, or the reason why there is none. */
  ticket(): Promise<LiveStream | Reason>
  /** Wakes the camera; false if that failed. */
  wake(): Promise<boolean>
  /** Requests a snapshot; null if the request failed. */
  snapshot(): Promise<Snapshot | null>
  /** Returns the offered renditions and the choices of owner and viewer. */
  wish(): Promise<QualityPreference>
  /** Called when this rendition was chosen for all viewers of the camera. */
  chosen(name: string): void
  emit(event: TileEvent): void
  /** Random number in [0, 1). */
  random(): number
}

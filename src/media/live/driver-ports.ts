import type { Stream } from '../../../contract/live/live-calls.ts'
import type { QualityPreference } from './quality-selection.ts'
import type { Snapshot } from './snapshot-player.ts'
import type { Reason, TileEvent } from './tile-state-machine.ts'

/** What a driver needs of the page that it works for. */
export interface DriverPorts {
  /** A fresh, unused stream description, or why there is none. */
  ticket(): Promise<Stream | Reason>
  /** Tells the camera to wake; false when nobody could. */
  wake(): Promise<boolean>
  /** Asks for a single picture; null when there is no answer. */
  snapshot(): Promise<Snapshot | null>
  /** Which renditions there are, and what people have chosen of them. */
  wish(): Promise<QualityPreference>
  /** This rendition was chosen for all who watch the camera. */
  chosen(name: string): void
  emit(event: TileEvent): void
  /** In [0, 1). */
  random(): number
}

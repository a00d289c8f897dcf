import type { DriverPorts } from './driver-ports.ts'
import { SnapshotPlayer } from './snapshot-player.ts'
import type { PlaybackFailureReason, TileEvent } from './tile-state-machine.ts'

const EVENTS_HIDDEN_BY_SNAPSHOTS: readonly TileEvent['type'][] = ['begin', 'step', 'failed', 'stalled']

interface SnapshotFallbackOptions {
  readonly reason: PlaybackFailureReason
  drawSnapshot(picture: HTMLImageElement): void
  /** Called when a failure ends the snapshots, before that failure is reported. */
  onEnd(): void
}

/**
 * Shows one snapshot per second in place of video, and reports this to the tile. The driver loads this module only
 * after the transports have failed.
 */
export class SnapshotFallback {
  readonly #player: SnapshotPlayer

  constructor(ports: DriverPorts, { reason, drawSnapshot, onEnd }: SnapshotFallbackOptions) {
    this.#player = new SnapshotPlayer({
      requestSnapshot: () => ports.requestSnapshot(),
      drawSnapshot,
      onFirstSnapshot: (width, height) => {
        ports.emit({ type: 'fallback', reason })
        ports.emit({ type: 'playing', transport: 'snapshot', width, height })
      },
      onLost: () => {
        onEnd()
        ports.emit({ type: 'failed', reason })
      },
    })
  }

  /** Returns true if the event must not reach the tile, because snapshots are shown. */
  hidesEvent({ type }: TileEvent): boolean {
    return this.#player.isShowing && EVENTS_HIDDEN_BY_SNAPSHOTS.includes(type)
  }

  stop(): void {
    this.#player.stop()
  }
}
